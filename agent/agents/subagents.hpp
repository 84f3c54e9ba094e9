// The subagents of a session: makes them for calls, runs each on a thread of its own, lets calls
// wait for them, sends them to the background, and sends on those that have ended.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "../tools/background/background_tasks.hpp"
#include "../tools/tool.hpp"
#include "subagent.hpp"

namespace parley::agent {

/// Who calls: the session, or one of its agents. A value.
struct AgentCaller {
  std::string agent_id;    ///< Empty: the session.
  std::int64_t depth = 0;  ///< 0: the session.
};

/// Thread-safe.
class Subagents {
 public:
  explicit Subagents(AgentHost host);
  /// Stops all of them and waits for that.
  ~Subagents();
  Subagents(const Subagents&) = delete;
  Subagents& operator=(const Subagents&) = delete;

  /// The tools by which this caller makes agents and speaks with them.
  [[nodiscard]] std::vector<SharedTool> tools_for(const AgentCaller& caller);

  /// Makes the agent that a call wants, tells the client of it and has it begin. What is returned
  /// shows the client its work, if it is to see that: until then, or until the call is answered, it
  /// does not say a word.
  [[nodiscard]] std::function<void()> open(const AgentCaller& caller, const ToolCall& call);
  /// Blocks until the agent has ended, is in the background, or the call is stopped.
  [[nodiscard]] ToolOutput run(const AgentCaller& caller, const ToolCall& call);
  /// Has a running agent read the message, or sends one on that has ended.
  [[nodiscard]] ToolOutput send(const AgentCaller& caller, const ToolCall& call);
  /// A message for a running agent. False if there is none of that id.
  bool tell(const std::string& agent_id, UserMessage message);

  /// Stops all of them. Whether they have ended in that time.
  bool stop_all(std::chrono::milliseconds patience);

  [[nodiscard]] AgentCatalog& catalog() const { return host_.catalog; }

 private:
  /// One run of an agent.
  struct Run {
    std::shared_ptr<Subagent> agent;
    SubagentTask task;  ///< Does not change.
    bool background = false;
    std::stop_source stop;
    // Guarded by the mutex of the owner.
    bool begun = false;   ///< Hooks know of it.
    bool ready = false;   ///< It has something to say.
    bool moved = false;   ///< To the background.
    bool closed = false;  ///< It reads no more mail.
    bool done = false;
    SubagentOutcome outcome;  ///< Once it is done.
    std::jthread thread;
  };
  using Key = std::pair<std::string, std::string>;  ///< A caller and the id of its call.

  [[nodiscard]] Result<std::shared_ptr<Run>> make(const AgentCaller& caller, const ToolCall& call);
  /// Enters it into the list of tasks.
  void enter(const std::shared_ptr<Run>& run);
  void start(const std::shared_ptr<Run>& run);
  void carry_out(Run& run);
  bool close(Run& run);
  void report(Run& run);
  void count(const Run& run);
  [[nodiscard]] ToolOutput wait_for(Run& run, const std::stop_token& stop);
  [[nodiscard]] std::shared_ptr<Subagent> find_or_restore(const std::string& id);
  void drop_ended();
  [[nodiscard]] BackgroundTasks& tasks() const { return tasks_; }

  const AgentHost host_;
  BackgroundTasks& tasks_;  ///< Of the session's tools; every agent keeps what it is a part of.
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Key, Result<std::shared_ptr<Run>>> opened_;  ///< Between open() and run().
  std::deque<std::shared_ptr<Run>> runs_;
  std::map<std::string, std::shared_ptr<Subagent>> agents_;  ///< By id, ended ones included.
};

}  // namespace parley::agent
