// How a turn ends: with a result, an error, an interrupt, or because there was enough of it.
#include "agent/tools/structured_output.hpp"
#include "agent/turn/turn.hpp"
#include "agent/uuid.hpp"

namespace parley::agent {
namespace {

using std::chrono::steady_clock;

constexpr const char* kStructuredTries = "MAX_STRUCTURED_OUTPUT_RETRIES";
constexpr std::int64_t kUsualStructuredTries = 5;

}  // namespace

bool Turn::over_budget() {
  if (!session_.flags.max_budget_usd || session_.cost.total() < *session_.flags.max_budget_usd) {
    return false;
  }
  result_.subtype = ResultSubtype::error_max_budget_usd;
  result_.is_error = true;
  result_.terminal_reason = TerminalReason::budget_exhausted;
  std::string amount = std::to_string(*session_.flags.max_budget_usd);
  amount.erase(amount.find_last_not_of('0') + 1);
  if (amount.ends_with('.')) amount.pop_back();
  result_.errors = std::vector<std::string>{"Reached maximum budget ($" + amount + ")"};
  return true;
}

/// A model that cannot keep to the schema does not get better: after some calls the turn ends.
bool Turn::structured_output_fails(const ToolRuns& tools) {
  if (!session_.structured_output()) return false;
  std::string last;
  for (const ToolRun& run : tools.runs()) {
    if (run.call.name != kStructuredOutput) continue;
    ++structured_tries_;
    if (const auto* text = std::get_if<std::string>(&*run.block.content)) last = *text;
  }
  const std::int64_t most = session_.number_in(kStructuredTries).value_or(kUsualStructuredTries);
  if (structured_tries_ < most) return false;
  result_.subtype = ResultSubtype::error_max_structured_output_retries;
  result_.is_error = true;
  result_.terminal_reason = TerminalReason::structured_output_retry_exhausted;
  result_.errors = std::vector<std::string>{
      "Failed to provide valid structured output after " + std::to_string(most) +
      " attempts \u2014 last StructuredOutput error: " + last};
  return true;
}

void Turn::interrupted(ModelResponse& answer) {
  cancelled_ = true;
  say_synthetic("[Request interrupted by user]");
  answer.close_after_interrupt();
  result_.subtype = ResultSubtype::error_during_execution;
  result_.is_error = true;
  result_.terminal_reason = TerminalReason::aborted_streaming;
  result_.errors = std::vector<std::string>{"The turn was interrupted while the model answered."};
}

void Turn::fail_max_tokens() {
  const std::string text =
      "API Error: the answer is longer than the limit of tokens for one message. The environment "
      "variable CLAUDE_CODE_MAX_OUTPUT_TOKENS sets that limit.";
  AssistantMessage message = synthetic_answer(text);
  message.error = AssistantError::max_output_tokens;
  message.is_api_error_message = true;
  message.api_error = "max_output_tokens";
  session_.output.send(std::move(message));
  result_.is_error = true;
  result_.result = text;
  result_.stop_reason = "stop_sequence";
  result_.api_error = "max_output_tokens";
  result_.terminal_reason = TerminalReason::api_error;
}

void Turn::finish() {
  const auto took =
      std::chrono::duration_cast<std::chrono::milliseconds>(steady_clock::now() - clock_.started);
  result_.duration_ms = static_cast<double>(took.count());
  result_.duration_api_ms = static_cast<double>(clock_.in_api.count());
  result_.num_turns = turns_;
  if (!result_.stop_reason) write_null(result_.extra, "stop_reason");
  result_.total_cost_usd = session_.cost.total();
  result_.usage = usage_;
  result_.modelUsage = session_.cost.by_model();
  if (!result_.permission_denials) result_.permission_denials.emplace();
  // What was put off is no answer: nothing is said of how the API did.
  if (!result_.deferred_tool_use) {
    if (result_.subtype == ResultSubtype::success && !result_.api_error_status) {
      write_null(result_.extra, "api_error_status");
    }
    result_.ttft_ms = clock_.first_token_ms;
  }
  result_.queued_turn_count = static_cast<std::int64_t>(session_.prompts.size());
  result_.result_index = session_.results++;
  result_.model_usage_since_last_result = session_.take_cost_since_result();
  if (!prompts_.empty() && !prompts_.back().uuid.empty()) {
    result_.user_message_uuid = prompts_.back().uuid;
  }
  session_.change_totals([&](SessionTotals& totals) { totals.in_api += clock_.in_api; });
  session_.write_cost();
  session_.transcript->sync();
  session_.output.send(result_);
}

}  // namespace parley::agent
