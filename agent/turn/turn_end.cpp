// The result of a turn.
#include "agent/connection/message_parts.hpp"
#include "agent/turn/turn.hpp"

namespace parley::agent {
namespace {

SubagentStats stats_of(const AgentCounts& counts) {
  SubagentStats stats;
  stats.spawned = counts.made();
  stats.requested = SubagentRequested{counts.background, counts.foreground, counts.unset, {}};
  stats.started_in_background = counts.started_in_background;
  stats.max_depth = counts.deepest;
  stats.spawned_by_subagents = counts.made_by_agents;
  stats.completed = counts.completed;
  stats.failed = counts.failed;
  stats.killed = SubagentKilled{counts.killed_with_turn, counts.killed, 0, {}};
  stats.refused = SubagentRefused{0, 0, 0, {}};
  Map<std::int64_t> by_type;
  for (const auto& [type, count] : counts.by_type) by_type[type] = count;
  stats.by_type = std::move(by_type);
  return stats;
}

}  // namespace

/// The tool that a hook put off is not there any more. It stays to be carried out, by a session
/// that has the tool.
void Turn::report_unavailable(const DeferredCall& deferred) {
  record_.cancelled = true;
  record_.turns = 0;
  ResultMessage& result = record_.result;
  result.is_error = true;
  result.stop_reason = "tool_deferred_unavailable";
  result.terminal_reason = TerminalReason::tool_deferred_unavailable;
  result.deferred_tool_use =
      DeferredToolUse{deferred.call.id, deferred.call.name, deferred.call.input, {}};
  result.result = deferred.call.name +
                  " isn't available, so its deferred call didn't run. Resume the session with the "
                  "tool, or with a prompt and CLAUDE_CODE_DROP_UNAVAILABLE_DEFERRED_TOOL=1 to drop "
                  "the call.";
}

void Turn::send_result() {
  using std::chrono::milliseconds;
  const TurnClock& clock = record_.clock;
  ResultMessage& result = record_.result;
  const auto took =
      std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - clock.started);
  result.duration_ms = static_cast<double>(took.count());
  result.duration_api_ms = static_cast<double>(clock.in_api.count());
  result.num_turns = record_.turns;
  if (!result.stop_reason) write_null(result.extra, "stop_reason");
  result.total_cost_usd = context_.cost.total();
  result.usage = record_.usage;
  result.modelUsage = context_.cost.by_model();
  if (!result.permission_denials) result.permission_denials.emplace();
  // What was put off is no answer: nothing is said of how the API did.
  if (!result.deferred_tool_use) {
    if (result.subtype == ResultSubtype::success && !result.api_error_status) {
      write_null(result.extra, "api_error_status");
    }
    if (!result.is_error.value_or(false)) {
      result.ttft_ms = clock.first_token_ms;
      if (clock.stream_ms) {
        result.ttft_stream_ms = clock.stream_ms;
        result.time_to_request_ms = clock.request_ms;
        result.first_content_frame_ms = clock.content_ms;
      }
    }
  }
  result.fast_mode_state = FastModeState::off;
  result.fast_mode_disabled_reason = FastModeDisabledReason::sdk_opt_in_required;
  result.safety_stops = record_.refusals;
  // The real one says so whatever waits: prompts in the queue are not turns yet.
  result.queued_turn_count = 0;
  result.model_usage_since_last_result = context_.cost.take_unreported();
  if (!prompts_.empty()) {
    if (!prompts_.back().uuid.empty()) result.user_message_uuid = prompts_.back().uuid;
    result.origin = prompts_.back().origin;
  }
  context_.totals.change([&](SessionTotals& totals) {
    result.result_index = totals.results++;
    result.subagent_stats = stats_of(totals.agents);
    auto& denials = *result.permission_denials;
    denials.insert(denials.end(), totals.agent_denials.begin(), totals.agent_denials.end());
    totals.agent_denials.clear();
    totals.in_api += clock.in_api;
  });
  context_.transcript.note(context_.cost.line());
  context_.transcript.sync();
  context_.messages.send(result);
}

}  // namespace parley::agent
