#include "server/agents/agent_input.hpp"

#include <gtest/gtest.h>

namespace parley::server {
namespace {

const std::string kId = "0fd1c8a2-4b5e-4c6d-8e7f-901234567890";

Json answer_of(const std::string& answer) {
  control::CanUseTool ask;
  ask.tool_name = "Bash";
  ask.input = RawJson(R"({"n":1.0e3})");
  const auto body = make_answer(ask, Json::parse(answer).value());
  return body ? body->json().value() : Json(body.error().what());
}

TEST(AgentInput, PromptsAreTextsOrBlocksUnderTheIdOfTheirClient) {
  const auto text = make_prompt(kId, Json("hello"));
  ASSERT_TRUE(text) << text.error().what();
  EXPECT_EQ(text->uuid, kId);
  EXPECT_TRUE(make_prompt(kId, Json::parse(R"([{"type":"text","text":"a"}])").value()));
  for (const char* wrong : {R"("")", "[]", "7", "null", "[7]"}) {
    const auto prompt = make_prompt(kId, Json::parse(wrong).value());
    ASSERT_FALSE(prompt) << wrong;
    EXPECT_EQ(prompt.error().code(), ErrorCode::invalid) << wrong;
  }
  EXPECT_EQ(make_prompt("no uuid", Json("hello")).error().context(), "client_id");
}

TEST(AgentInput, AnAllowHasTheInputThatWasAskedAboutAsItCame) {
  control::CanUseTool ask;
  ask.input = RawJson(R"({"n":1.0e3})");
  const auto body = make_answer(ask, Json::parse(R"({"behavior":"allow"})").value());
  ASSERT_TRUE(body);
  EXPECT_NE(body->text.find(R"("updatedInput":{"n":1.0e3})"), std::string::npos) << body->text;
  EXPECT_EQ(
      answer_of(R"({"behavior":"allow","updatedInput":{"n":2}})")["updatedInput"]["n"].as_int(), 2);
}

TEST(AgentInput, ADenialHasItsReason) {
  const Json denied = answer_of(R"({"behavior":"deny","message":"not now","interrupt":true})");
  EXPECT_EQ(denied["message"].as_string(), "not now");
  EXPECT_TRUE(denied["interrupt"].as_bool());
}

TEST(AgentInput, WrongAnswersSayWhatIsWrong) {
  EXPECT_NE(answer_of(R"({"behavior":"perhaps"})").as_string().find("answer.behavior"),
            std::string_view::npos);
  EXPECT_NE(answer_of(R"({"behavior":"allow","updatedInput":7})").as_string().find("updatedInput"),
            std::string_view::npos);
  EXPECT_NE(answer_of(R"({"behavior":"allow","updatedPermissions":[7]})")
                .as_string()
                .find("updatedPermissions"),
            std::string_view::npos);
}

TEST(AgentInput, TheModeThatAsksForNothingHasToBeOffered) {
  EXPECT_EQ(check_mode("plan", false).value(), PermissionMode::plan);
  EXPECT_EQ(check_mode("bypassPermissions", false).error().code(), ErrorCode::permission);
  EXPECT_EQ(check_mode("bypassPermissions", true).value(), PermissionMode::bypassPermissions);
  EXPECT_EQ(check_mode("no such mode", true).error().code(), ErrorCode::invalid);
}

}  // namespace
}  // namespace parley::server
