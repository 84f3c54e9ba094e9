#include "agent/turn/turn_record.hpp"

#include "support/random.hpp"

namespace parley::agent {

void TurnClock::note(std::optional<double>& when) const {
  using std::chrono::milliseconds;
  if (when) return;
  const auto now = std::chrono::steady_clock::now();
  when = static_cast<double>(std::chrono::duration_cast<milliseconds>(now - started).count());
}

TurnRecord TurnRecord::begin() {
  TurnRecord record;
  record.prompt_id = make_uuid();
  add_usage(record.usage, Usage{});
  record.result.subtype = ResultSubtype::success;
  record.result.is_error = false;
  return record;
}

void add_usage(Usage& sum, const Usage& more) {
  const auto add = [](std::optional<std::int64_t>& to, const std::optional<std::int64_t>& value) {
    to = to.value_or(0) + value.value_or(0);
  };
  add(sum.input_tokens, more.input_tokens);
  add(sum.output_tokens, more.output_tokens);
  add(sum.cache_creation_input_tokens, more.cache_creation_input_tokens);
  add(sum.cache_read_input_tokens, more.cache_read_input_tokens);
  if (!sum.cache_creation) sum.cache_creation.emplace();
  const CacheCreation created = more.cache_creation.value_or(CacheCreation{});
  add(sum.cache_creation->ephemeral_1h_input_tokens, created.ephemeral_1h_input_tokens);
  add(sum.cache_creation->ephemeral_5m_input_tokens, created.ephemeral_5m_input_tokens);
  if (!sum.server_tool_use) sum.server_tool_use.emplace();
  const ServerToolUse used = more.server_tool_use.value_or(ServerToolUse{});
  add(sum.server_tool_use->web_search_requests, used.web_search_requests);
  add(sum.server_tool_use->web_fetch_requests, used.web_fetch_requests);
  sum.service_tier = more.service_tier.value_or("standard");
  sum.speed = more.speed.value_or("standard");
  if (!sum.iterations) sum.iterations.emplace();
}

}  // namespace parley::agent
