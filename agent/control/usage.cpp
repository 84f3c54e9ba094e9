// What the session has come to: time, money, tokens, lines.
#include <cstdio>

#include "agent/control/requests.hpp"
#include "wire/control/control.hpp"

namespace parley::agent::requests {
namespace {

std::string dollars(double amount) {
  char text[64];
  std::snprintf(text, sizeof text, "$%.4f", amount);
  return text;
}

/// "1h 2m 3s", "2m 3s", "3s".
std::string duration(std::int64_t milliseconds) {
  const std::int64_t seconds = milliseconds / 1000;
  std::string text = std::to_string(seconds % 60) + "s";
  if (seconds >= 60) text = std::to_string(seconds / 60 % 60) + "m " + text;
  if (seconds >= 3600) text = std::to_string(seconds / 3600) + "h " + text;
  return text;
}

control::GetUsageReply usage_so_far(const ControlContext& context) {
  const SessionTotals totals = context.totals.copy();
  control::GetUsageReply reply;
  reply.session.total_cost_usd = context.cost.total();
  reply.session.total_api_duration_ms = totals.in_api.count();
  reply.session.total_duration_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                                        std::chrono::steady_clock::now() - totals.started)
                                        .count();
  reply.session.total_lines_added = totals.lines.added;
  reply.session.total_lines_removed = totals.lines.removed;
  reply.session.model_usage = context.cost.by_model();
  return reply;
}

}  // namespace

ControlReply get_usage(ControlContext& context, const control::GetUsage& /*request*/) {
  return encoded(usage_so_far(context));
}

ControlReply get_session_cost(ControlContext& context, const control::GetSessionCost& /*request*/) {
  const control::SessionUsage usage = usage_so_far(context).session;
  std::string text = "Total cost:            " + dollars(*usage.total_cost_usd) +
                     "\nTime in the API:       " + duration(*usage.total_api_duration_ms) +
                     "\nTime since the start:  " + duration(*usage.total_duration_ms) +
                     "\nLines of code:         " + std::to_string(*usage.total_lines_added) +
                     " added, " + std::to_string(*usage.total_lines_removed) + " removed";
  for (const auto& [model, used] : *usage.model_usage) {
    const auto tokens = [](const std::optional<std::int64_t>& count) {
      return std::to_string(count.value_or(0));
    };
    text += "\n  " + model + ": " + tokens(used.inputTokens) + " tokens in, " +
            tokens(used.outputTokens) + " out, " + tokens(used.cacheReadInputTokens) +
            " from the cache, " + tokens(used.cacheCreationInputTokens) + " into it (" +
            dollars(used.costUSD.value_or(0)) + ")";
  }
  return body(Json::object({{"text", text}}));
}

}  // namespace parley::agent::requests
