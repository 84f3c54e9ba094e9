// The loop of a turn: the model responds, its tool calls run, the model hears of their results, and
// so on until it has nothing more to do or something ends it. A subagent runs the same loop with a
// context of its own.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "../session/deferred_call.hpp"
#include "model_response.hpp"
#include "tools/tool_runs.hpp"
#include "turn_record.hpp"

namespace parley::agent {

/// Of the thread that runs the turn.
class AgentLoop {
 public:
  /// Writes what it comes to into `record`.
  AgentLoop(TurnContext& context, TurnRecord& record, std::stop_token stop)
      : context_(context), record_(record), stop_(std::move(stop)) {}

  /// Called after tools have run, before the model is asked again.
  void before_next_request(std::function<void()> callback) { callback_ = std::move(callback); }

  /// From the conversation as it is to the end of the turn.
  void run();
  /// Carries out a call that the conversation ends with. Whether the model is to go on with its
  /// result; if not, the record says how the turn ends.
  bool run_call(const DeferredCall& call);

 private:
  /// Whether the loop goes on with another request.
  enum class Next { go_on, end };
  /// Calls that wait until it is known whether the response was within the budget.
  using HeldCalls = std::vector<std::pair<ToolUseBlock, std::string>>;

  Next step();
  Next after_response(ModelResponse& response);
  Next after_tools(const ToolRuns& tools);
  Next after_cut(const ModelResponse& response);
  Next after_last_response(const ModelResponse& response);
  Next run_stop_hooks(const ModelResponse& response);
  [[nodiscard]] HookInput end_event(const ModelResponse& response) const;

  // What the conversation is told (loop_messages.cpp).
  void append_response(const ModelResponse& response);
  void append_results(const ToolRuns& tools);
  void append_unexecuted(const HeldCalls& calls);
  void append_synthetic(const std::string& text, std::optional<std::string> refused_id = {});

  // How the turn ends (loop_ends.cpp).
  bool over_budget();
  bool over_max_turns();
  bool ended_by_tools(const ToolRuns& tools);
  bool structured_output_fails(const ToolRuns& tools);
  void interrupted(ModelResponse& response);
  void failed(const ModelResponse& response);
  void failed_by_max_tokens();

  TurnContext& context_;
  TurnRecord& record_;
  std::stop_token stop_;
  std::function<void()> callback_;

  int continuations_ = 0;  ///< After max_tokens.
  int pauses_ = 0;
  int empty_responses_ = 0;
  int cuts_ = 0;
  std::int64_t structured_tries_ = 0;  ///< Calls of StructuredOutput that failed.
  bool stop_hook_active_ = false;
  bool reminded_ = false;  ///< The model was told to use StructuredOutput.
};

}  // namespace parley::agent
