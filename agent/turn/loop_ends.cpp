// How the loop ends: by its tools, an error, an interrupt, or because there was enough of it. Each
// writes into the record what the result says of it.
#include "agent/connection/message_parts.hpp"
#include "agent/tools/structured_output.hpp"
#include "agent/turn/agent_loop.hpp"

namespace parley::agent {
namespace {

/// "0.5" of 0.5, "2" of 2.
std::string dollars(double amount) {
  std::string text = std::to_string(amount);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

void fail(ResultMessage& result, ResultSubtype subtype, TerminalReason reason, std::string error) {
  result.subtype = subtype;
  result.is_error = true;
  result.terminal_reason = reason;
  result.errors = std::vector<std::string>{std::move(error)};
}

}  // namespace

bool AgentLoop::over_budget() {
  const std::optional<double>& budget = context_.options.max_budget_usd;
  if (!budget || context_.cost.total() < *budget) return false;
  fail(record_.result, ResultSubtype::error_max_budget_usd, TerminalReason::budget_exhausted,
       "Reached maximum budget ($" + dollars(*budget) + ")");
  return true;
}

bool AgentLoop::over_max_turns() {
  const std::optional<std::int64_t>& most = context_.options.max_turns;
  if (!most || record_.responses < *most) return false;
  fail(record_.result, ResultSubtype::error_max_turns, TerminalReason::max_turns,
       "Reached maximum number of turns (" + std::to_string(*most) + ")");
  return true;
}

/// Whether the calls end the turn.
bool AgentLoop::ended_by_tools(const ToolRuns& tools) {
  const CallNotes::Summary summary = tools.summary();
  ResultMessage& result = record_.result;
  if (summary.interrupted) {
    append_synthetic("[Request interrupted by user for tool use]");
    record_.cancelled = true;
    fail(result, ResultSubtype::error_during_execution, TerminalReason::aborted_tools,
         "The turn was interrupted while tools were running.");
    return true;
  }
  if (const ToolRun* const run = tools.deferred()) {
    result.result = "";
    result.stop_reason = "tool_deferred";
    result.terminal_reason = TerminalReason::tool_deferred;
    result.deferred_tool_use = DeferredToolUse{run->call.id, run->call.name, run->call.input, {}};
    return true;
  }
  if (summary.structured_output) {
    result.structured_output = *summary.structured_output;
    result.result = summary.structured_output->json().value().dump();
    result.terminal_reason = TerminalReason::completed;
    return true;
  }
  if (summary.stopped_by_hook) {
    result.result = "";
    result.terminal_reason = TerminalReason::hook_stopped;
    return true;
  }
  return false;
}

/// A model that cannot keep to the schema does not get better: after some calls the turn ends.
bool AgentLoop::structured_output_fails(const ToolRuns& tools) {
  if (!context_.tools.structured_output()) return false;
  std::string last;
  for (const ToolRun& run : tools.runs()) {
    if (run.call.name != kStructuredOutput) continue;
    ++structured_tries_;
    if (const auto* text = std::get_if<std::string>(&*run.block.content)) last = *text;
  }
  const std::int64_t most = context_.options.structured_output_tries;
  if (structured_tries_ < most) return false;
  fail(record_.result, ResultSubtype::error_max_structured_output_retries,
       TerminalReason::structured_output_retry_exhausted,
       "Failed to provide valid structured output after " + std::to_string(most) +
           " attempts \u2014 last StructuredOutput error: " + last);
  return true;
}

void AgentLoop::interrupted(ModelResponse& response) {
  record_.cancelled = true;
  append_synthetic("[Request interrupted by user]");
  response.close_after_interrupt();
  fail(record_.result, ResultSubtype::error_during_execution, TerminalReason::aborted_streaming,
       "The turn was interrupted while the model answered.");
}

void AgentLoop::failed(const ModelResponse& response) {
  ResultMessage& result = record_.result;
  result.is_error = true;
  result.result = response.error()->text;
  result.stop_reason = "stop_sequence";
  result.terminal_reason = response.error()->reason;
  if (response.outcome().status != 0) result.api_error_status = response.outcome().status;
  if (!response.outcome().error_type.empty()) {
    result.api_error_type = response.outcome().error_type;
  }
}

void AgentLoop::failed_by_max_tokens() {
  const std::string text =
      "API Error: the answer is longer than the limit of tokens for one message. The environment "
      "variable CLAUDE_CODE_MAX_OUTPUT_TOKENS sets that limit.";
  AssistantMessage message = synthetic_answer(text);
  message.error = AssistantError::max_output_tokens;
  message.is_api_error_message = true;
  message.api_error = "max_output_tokens";
  context_.messages.send(std::move(message));
  ResultMessage& result = record_.result;
  result.is_error = true;
  result.result = text;
  result.stop_reason = "stop_sequence";
  result.api_error = "max_output_tokens";
  result.terminal_reason = TerminalReason::api_error;
}

}  // namespace parley::agent
