// A turn from its prompts to its result.
#include "agent/turn/turn.hpp"

#include "agent/tools/structured_output.hpp"
#include "turn_fixture.hpp"

namespace parley::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_F(TurnTest, APlainAnswer) {
  model.will({.text = "Hello."});
  const ResultMessage result = run("hi");
  EXPECT_THAT(client.kinds(), ElementsAre("system/init", "assistant", "result"));
  EXPECT_EQ(result.result, "Hello.");
  EXPECT_EQ(result.is_error, false);
  EXPECT_EQ(result.num_turns, 1);
  EXPECT_EQ(result.stop_reason, "end_turn");
  EXPECT_EQ(result.terminal_reason, TerminalReason::completed);
  EXPECT_EQ(result.usage->input_tokens, 10);
  EXPECT_GT(*result.total_cost_usd, 0);
  EXPECT_LE(*result.time_to_request_ms, *result.ttft_stream_ms);
  EXPECT_LE(*result.ttft_stream_ms, *result.first_content_frame_ms);
  EXPECT_EQ(result.safety_stops, 0);
  EXPECT_EQ(told_in(1), "user: hi");
  EXPECT_THAT(conversation.messages(), SizeIs(2));
  ASSERT_THAT(transcript.lines(), SizeIs(2));
  EXPECT_EQ(transcript.lines()[0]["message"]["content"].as_string(), "hi");
  EXPECT_EQ(transcript.lines()[1]["type"].as_string(), "assistant");
  EXPECT_EQ(totals.copy().results, 1);
}

TEST_F(TurnTest, TheNextTurnGoesOnWithTheConversation) {
  model.will({.text = "one"});
  model.will({.text = "two"});
  run("a");
  EXPECT_EQ(run("b").result_index, 1);
  EXPECT_EQ(told_in(2), "user: a | assistant: one | user: b");
}

TEST_F(TurnTest, APromptThatAsksNothingIsOnlyNoted) {
  UserMessage prompt = prompt_of("by the way");
  prompt.shouldQuery = false;
  Turn(session).run({prompt});
  EXPECT_THAT(model.requests(), IsEmpty());
  EXPECT_EQ(client.last<ResultMessage>().num_turns, 0);
  EXPECT_THAT(conversation.messages(), SizeIs(1));
}

TEST_F(TurnTest, AHookKeepsAPromptFromTheModel) {
  hook("UserPromptSubmit", {R"({"decision":"block","reason":"not today"})"});
  const ResultMessage result = run("hi");
  EXPECT_THAT(model.requests(), IsEmpty());
  EXPECT_THAT(conversation.messages(), IsEmpty());
  EXPECT_THAT(*result.result, HasSubstr("blocked by hook:\nnot today"));
  EXPECT_THAT(client.kinds(), ElementsAre("system/init", "system/informational", "result"));
}

TEST_F(TurnTest, AStopHookLetsTheModelGoOn) {
  hook("Stop", {R"({"decision":"block","reason":"test it first"})", "{}"});
  model.will({.text = "done"});
  model.will({.text = "tested"});
  EXPECT_EQ(run("do it").result, "tested");
  EXPECT_THAT(told_in(2), HasSubstr("Stop hook feedback:\ntest it first"));
}

TEST_F(TurnTest, AQueuedPromptJoinsTheRunningTurn) {
  tools.add(std::make_shared<FakeTool>("Work", [this](const ToolCall&) {
    UserMessage more = prompt_of("and hurry");
    more.uuid = "second";
    prompts.push(more);
    return ToolOutput::success("worked", Json());
  }));
  model.will({.text = "", .calls = {{"t1", "Work"}}});
  model.will({.text = "done"});
  const ResultMessage result = run("work");
  EXPECT_EQ(told_in(2), "user: work | assistant: ?t1 | user: !t1=worked and hurry");
  EXPECT_EQ(result.user_message_uuid, "second");
  EXPECT_EQ(prompts.size(), 0u);
}

