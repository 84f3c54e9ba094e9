// The tool calls of one answer: each goes through checks, hooks, permission and the tool itself on
// a thread of its own; results are shown in the order in which they come.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "../../session/session.hpp"

namespace parley::agent {

/// What became of one call.
struct ToolRun {
  ToolUseBlock call;
  std::string source_uuid;  ///< Of the assistant message that made the call.
  bool concurrent = false;
  bool settled = false;  ///< It waits for somebody, or does its work, or is done.
  bool done = false;
  bool deferred = false;  ///< A hook put it off: there is no result.
  ToolResultBlock block;  ///< For the model.
  UserMessage message;    ///< As the client saw it.
};

class ToolRuns {
 public:
  ToolRuns(Session& session, std::stop_token stop, std::string prompt_id);
  ~ToolRuns();

  /// Starts a call as soon as those before it allow: calls that may run beside each other do.
  /// Returns when the client has been asked or the tool begins, so that a question about a call
  /// stands before the rest of the answer.
  void start(const ToolUseBlock& call, const std::string& source_uuid);
  /// The answer with the calls is in the transcript: results follow it there as they come, so that
  /// a session that is killed keeps those it had.
  void record_results();
  /// Returns when every call has its result.
  void wait();
  [[nodiscard]] bool empty() const { return runs_.empty(); }
  /// In the order of the calls. After wait().
  [[nodiscard]] const std::deque<ToolRun>& runs() const { return runs_; }
  /// The last one that a hook put off; null if none was. After wait().
  [[nodiscard]] const ToolRun* deferred() const;

  // After wait(): what the calls mean for the turn.
  [[nodiscard]] bool interrupted() const { return interrupted_; }
  [[nodiscard]] bool stopped_by_hook() const { return stopped_by_hook_; }
  [[nodiscard]] const std::vector<PermissionDenial>& denials() const { return denials_; }
  [[nodiscard]] const std::vector<std::string>& contexts() const { return contexts_; }
  [[nodiscard]] const std::optional<RawJson>& structured_output() const { return structured_; }

 private:
  /// A result before it is a message.
  struct CallOutcome {
    ToolOutput output;
    std::optional<PermissionDecision> decision;
    std::optional<std::string> non_execution_kind;
  };
  /// A permission that was given, with what the call runs with.
  struct Permit {
    RawJson input;
    PermissionDecision decision;
  };
  /// A hook wants the call left alone until the session is resumed.
  struct Deferral {};
  using Decision = std::variant<Permit, CallOutcome, Deferral>;

  void run(ToolRun& run);
  void settle(ToolRun& run);
  std::optional<CallOutcome> execute(ToolRun& run);
  std::optional<CallOutcome> refuse_early(const ToolRun& run, const Tool* tool);
  Decision permit(const Tool& tool, ToolRun& run);
  Decision ask(const Tool& tool, ToolRun& run, const RawJson& input, const Verdict& verdict);
  Decision answered(const Tool& tool, const ToolRun& run, const RawJson& input,
                    const Asker::Reply& answer);
  /// `counts`: listed in the result as a denial.
  CallOutcome denied(const ToolRun& run, const RawJson& input, const std::string& text,
                     PermissionDecision decision, bool counts = true);
  void note_denial(const ToolRun& run, const RawJson& input);
  void show_denied(const ToolRun& run, const Verdict& verdict);
  static CallOutcome rejected(bool while_running);
  void after(const Tool& tool, const ToolRun& run, const RawJson& input, ToolOutput& output,
             std::chrono::milliseconds took);
  void show(ToolRun& run, CallOutcome outcome);
  void record(const ToolRun& run);
  void record_deferral(const ToolRun& run);
  void apply_updates(const std::vector<PermissionUpdate>& updates);
  void interrupt_all();

  Session& session_;
  std::stop_source stop_;
  std::stop_callback<std::function<void()>> outer_;
  const std::string prompt_id_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<ToolRun> runs_;
  std::vector<std::jthread> threads_;
  bool recording_ = false;
  bool interrupted_ = false;
  bool stopped_by_hook_ = false;
  std::vector<PermissionDenial> denials_;
  std::vector<std::string> contexts_;
  std::optional<RawJson> structured_;
};

}  // namespace parley::agent
