// Access, retries and costs: the values around a request.
#include <gtest/gtest.h>

#include "agent/api/api_access.hpp"
#include "agent/api/api_outcome.hpp"
#include "agent/api/cost_ledger.hpp"
#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

using Kind = ApiOutcome::Kind;
using std::chrono::milliseconds;

TEST(ApiAccess, ReadsTheEnvironment) {
  const ApiAccess access = ApiAccess::from({
      {"ANTHROPIC_BASE_URL", "http://127.0.0.1:9//"},
      {"ANTHROPIC_API_KEY", " key\n"},
      {"ANTHROPIC_AUTH_TOKEN", "token"},
      {"ANTHROPIC_CUSTOM_HEADERS", "X-One: 1\nX-Two:2\r\nnonsense\nBad Name: 3\n: 4\nX-Five:"},
      {"ANTHROPIC_BETAS", "a, b,,"},
      {"API_TIMEOUT_MS", "1500"},
      {"CLAUDE_CODE_MAX_RETRIES", "2"},
      {"HTTPS_PROXY", "http://proxy:1"},
      {"NO_PROXY", "localhost"},
      {"NODE_EXTRA_CA_CERTS", "/ca.pem"},
  });
  using Headers = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(access.base_url, "http://127.0.0.1:9");
  EXPECT_EQ(access.auth_token, "token");
  EXPECT_EQ(access.headers, (Headers{{"X-One", "1"}, {"X-Two", "2"}, {"X-Five", ""}}));
  EXPECT_EQ(access.betas, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(access.limits.first_byte, milliseconds(1500));
  EXPECT_EQ(access.limits.connect, milliseconds(1500));
  EXPECT_EQ(access.max_retries, 2);
  EXPECT_EQ(access.proxy, "http://proxy:1");
  EXPECT_EQ(access.no_proxy, "localhost");
  EXPECT_EQ(access.ca_file, "/ca.pem");
  EXPECT_TRUE(access.has_credentials());
}

TEST(ApiAccess, TakesBadValuesForMissing) {
  const ApiAccess access = ApiAccess::from(
      {{"API_TIMEOUT_MS", "soon"}, {"CLAUDE_CODE_MAX_RETRIES", "-1"}, {"ANTHROPIC_BASE_URL", ""}});
  EXPECT_EQ(access.base_url, "https://api.anthropic.com");
  EXPECT_EQ(access.limits.first_byte, milliseconds(600'000));
  EXPECT_EQ(access.max_retries, 10);
  EXPECT_FALSE(access.has_credentials());
  EXPECT_EQ(ApiAccess::from({{"CLAUDE_CODE_MAX_RETRIES", "0"}}).max_retries, 0);
}

ApiOutcome failed(Kind kind, int status = 0, std::string type = {}) {
  ApiOutcome outcome;
  outcome.kind = kind;
  outcome.status = status;
  outcome.error_type = std::move(type);
  return outcome;
}

TEST(RetryPolicy, TriesAgainWhatMayPass) {
  const RetryPolicy policy;
  for (const int status : {408, 409, 429, 500, 502, 503, 504, 529}) {
    EXPECT_TRUE(policy.wait(failed(Kind::http, status), 1)) << status;
  }
  for (const int status : {302, 400, 401, 403, 404, 413, 422}) {
    EXPECT_FALSE(policy.wait(failed(Kind::http, status), 1)) << status;
  }
  EXPECT_TRUE(policy.wait(failed(Kind::connect), 1));
  EXPECT_TRUE(policy.wait(failed(Kind::cut), 1));
  EXPECT_TRUE(policy.wait(failed(Kind::event, 200, "overloaded_error"), 1));
  EXPECT_FALSE(policy.wait(failed(Kind::event, 200, "invalid_request_error"), 1));
  EXPECT_FALSE(policy.wait(failed(Kind::malformed), 1));
  EXPECT_FALSE(policy.wait(failed(Kind::cancelled), 1));
  EXPECT_FALSE(policy.wait(failed(Kind::done), 1));
}

TEST(RetryPolicy, WaitsTwiceAsLongEachTimeAndALittleMore) {
  const RetryPolicy policy{20};
  int expected = 500;
  for (int attempt = 1; attempt <= 20; ++attempt) {
    for (int i = 0; i < 50; ++i) {
      const auto wait = policy.wait(failed(Kind::http, 529), attempt);
      ASSERT_TRUE(wait);
      EXPECT_GE(wait->count(), expected);
      EXPECT_LE(wait->count(), expected + expected / 4);
    }
    expected = std::min(expected * 2, 32'000);
  }
  EXPECT_FALSE(policy.wait(failed(Kind::http, 529), 21));
  EXPECT_FALSE(RetryPolicy{0}.wait(failed(Kind::http, 529), 1));
}

TEST(RetryPolicy, ListensToTheServer) {
  const RetryPolicy policy;
  ApiOutcome outcome = failed(Kind::http, 429);
  outcome.retry_after = milliseconds(1000);
  EXPECT_EQ(policy.wait(outcome, 1), milliseconds(1000));
  outcome.retry_after = milliseconds(0);
  EXPECT_GE(*policy.wait(outcome, 1), milliseconds(500));
  outcome.retry_after = std::chrono::hours(24);
  EXPECT_LE(*policy.wait(outcome, 1), std::chrono::minutes(5));
  outcome.headers["x-should-retry"] = "false";
  EXPECT_FALSE(policy.wait(outcome, 1));
  outcome = failed(Kind::http, 400);
  outcome.headers["x-should-retry"] = "true";
  EXPECT_TRUE(policy.wait(outcome, 1));
}

Usage usage(std::string_view json) { return *decode<Usage>(json); }

TEST(CostLedger, AgreesWithTheRecordings) {
  CostLedger ledger;
  EXPECT_DOUBLE_EQ(ledger.add("claude-opus-5-5", usage(R"({"input_tokens":10,)"
                                                       R"("output_tokens":20})")),
                   0.00044);
  EXPECT_DOUBLE_EQ(ledger.add("claude-haiku-4-5-20251001", usage(R"({"input_tokens":10,)"
                                                                 R"("output_tokens":20})")),
                   0.00011);
  EXPECT_DOUBLE_EQ(
      ledger.add("claude-haiku-5-5", usage(R"({"input_tokens":10,"output_tokens":20})")), 0.000011);
  EXPECT_DOUBLE_EQ(
      ledger.add("claude-opus-5-5", usage(R"({"input_tokens":5,"cache_creation_input_tokens":1000,)"
                                          R"("cache_read_input_tokens":2000,"output_tokens":50})")),
      0.00642);
  EXPECT_DOUBLE_EQ(ledger.total(), 0.00044 + 0.00011 + 0.000011 + 0.00642);

  const Map<ModelUsage> models = ledger.by_model();
  ASSERT_EQ(models.size(), 3U);
  EXPECT_EQ(models.entries[0].first, "claude-opus-5-5");
  EXPECT_EQ(encode(models.entries[1].second),
            R"({"inputTokens":10,"outputTokens":20,"cacheReadInputTokens":0,)"
            R"("cacheCreationInputTokens":0,"webSearchRequests":0,"costUSD":0.00011,)"
            R"("contextWindow":200000,"maxOutputTokens":32000,"thinkingTokens":0,)"
            R"("cacheCreationEphemeral5mInputTokens":0,"cacheCreationEphemeral1hInputTokens":0,)"
            R"("canonicalModel":"claude-haiku-4-5","provider":"firstParty","costBasis":"list"})");
}

TEST(CostLedger, CountsEveryKindOfToken) {
  CostLedger ledger;
  EXPECT_DOUBLE_EQ(
      ledger.add("claude-opus-5-5",
                 usage(R"({"input_tokens":0,"output_tokens":0,"cache_creation_input_tokens":3000,)"
                       R"("cache_creation":{"ephemeral_5m_input_tokens":1000,)"
                       R"("ephemeral_1h_input_tokens":2000},)"
                       R"("server_tool_use":{"web_search_requests":2},)"
                       R"("output_tokens_details":{"thinking_tokens":7}})")),
      0.005 + 0.016);
  const ModelUsage entry = ledger.by_model().entries[0].second;
  EXPECT_EQ(entry.cacheCreationInputTokens, 3000);
  EXPECT_EQ(entry.cacheCreationEphemeral5mInputTokens, 1000);
  EXPECT_EQ(entry.cacheCreationEphemeral1hInputTokens, 2000);
  EXPECT_EQ(entry.webSearchRequests, 2);
  EXPECT_EQ(entry.thinkingTokens, 7);
}

TEST(CostLedger, ChargesMoreForLongPromptsWhereTheModelDoes) {
  const auto cost = [](std::string_view json) {
    return CostLedger().add("claude-haiku-5-5", usage(json));
  };
  EXPECT_DOUBLE_EQ(cost(R"({"input_tokens":100000,"output_tokens":0})"), 0.01);
  EXPECT_DOUBLE_EQ(cost(R"({"input_tokens":100001,"output_tokens":0})"), 0.0500005);
  EXPECT_DOUBLE_EQ(
      cost(R"({"input_tokens":50000,"cache_read_input_tokens":60000,"output_tokens":0})"), 0.028);
}

TEST(CostLedger, TakesUnknownModelsForTheDefaultOne) {
  CostLedger ledger;
  EXPECT_DOUBLE_EQ(ledger.add("mine", usage(R"({"input_tokens":10,"output_tokens":20})")), 0.00044);
  const ModelUsage entry = ledger.by_model().entries[0].second;
  EXPECT_EQ(entry.costBasis, "unknown");
  EXPECT_EQ(entry.canonicalModel, "mine");
  EXPECT_EQ(entry.contextWindow, 1'000'000);
}

}  // namespace
}  // namespace parley::agent
