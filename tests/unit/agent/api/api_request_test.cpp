#include "agent/api/api_request.hpp"

#include <gtest/gtest.h>

#include "agent/api/models.hpp"
#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

Json parsed(const ApiRequest& request) {
  auto json = Json::parse(request.body());
  EXPECT_TRUE(json.ok()) << request.body();
  return json ? *json : Json();
}

MessageParam message(std::string role, std::string_view content) {
  return *decode<MessageParam>(R"({"role":")" + role + R"(","content":)" + std::string(content) +
                               "}");
}

ApiRequest small() {
  ApiRequest request;
  request.model = "claude-opus-5-5";
  request.messages = {message("user", R"("hi")")};
  return request;
}

const Json kMark = *Json::parse(R"({"type":"ephemeral"})");

TEST(ApiRequest, WritesWhatTheApiTakes) {
  ApiRequest request = small();
  request.system = {"You are an agent.", "", "Be \"good\"."};
  request.tools = {{"Bash", "runs", *Json::parse(R"({"type":"object"})")},
                   {"Read", "reads", *Json::parse(R"({"type":"object"})")}};
  request.session_id = "s-1";
  request.tool_choice = RawJson(R"({"type":"any"})");
  request.stop_sequences = {"STOP"};
  request.temperature = 0.5;
  const Json want = *Json::parse(R"({
    "model":"claude-opus-5-5","max_tokens":128000,
    "system":[{"type":"text","text":"You are an agent."},
              {"type":"text","text":"Be \"good\".","cache_control":{"type":"ephemeral"}}],
    "tools":[{"name":"Bash","description":"runs","input_schema":{"type":"object"}},
             {"name":"Read","description":"reads","input_schema":{"type":"object"},
              "cache_control":{"type":"ephemeral"}}],
    "messages":[{"role":"user","content":[{"type":"text","text":"hi",
                 "cache_control":{"type":"ephemeral"}}]}],
    "tool_choice":{"type":"any"},"thinking":{"type":"adaptive"},
    "output_config":{"effort":"medium"},"metadata":{"user_id":"{\"session_id\":\"s-1\"}"},
    "stop_sequences":["STOP"],"temperature":0.5,"stream":true})");
  EXPECT_EQ(parsed(request), want) << request.body();
}

TEST(ApiRequest, LeavesOutWhatIsEmpty) {
  ApiRequest request = small();
  request.cache = request.stream = false;
  EXPECT_EQ(request.body(),
            R"({"model":"claude-opus-5-5","max_tokens":128000,"messages":[{"role":"user",)"
            R"("content":"hi"}],"thinking":{"type":"adaptive"},)"
            R"("output_config":{"effort":"medium"}})");
}

TEST(ApiRequest, MarksTheLastBlockOfTheLastUserMessageOnly) {
  ApiRequest request = small();
  request.messages = {
      message("user",
              R"([{"type":"text","text":"a","cache_control":{"type":"ephemeral","ttl":"1h"}}])"),
      message("assistant", R"([{"type":"tool_use","id":"t","name":"Bash","input":{"a":1e400}}])"),
      message("user", R"([{"type":"tool_result","tool_use_id":"t","content":"ok"},)"
                      R"({"type":"text","text":"b"},{"type":"text","text":""},)"
                      R"({"type":"later","x":1}])"),
      message("assistant", R"("half an")")};
  const Json json = parsed(request);
  const Json& messages = json["messages"];
  EXPECT_EQ(messages[0]["content"][0].find("cache_control"), nullptr);
  EXPECT_EQ(messages[2]["content"][0].find("cache_control"), nullptr);
  EXPECT_EQ(messages[2]["content"][1]["cache_control"], kMark);
  EXPECT_EQ(messages[2]["content"][3], *Json::parse(R"({"type":"later","x":1})"));
  EXPECT_EQ(messages[3]["content"], Json("half an"));
  EXPECT_NE(request.body().find("1e400"), std::string::npos);
  EXPECT_EQ(request.messages[2], message("user", encode(request.messages[2].content)));
}

