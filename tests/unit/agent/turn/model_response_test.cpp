// What becomes of a turn when the model does not simply answer.
#include "agent/turn/model_response.hpp"

#include "turn_fixture.hpp"

namespace parley::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST_F(TurnTest, WhatMayPassIsTriedAgain) {
  model.will(refused(500));
  model.will({.text = "Hello."});
  EXPECT_EQ(run("hi").result, "Hello.");
  const ApiRetry retry = client.last<ApiRetry>();
  EXPECT_EQ(retry.attempt, 1);
  EXPECT_EQ(retry.error_status.value_or(0), 500);
  EXPECT_THAT(model.requests(), SizeIs(2));
}

TEST_F(TurnTest, WhatIsFinalIsTheResult) {
  model.will(refused(400, "invalid_request_error"));
  const ResultMessage result = run("hi");
  EXPECT_EQ(result.is_error, true);
  EXPECT_EQ(result.api_error_status, 400);
  EXPECT_EQ(result.api_error_type, "invalid_request_error");
  EXPECT_THAT(client.kinds(), ElementsAre("system/init", "assistant", "result"));
  EXPECT_TRUE(client.last<AssistantMessage>().is_api_error_message.value_or(false));
}

TEST_F(TurnTest, AnOverloadedModelIsReplaced) {
  context.options.fallback_model = "claude-other";
  for (int i = 0; i < 3; ++i) model.will(refused(529, "overloaded_error"));
  model.will({.text = "Hello."});
  EXPECT_EQ(run("hi").result, "Hello.");
  const ModelFallback fallback = client.last<ModelFallback>();
  EXPECT_EQ(fallback.original_model, "claude-test");
  EXPECT_EQ(fallback.fallback_model, "claude-other");
  EXPECT_EQ(model.requests().back().model, "claude-other");
}

TEST_F(TurnTest, AResponseThatBreaksOffIsGoneOnWith) {
  ScriptedResponse cut{.text = "The first half"};
  cut.outcome.kind = ApiOutcome::Kind::cut;
  model.will(cut);
  model.will({.text = "and the second."});
  EXPECT_EQ(run("tell").result, "and the second.");
  EXPECT_THAT(told_in(2), HasSubstr("The connection broke"));
}

TEST_F(TurnTest, AfterTheLimitOfTokensTheModelGoesOn) {
  model.will({.text = "The first half", .stop_reason = "max_tokens"});
  model.will({.text = "and the second."});
  const ResultMessage result = run("tell");
  EXPECT_EQ(result.num_turns, 2);
  EXPECT_THAT(told_in(2), HasSubstr("reached the limit of tokens"));
}

TEST_F(TurnTest, AnInterruptKeepsWhatHadCome) {
  model.will({.text = "Once upon",
              .before_end = [this](const std::stop_token&) { running.interrupt(); },
              .ends_blocks = false});
  const ResultMessage result = run("tell");
  EXPECT_EQ(result.subtype, ResultSubtype::error_during_execution);
  EXPECT_EQ(result.terminal_reason, TerminalReason::aborted_streaming);
  EXPECT_THAT(client.kinds(), ElementsAre("system/init", "assistant", "user", "result"));
  EXPECT_EQ(client.last<AssistantMessage>().aborted, true);
  EXPECT_THAT(conversation.messages(), SizeIs(3));
}

TEST_F(TurnTest, AnInterruptEndsTheWaitForAnotherTry) {
  ScriptedResponse overloaded = refused(529);
  overloaded.outcome.retry_after = std::chrono::minutes(5);
  model.will(overloaded);
  std::jthread user([this] {
    client.wait_for<ApiRetry>();
    running.interrupt();
  });
  EXPECT_EQ(run("hi").terminal_reason, TerminalReason::aborted_streaming);
}

TEST_F(TurnTest, WithoutAKeyNobodyIsAsked) {
  class NoKey final : public ModelClient {
   public:
    ApiOutcome stream(const ApiRequest&, std::stop_token, const OnEvent&, std::string&) override {
      ADD_FAILURE();
      return {};
    }
    ApiOutcome send(const ApiRequest&, std::stop_token) override { return {}; }
    const ApiAccess& access() const override { return access_; }

   private:
    ApiAccess access_;
  } locked;
  TurnContext other{{},     conversation, transcript, requests, tools, permissions,
                    client, prompts,      locked,     asker,    hooks, cost,
                    totals, status,       threads,    debug};
  SessionTurnContext turns{
      other, overrides, running, title, reporter, session.init_message, session.ask_small_model};
  Turn(turns).run({prompt_of("hi")});
  EXPECT_THAT(*client.last<ResultMessage>().result, HasSubstr("Not logged in"));
}

}  // namespace
}  // namespace parley::agent