TEST_F(TurnTest, EnoughTurnsAreEnough) {
  context.options.max_turns = 1;
  tools.add(saying_tool("Work", "worked"));
  model.will({.text = "", .calls = {{"t1", "Work"}}});
  const ResultMessage result = run("work");
  EXPECT_EQ(result.subtype, ResultSubtype::error_max_turns);
  EXPECT_THAT(*result.errors, ElementsAre("Reached maximum number of turns (1)"));
  EXPECT_THAT(shown_results(), ElementsAre("t1: worked"));
}

TEST_F(TurnTest, OverTheBudgetNoToolRuns) {
  context.options.max_budget_usd = 0.0001;
  bool ran = false;
  tools.add(std::make_shared<FakeTool>("Work", [&](const ToolCall&) {
    ran = true;
    return ToolOutput::success("worked", Json());
  }));
  model.will({.text = "", .calls = {{"t1", "Work"}}, .output_tokens = 100'000});
  const ResultMessage result = run("work");
  EXPECT_FALSE(ran);
  EXPECT_EQ(result.subtype, ResultSubtype::error_max_budget_usd);
  EXPECT_THAT(*result.errors, ElementsAre("Reached maximum budget ($0.0001)"));
  // The API accepts no call without a result.
  EXPECT_THAT(conversation.messages(), SizeIs(3));
}

TEST_F(TurnTest, WithinTheBudgetToolsRun) {
  context.options.max_budget_usd = 100;
  tools.add(saying_tool("Work", "worked"));
  model.will({.text = "", .calls = {{"t1", "Work"}}});
  model.will({.text = "done"});
  EXPECT_EQ(run("work").result, "done");
}

class StructuredOutputTest : public TurnTest {
 protected:
  StructuredOutputTest() {
    const Json schema =
        *Json::parse(R"({"type":"object","properties":{"n":{"type":"number"}},"required":["n"]})");
    tools.set_structured_output(*make_structured_output(schema));
  }
};

TEST_F(StructuredOutputTest, IsTheResult) {
  model.will({.text = "", .calls = {{"t1", "StructuredOutput", R"({"n":1})"}}});
  const ResultMessage result = run("count");
  EXPECT_EQ(result.structured_output->text, R"({"n":1})");
  EXPECT_EQ(result.is_error, false);
}

TEST_F(StructuredOutputTest, IsAskedForOnce) {
  model.will({.text = "one"});
  model.will({.text = "one, I said"});
  EXPECT_EQ(run("count").result, "one, I said");
  EXPECT_THAT(told_in(2), HasSubstr("[structured-output-enforce]"));
}

TEST_F(StructuredOutputTest, FailsAfterSoManyTries) {
  context.options.structured_output_tries = 2;
  model.will({.text = "", .calls = {{"t1", "StructuredOutput", R"({"n":"x"})"}}});
  model.will({.text = "", .calls = {{"t2", "StructuredOutput", "{}"}}});
  const ResultMessage result = run("count");
  EXPECT_EQ(result.subtype, ResultSubtype::error_max_structured_output_retries);
  EXPECT_THAT(result.errors->front(), HasSubstr("after 2 attempts"));
}

TEST_F(TurnTest, ADeferredCallIsCarriedOutFirst) {
  tools.add(saying_tool("Work", "worked"));
  ToolUseBlock call;
  call.id = "t1";
  call.name = "Work";
  call.input = RawJson("{}");
  MessageParam asked;
  asked.role = "assistant";
  asked.content = std::vector<ContentBlock>{call};
  conversation.restore({user_text("before"), asked});
  session.deferred = DeferredCall{call, "line"};
  model.will({.text = "done"});
  Turn(session).run_deferred();
  EXPECT_EQ(told_in(1),
            "user: before | assistant: ?t1 | user: !t1=worked Continue from where you left off.");
  EXPECT_FALSE(session.deferred);
  EXPECT_EQ(client.last<ResultMessage>().result, "done");
}

}  // namespace
}  // namespace parley::agent
