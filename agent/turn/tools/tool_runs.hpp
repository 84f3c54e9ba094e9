// The tool calls of one response: each goes through checks, hooks, permission and the tool itself
// on a thread of its own; results are shown in the order in which they come.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "call_outcome.hpp"
#include "call_scope.hpp"

namespace parley::agent {

/// What became of one call.
struct ToolRun {
  ToolUseBlock call;
  std::string source_uuid;  ///< Of the assistant message that made the call.
  bool concurrent = false;
  bool settled = false;  ///< It waits for somebody, or does its work, or is done.
  bool done = false;
  std::chrono::steady_clock::time_point ended;  ///< When it was done.
  std::function<void()> opening;                ///< Shows how it begins; empty when that is done.
  bool deferred = false;                        ///< A hook put it off: there is no result.
  ToolResultBlock block;                        ///< For the model.
  UserMessage message;                          ///< As the client saw it.
};

/// Of the thread that runs the turn. The calls themselves run on threads of their own.
class ToolRuns {
 public:
  ToolRuns(TurnContext& context, const std::stop_token& stop, std::string prompt_id);
  ~ToolRuns();

  /// Starts a call as soon as those before it allow: calls that may run beside each other do.
  /// Returns when the client has been asked or the tool begins, so that a question about a call
  /// stands before the rest of the response.
  void start(const ToolUseBlock& call, const std::string& source_uuid);
  /// Shows how the calls begin that have started. Called when the response has gone on: a display
  /// sees the end of a block before what the block set going.
  void show_openings();
  /// The response with the calls is in the transcript: results follow it there as they come, so
  /// that a session that is killed keeps those it had.
  void record_results();
  /// Returns when every call has its result.
  void wait();
  [[nodiscard]] bool empty() const { return runs_.empty(); }

  // After wait().

  /// In the order of the calls.
  [[nodiscard]] const std::deque<ToolRun>& runs() const { return runs_; }
  /// In the order in which they came to their results; what came at about the same time is in the
  /// order of the calls.
  [[nodiscard]] std::vector<const ToolRun*> by_results() const;
  /// The last one that a hook put off; null if none was.
  [[nodiscard]] const ToolRun* deferred() const;
  /// What the calls mean for the turn.
  [[nodiscard]] CallNotes::Summary summary() const { return notes_.summary(); }

 private:
  void run(ToolRun& run);
  void wait_for_earlier_calls(ToolRun& run);
  void settle(ToolRun& run);
  void open(ToolRun& run, std::function<void()> show);
  [[nodiscard]] std::optional<CallOutcome> execute(ToolRun& run);
  void record(const ToolRun& run);

  TurnContext& context_;
  std::stop_source stop_;
  std::stop_callback<std::function<void()>> outer_;
  const std::string prompt_id_;
  CallNotes notes_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<ToolRun> runs_;
  std::vector<std::jthread> threads_;
  bool recording_ = false;
};

}  // namespace parley::agent
