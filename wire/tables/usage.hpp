// Field tables of wire/messages/usage.hpp.
#pragma once

#include "../codec/codec.hpp"
#include "../messages/usage.hpp"

namespace parley {

PARLEY_FIELDS(CacheCreation, ephemeral_1h_input_tokens, ephemeral_5m_input_tokens)
PARLEY_FIELDS(ServerToolUse, web_search_requests, web_fetch_requests)
PARLEY_FIELDS(OutputTokensDetails, thinking_tokens)
PARLEY_FIELDS(Usage, input_tokens, cache_creation_input_tokens, cache_read_input_tokens,
              output_tokens, output_tokens_details, server_tool_use, service_tier, cache_creation,
              inference_geo, iterations, speed, fallback_credit)
PARLEY_FIELDS(ModelUsage, inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens,
              webSearchRequests, costUSD, contextWindow, maxOutputTokens, thinkingTokens,
              cacheCreationEphemeral5mInputTokens, cacheCreationEphemeral1hInputTokens,
              canonicalModel, provider, costBasis)

}  // namespace parley
