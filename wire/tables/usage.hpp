// Field tables of wire/messages/usage.hpp.
#pragma once

#include "../codec/codec.hpp"
#include "../messages/usage.hpp"

namespace parley {

PARLEY_FIELDS(CacheCreation, ephemeral_1h_input_tokens, ephemeral_5m_input_tokens)
PARLEY_FIELDS(ServerToolUse, web_search_requests, web_fetch_requests)
PARLEY_FIELDS(OutputTokensDetails, thinking_tokens)

// Other programs that speak the protocol write these in the other case; see docs/design/wire.md.
PARLEY_OFFSETS_BEGIN
constexpr auto parley_fields(Tag<Usage>) {
  return make_table<Usage>(
      "Usage", PARLEY_FIELD(Usage, input_tokens).alias("inputTokens"),
      PARLEY_FIELD(Usage, cache_creation_input_tokens).alias("cacheCreationInputTokens"),
      PARLEY_FIELD(Usage, cache_read_input_tokens).alias("cacheReadInputTokens"),
      PARLEY_FIELD(Usage, output_tokens).alias("outputTokens"),
      PARLEY_FIELD(Usage, output_tokens_details)
          PARLEY_EACH(PARLEY_ROW, Usage, server_tool_use, service_tier, cache_creation,
                      inference_geo, iterations, speed, fallback_credit));
}
constexpr auto parley_fields(Tag<ModelUsage>) {
  using T = ModelUsage;
  return make_table<T>(
      "ModelUsage", PARLEY_FIELD(T, inputTokens).alias("input_tokens"),
      PARLEY_FIELD(T, outputTokens).alias("output_tokens"),
      PARLEY_FIELD(T, cacheReadInputTokens).alias("cache_read_input_tokens"),
      PARLEY_FIELD(T, cacheCreationInputTokens).alias("cache_creation_input_tokens"),
      PARLEY_FIELD(T, webSearchRequests).alias("web_search_requests"),
      PARLEY_FIELD(T, costUSD).alias("cost_usd"),
      PARLEY_FIELD(T, contextWindow).alias("context_window"),
      PARLEY_FIELD(T, maxOutputTokens).alias("max_output_tokens"),
      PARLEY_FIELD(T, thinkingTokens).alias("thinking_tokens"),
      PARLEY_FIELD(T, cacheCreationEphemeral5mInputTokens) PARLEY_EACH(
          PARLEY_ROW, T, cacheCreationEphemeral1hInputTokens, canonicalModel, provider, costBasis));
}
PARLEY_OFFSETS_END

}  // namespace parley