TEST(ApiRequest, ThinksAsTheModelCan) {
  const auto thinking = [](const char* model, std::optional<std::string> mode = {},
                           std::optional<std::int64_t> tokens = {},
                           std::optional<std::int64_t> max_tokens = {}) {
    ApiRequest request = small();
    request.model = model;
    request.thinking = std::move(mode);
    request.thinking_tokens = tokens;
    request.max_tokens = max_tokens;
    return parsed(request)["thinking"].dump();
  };
  EXPECT_EQ(thinking("claude-opus-5-5"), R"({"type":"adaptive"})");
  EXPECT_EQ(thinking("claude-opus-5-5", "enabled"), R"({"type":"enabled","budget_tokens":127999})");
  EXPECT_EQ(thinking("claude-opus-5-5", {}, 4000), R"({"type":"adaptive"})");
  EXPECT_EQ(thinking("claude-opus-4-5", {}, 4000), R"({"type":"enabled","budget_tokens":4000})");
  EXPECT_EQ(thinking("claude-opus-5-5", "adaptive", 4000), R"({"type":"adaptive"})");
  EXPECT_EQ(thinking("claude-opus-5-5", {}, 0), R"({"type":"disabled"})");
  EXPECT_EQ(thinking("claude-opus-5-5", "disabled"), R"({"type":"disabled"})");
  EXPECT_EQ(thinking("claude-sonnet-4-5", "adaptive"),
            R"({"type":"enabled","budget_tokens":31999})");
  EXPECT_EQ(thinking("claude-sonnet-4-5", {}, 9000, 4096),
            R"({"type":"enabled","budget_tokens":4095})");
  EXPECT_EQ(thinking("claude-sonnet-4-5", {}, {}, 1000), R"({"type":"disabled"})");
  EXPECT_EQ(thinking("claude-3-5-haiku-latest", "enabled"), "null");
}

TEST(ApiRequest, NamesItsBetas) {
  ApiRequest request = small();
  EXPECT_EQ(request.betas(),
            (std::vector<std::string>{"interleaved-thinking-2025-05-14", "effort-2025-11-24"}));
  request.model = "claude-sonnet-4-5[1m]";
  request.thinking = "disabled";
  request.effort = "low";  // which this model does not take
  EXPECT_EQ(request.betas(), std::vector<std::string>{"context-1m-2025-08-07"});
  EXPECT_EQ(parsed(request)["model"], Json("claude-sonnet-4-5"));
  EXPECT_EQ(parsed(request).find("output_config"), nullptr);
}

TEST(Models, ResolvesAliases) {
  EXPECT_EQ(resolve_model("default"), "claude-opus-5-5");
  EXPECT_EQ(resolve_model("Opus"), "claude-opus-5-5");
  EXPECT_EQ(resolve_model("sonnet"), "claude-sonnet-5-5");
  EXPECT_EQ(resolve_model("haiku"), "claude-haiku-5-5");
  EXPECT_EQ(resolve_model("fable"), "claude-fable-5-2");
  EXPECT_EQ(resolve_model("opusplan"), "claude-sonnet-5-5");
  EXPECT_EQ(resolve_model("opusplan", true), "claude-opus-5-5");
  EXPECT_EQ(resolve_model("opus[1m]"), "claude-opus-5-5");
  EXPECT_EQ(resolve_model("claude-opus-4-1"), "claude-opus-5-5");
  EXPECT_EQ(resolve_model("claude-haiku-4-5-20251001"), "claude-haiku-4-5-20251001");
  EXPECT_EQ(resolve_model("claude-sonnet-4-5[1m]"), "claude-sonnet-4-5[1m]");
  EXPECT_EQ(resolve_model("My-Own-Model"), "My-Own-Model");
  EXPECT_EQ(resolve_model(""), "");
}

TEST(Models, KnowsTheirLimits) {
  const auto limits = [](std::string_view model) {
    const ModelInfo info = model_info(model);
    return std::string(info.canonical) + ' ' + std::to_string(info.context_window) + ' ' +
           std::to_string(info.max_output_tokens);
  };
  EXPECT_EQ(limits("claude-opus-5-5"), "claude-opus-5-5 1000000 128000");
  EXPECT_EQ(limits("claude-haiku-4-5-20251001"), "claude-haiku-4-5 200000 32000");
  EXPECT_EQ(limits("claude-sonnet-4-5-20250929"), "claude-sonnet-4-5 200000 32000");
  EXPECT_EQ(limits("claude-sonnet-4-5[1m]"), "claude-sonnet-4-5 1000000 32000");
  EXPECT_EQ(limits("claude-sonnet-4-20250514"), "claude-sonnet-4-0 200000 32000");
  EXPECT_EQ(limits("claude-opus-5"), "claude-opus-5 1000000 64000");
  EXPECT_EQ(limits("claude-3-5-haiku-latest"), "claude-3-5-haiku 200000 8192");
  EXPECT_EQ(limits("gpt"), " 1000000 32000");
  EXPECT_FALSE(model_info("claude-opus-5-5-mini").known());
}

}  // namespace
}  // namespace parley::agent
