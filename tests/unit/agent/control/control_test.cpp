// Control requests, served beside a turn.
#include "agent/control/control.hpp"

#include <thread>

#include "agent/connection/message_parts.hpp"
#include "control_fixture.hpp"
#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_F(ControlTest, InitializeRepeatsWhatWaitsForAnAnswer) {
  std::jthread agent([&] {
    control::CanUseTool question;
    question.tool_name = "Bash";
    (void)asker.ask(std::move(question), {});
  });
  const std::string id = client.request(1).request_id;
  const Json reply = ask(control::Initialize());
  EXPECT_TRUE(reply["hooks_applied"].is_null()) << "there were none to apply";
  const ControlResponse response = client.last<ControlResponse>();
  const auto& success = std::get<ControlSuccess>(response.response);
  ASSERT_THAT(*success.pending_permission_requests, SizeIs(1));
  EXPECT_EQ(std::get<ControlRequest>(success.pending_permission_requests->front()).request_id, id);
  EXPECT_THAT(*success.pending_user_dialog_requests, IsEmpty());
  asker.withdraw_all();
}

TEST_F(ControlTest, InitializeSetsWhatItNames) {
  control::Initialize request;
  request.systemPrompt = std::vector<std::string>{"Be short.", "Be kind."};
  request.appendSystemPrompt = "Be quick.";
  request.promptSuggestions = true;
  request.jsonSchema = RawJson(R"({"type":"object"})");
  request.title = "A title";
  HookMatcher matcher;
  matcher.hookCallbackIds = {"hook"};
  request.hooks.emplace();
  (*request.hooks)["PreToolUse"] = {matcher};
  (*request.hooks)["SessionEnd"] = {matcher};
  const Json reply = ask(request);
  EXPECT_FALSE(reply["models"].items().empty());
  EXPECT_EQ(reply["current_permission_mode"].as_string(), "default");
  const SessionOverrides now = overrides.copy();
  EXPECT_EQ(now.system_prompt, "Be short.\n\nBe kind.");
  EXPECT_EQ(now.append_system_prompt, "Be quick.");
  EXPECT_TRUE(now.prompt_suggestions);
  EXPECT_TRUE(tools.structured_output());
  EXPECT_TRUE(hooks.any("PreToolUse"));
  EXPECT_FALSE(hooks.any("SessionEnd"));
  EXPECT_THAT(client.kinds(), ElementsAre("system/session_title_changed", "control_response"));
}

TEST_F(ControlTest, InitializeRefusesHooksThatNobodyCouldCall) {
  control::Initialize request;
  request.hooks.emplace();
  (*request.hooks)["PreToolUse"] = {HookMatcher{}};
  EXPECT_THAT(std::string(ask(request)["error"].as_string()), HasSubstr("hookCallbackIds"));
  EXPECT_FALSE(hooks.any("PreToolUse"));
}

TEST_F(ControlTest, InitializeRefusesASchemaThatIsNone) {
  control::Initialize request;
  request.jsonSchema = RawJson(R"({"type":"string"})");
  EXPECT_THAT(std::string(ask(request)["error"].as_string()), HasSubstr("object"));
  EXPECT_FALSE(tools.structured_output());
}

TEST_F(ControlTest, AnInterruptWithdrawsThenAnswersThenEndsTheTurn) {
  const std::stop_token turn = running.begin();
  std::vector<std::string> before_stop;
  const std::stop_callback on_stop(turn, [&] { before_stop = client.kinds(); });
  std::jthread waiting([&] { (void)asker.ask(control::CanUseTool{}, {}); });
  (void)client.request(1);
  UserMessage queued = prompt_of("next");
  queued.uuid = "next";
  prompts.push(queued);
  EXPECT_EQ(ask(control::Interrupt{}).dump(), R"({"still_queued":["next"]})");
  EXPECT_THAT(before_stop,
              ElementsAre("control_request", "control_cancel_request", "control_response"));
  EXPECT_TRUE(turn.stop_requested());
  EXPECT_EQ(prompts.size(), 1u);
}

TEST_F(ControlTest, AnInterruptTakesTheQueueWithItIfItIsToldTo) {
  UserMessage queued = prompt_of("next");
  queued.uuid = "next";
  prompts.push(queued);
  control::Interrupt request;
  request.cancel_queued = true;
  EXPECT_EQ(ask(request).dump(), R"({"still_queued":[],"cancelled":["next"]})");
  EXPECT_EQ(prompts.size(), 0u);
}

TEST_F(ControlTest, AQueuedPromptIsWithdrawnOnce) {
  UserMessage queued = prompt_of("next");
  queued.uuid = "next";
  prompts.push(queued);
  control::CancelAsyncMessage request;
  request.message_uuid = "next";
  EXPECT_TRUE(ask(request)["cancelled"].as_bool());
  EXPECT_FALSE(ask(request)["cancelled"].as_bool());
}

