// Results of programs that write their members in the other case: understood, and written back as
// they came.
#include <gtest/gtest.h>

#include "wire/codec/codec.hpp"
#include "wire/messages/messages.hpp"

namespace parley {
namespace {

constexpr std::string_view kSnake =
    R"({"type":"result","subtype":"success","sessionId":"s-1","isError":false,"durationMs":15234,)"
    R"("durationApiMs":900.5,"numTurns":5,"result":"done","stopReason":"end_turn",)"
    R"("totalCostUsd":0.25,"usage":{"inputTokens":12,"outputTokens":3,"cacheReadInputTokens":8,)"
    R"("cacheCreationInputTokens":1},"model_usage":{"m-1":{"input_tokens":100,"output_tokens":50,)"
    R"("cache_read_input_tokens":7,"cache_creation_input_tokens":6,"web_search_requests":1,)"
    R"("cost_usd":0.25,"context_window":200000,"max_output_tokens":64000,"thinking_tokens":2}},)"
    R"("permissionDenials":[]})";

ResultMessage result_of(std::string_view line) {
  auto message = decode_message(line);
  EXPECT_TRUE(message) << message.error().what();
  return message ? std::get<ResultMessage>(*message) : ResultMessage{};
}

/// Decoding and encoding gives an equal value, as long as nothing was changed.
void expect_lossless(std::string_view line) {
  const auto message = decode_message(line);
  ASSERT_TRUE(message) << message.error().what();
  Json before = Json::parse(line).value();
  Json after = Json::parse(encode_message(*message)).value();
  EXPECT_EQ(before, after) << encode_message(*message);
}

TEST(Dialects, AResultInTheOtherCase) {
  const ResultMessage result = result_of(kSnake);
  EXPECT_EQ(result.session_id, "s-1");
  EXPECT_EQ(result.is_error, false);
  EXPECT_EQ(result.duration_ms, 15234);
  EXPECT_EQ(result.duration_api_ms, 900.5);
  EXPECT_EQ(result.num_turns, 5);
  EXPECT_EQ(result.stop_reason, "end_turn");
  EXPECT_EQ(result.total_cost_usd, 0.25);
  ASSERT_TRUE(result.usage);
  EXPECT_EQ(result.usage->input_tokens, 12);
  EXPECT_EQ(result.usage->output_tokens, 3);
  EXPECT_EQ(result.usage->cache_read_input_tokens, 8);
  EXPECT_EQ(result.usage->cache_creation_input_tokens, 1);
  ASSERT_TRUE(result.modelUsage && result.modelUsage->find("m-1") != nullptr);
  const ModelUsage& usage = *result.modelUsage->find("m-1");
  EXPECT_EQ(usage.inputTokens, 100);
  EXPECT_EQ(usage.outputTokens, 50);
  EXPECT_EQ(usage.cacheReadInputTokens, 7);
  EXPECT_EQ(usage.cacheCreationInputTokens, 6);
  EXPECT_EQ(usage.webSearchRequests, 1);
  EXPECT_EQ(usage.costUSD, 0.25);
  EXPECT_EQ(usage.contextWindow, 200000);
  EXPECT_EQ(usage.maxOutputTokens, 64000);
  EXPECT_EQ(usage.thinkingTokens, 2);
  expect_lossless(kSnake);
}

TEST(Dialects, EitherNameInEitherPlace) {
  for (const char* outer : {"modelUsage", "model_usage"}) {
    for (const char* inner :
         {R"("costUSD":1.5,"inputTokens":2)", R"("cost_usd":1.5,"input_tokens":2)",
          R"("costUSD":1.5,"input_tokens":2)"}) {
      const std::string line = R"({"type":"result","subtype":"success",")" + std::string(outer) +
                               R"(":{"m":{)" + inner + "}}}";
      const ResultMessage result = result_of(line);
      ASSERT_TRUE(result.modelUsage && result.modelUsage->find("m") != nullptr) << line;
      EXPECT_EQ(result.modelUsage->find("m")->costUSD, 1.5) << line;
      EXPECT_EQ(result.modelUsage->find("m")->inputTokens, 2) << line;
      expect_lossless(line);
    }
  }
}

TEST(Dialects, NothingIsLostOfOddOnes) {
  for (
      const char* line : {
          R"({"type":"result","subtype":"success","modelUsage":{},"model_usage":{"m":{"cost_usd":1}}})",
          R"({"type":"result","subtype":"success","model_usage":null})",
          R"({"type":"result","subtype":"success","total_cost_usd":1,"totalCostUsd":2})",
          R"({"type":"result","subtype":"success","totalCostUsd":1e400})",
          R"({"type":"result","subtype":"success","sessionId":"","usage":{"inputTokens":1.0}})",
          R"({"type":"result","subtype":"success","model_usage":{"m":{"cost_usd":null,"other":1}}})",
      }) {
    expect_lossless(line);
  }
}

TEST(Dialects, AChangedMemberIsWrittenOnce) {
  ResultMessage result = result_of(R"({"type":"result","subtype":"success","totalCostUsd":1})");
  result.total_cost_usd = 2;
  const Json written = Json::parse(encode_message(Message(std::move(result)))).value();
  const Json* snake = written.find("total_cost_usd");
  const Json* camel = written.find("totalCostUsd");
  ASSERT_NE(snake == nullptr, camel == nullptr);
  EXPECT_EQ((snake != nullptr ? snake : camel)->as_double(), 2);
}

}  // namespace
}  // namespace parley
