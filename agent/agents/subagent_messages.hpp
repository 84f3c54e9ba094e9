// What the client sees of a subagent's conversation. While a call waits for the subagent, that is
// what it does: its prompt, its tool calls and their results. In the background, or when the client
// asks for it, also what it says. What it streams and how it fares is not shown.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "../connection/message_sink.hpp"
#include "subagent_identity.hpp"

namespace parley::agent {

/// What a subagent has done. A value.
struct SubagentWork {
  std::int64_t tool_uses = 0;
  struct Used {
    std::string tool;
    std::int64_t times = 1;
  };
  std::vector<Used> tools;  ///< In the order of their first use.
  std::string last_words;   ///< The text of its last answer that had one.
  std::int64_t tokens = 0;  ///< Of the last response that has begun.
};

/// Thread-safe.
class SubagentMessages final : public MessageSink {
 public:
  struct Setup {
    SubagentIdentity identity;
    bool background = false;
    bool shows_text = false;  ///< The client wants to see what agents say.
    /// The name by which a tool is known.
    std::function<std::string(const std::string& name)> tool_name;
  };
  SubagentMessages(Setup setup, MessageSink& client)
      : setup_(std::move(setup)), client_(client), background_(setup_.background) {}

  void send(Message message) override;
  /// Shows the work that it was given.
  void show_prompt(const std::string& prompt);

  /// Until then the agent waits with what it has to say: what is shown of its call comes first.
  void let_speak();
  /// Called once when it has something to say and may not yet. Before it runs.
  void on_first_words(std::function<void()> callback) { first_words_ = std::move(callback); }
  /// Nobody waits for it any more: from now on the client sees all of it.
  void move_to_background() { background_ = true; }
  /// The turn that waits for it was interrupted: nothing more is shown.
  void mute();
  [[nodiscard]] bool muted() const { return muted_; }

  /// A new run of it begins.
  void begin(std::string run_id, std::string tool_use_id);
  [[nodiscard]] SubagentWork work() const;

 private:
  void wait_for_leave();
  void show(AssistantMessage message);
  void show(UserMessage message);
  /// Counts a call, and tells the client what is going on.
  void note_call(const ToolUseBlock& call);
  [[nodiscard]] bool shows_actions() const;
  [[nodiscard]] bool shows_words() const { return background_ || setup_.shows_text; }
  template <class T>
  void send_on(T message);

  const Setup setup_;
  MessageSink& client_;
  std::atomic<bool> background_, muted_ = false;
  mutable std::mutex mutex_;
  std::condition_variable may_speak_;
  bool speaks_ = false;
  std::function<void()> first_words_;
  SubagentWork work_;
  std::string run_id_, tool_use_id_;  ///< Of this run.
  std::chrono::steady_clock::time_point started_;
};

}  // namespace parley::agent