TEST_F(ControlTest, AModelIsSetForTheNextRequest) {
  control::SetModel request;
  request.model = "claude-something";
  EXPECT_EQ(ask(request)["model"].as_string(), "claude-something");
  EXPECT_EQ(overrides.copy().model, "claude-something");
  EXPECT_THAT(client.kinds(), ElementsAre("control_response"));
  // After a turn it is worth a word.
  totals.change([](SessionTotals& now) { now.results = 1; });
  ask(request);
  EXPECT_THAT(client.kinds(), ElementsAre("control_response", "user", "control_response"));
}

TEST_F(ControlTest, ThinkingIsLimited) {
  control::SetMaxThinkingTokens request;
  request.max_thinking_tokens.given = true;
  request.max_thinking_tokens.value = 1000;
  EXPECT_TRUE(ask(request).is_null());
  EXPECT_EQ(overrides.copy().max_thinking_tokens, 1000);
}

TEST_F(ControlTest, AModeIsSetAndThenShown) {
  control::SetPermissionMode request;
  request.mode = PermissionMode::acceptEdits;
  EXPECT_EQ(ask(request)["mode"].as_string(), "acceptEdits");
  EXPECT_EQ(permissions.mode(), PermissionMode::acceptEdits);
  EXPECT_THAT(client.kinds(), ElementsAre("control_response", "system/status"));
}

TEST_F(ControlTest, AModeThatMayNotBeSetIsRefused) {
  control::SetPermissionMode request;
  request.mode = PermissionMode::bypassPermissions;
  EXPECT_EQ(ask(request)["code"].as_string(), "bypass_not_launched");
  request.mode = Enum<PermissionMode>("nonsense");
  EXPECT_EQ(ask(request)["code"].as_string(), "invalid_mode");
  EXPECT_THAT(client.kinds(), ElementsAre("control_response", "control_response"));
}

TEST_F(ControlTest, WhatNobodyServesIsRefusedByName) {
  const Json unknown = ask(*decode<ControlBody>(R"({"subtype":"sing","song":"any"})"));
  EXPECT_EQ(unknown["error"].as_string(), "Unsupported control request subtype: sing");
  EXPECT_EQ(unknown["code"].as_string(), "unsupported_request");
  // Known to the wire, and not served here.
  EXPECT_EQ(ask(control::SetColor{})["error"].as_string(),
            "Unsupported control request subtype: set_color");
}

TEST_F(ControlTest, TheEndOfTheSessionIsAnsweredFirst) {
  EXPECT_TRUE(ask(control::EndSession{}).is_null());
  EXPECT_FALSE(goes_on);
  ask(control::GetBinaryVersion{});
  EXPECT_TRUE(goes_on);
}

TEST_F(ControlTest, ARenamedSessionSaysSo) {
  control::RenameSession request;
  request.title = "Another";
  EXPECT_TRUE(ask(request).is_null());
  EXPECT_THAT(transcript.notes(), IsEmpty());  // there is no transcript yet
  title.begin_transcript();
  ASSERT_THAT(transcript.notes(), SizeIs(1));
  EXPECT_EQ(transcript.notes().front()["customTitle"].as_string(), "Another");
}

TEST_F(ControlTest, UsageIsWhatTurnsHaveCost) {
  Usage usage;
  usage.input_tokens = 100;
  cost.add("claude-opus-5-5", usage);
  totals.change([](SessionTotals& now) { now.lines.added = 3; });
  const Json reply = ask(control::GetUsage{});
  EXPECT_EQ(reply["session"]["total_lines_added"].as_int(), 3);
  EXPECT_GT(reply["session"]["total_cost_usd"].as_double(), 0);
}

TEST_F(ControlTest, TheConversationIsMeasuredWhileItGrows) {
  std::jthread turn([&] {
    for (int i = 0; i < 200; ++i) conversation.append(user_text("more and more"));
  });
  for (int i = 0; i < 20; ++i) ask(control::GetContextUsage{});
  turn.join();
  EXPECT_GT(ask(control::GetContextUsage{})["messageBreakdown"]["userMessageTokens"].as_int(), 0);
}

TEST_F(ControlTest, AModelIsSetWhileTurnsEnd) {
  std::jthread turn([&] {
    for (int i = 0; i < 1000; ++i) totals.change([](SessionTotals& now) { ++now.results; });
  });
  for (int i = 0; i < 100; ++i) ask(control::SetModel{});
  turn.join();
  EXPECT_EQ(totals.copy().results, 1000);
}

TEST_F(ControlTest, ASchemaIsReplacedWhileItIsInUse) {
  control::Initialize request;
  request.jsonSchema = RawJson(R"({"type":"object","properties":{"name":{"type":"string"}}})");
  ask(request);
  const SharedTool in_use = tools.find("StructuredOutput");
  ASSERT_TRUE(in_use);
  std::jthread turn([&] {
    for (int i = 0; i < 200; ++i) {
      EXPECT_EQ(tools.find("StructuredOutput")->input_schema()["type"].as_string(), "object");
    }
  });
  for (int i = 0; i < 200; ++i) ask(request);
  turn.join();
  EXPECT_NE(tools.structured_output(), in_use);
  EXPECT_EQ(in_use->name(), "StructuredOutput");
}

}  // namespace
}  // namespace parley::agent
