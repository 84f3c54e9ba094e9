// Tokens and money, as the Messages API and the CLI count them.
#pragma once

#include <cstdint>

#include "../codec/values.hpp"

namespace parley {

struct CacheCreation {
  std::optional<std::int64_t> ephemeral_1h_input_tokens;
  std::optional<std::int64_t> ephemeral_5m_input_tokens;
  Extra extra;
  bool operator==(const CacheCreation&) const = default;
};

struct ServerToolUse {
  std::optional<std::int64_t> web_search_requests;
  std::optional<std::int64_t> web_fetch_requests;
  Extra extra;
  bool operator==(const ServerToolUse&) const = default;
};

struct OutputTokensDetails {
  std::optional<std::int64_t> thinking_tokens;
  Extra extra;
  bool operator==(const OutputTokensDetails&) const = default;
};

/// Tokens of one API message, or of one turn in a result.
struct Usage {
  std::optional<std::int64_t> input_tokens;
  std::optional<std::int64_t> cache_creation_input_tokens;
  std::optional<std::int64_t> cache_read_input_tokens;
  std::optional<std::int64_t> output_tokens;
  Optional<OutputTokensDetails> output_tokens_details;
  Optional<ServerToolUse> server_tool_use;
  std::optional<std::string> service_tier;
  Optional<CacheCreation> cache_creation;
  std::optional<std::string> inference_geo;
  std::optional<std::vector<RawJson>> iterations;
  std::optional<std::string> speed;
  std::optional<RawJson> fallback_credit;
  Extra extra;
  bool operator==(const Usage&) const = default;
};

/// Tokens and cost of one model in one process, summed over its turns.
struct ModelUsage {
  std::optional<std::int64_t> inputTokens;
  std::optional<std::int64_t> outputTokens;
  std::optional<std::int64_t> cacheReadInputTokens;
  std::optional<std::int64_t> cacheCreationInputTokens;
  std::optional<std::int64_t> webSearchRequests;
  std::optional<double> costUSD;
  std::optional<std::int64_t> contextWindow;
  std::optional<std::int64_t> maxOutputTokens;
  std::optional<std::int64_t> thinkingTokens;
  std::optional<std::int64_t> cacheCreationEphemeral5mInputTokens;
  std::optional<std::int64_t> cacheCreationEphemeral1hInputTokens;
  std::optional<std::string> canonicalModel;
  std::optional<std::string> provider;
  std::optional<std::string> costBasis;
  Extra extra;
  bool operator==(const ModelUsage&) const = default;
};

PARLEY_CODEC(Usage)
PARLEY_CODEC(ModelUsage)

}  // namespace parley
