// Turns of the real CLI: answers, pieces of answers, limits, errors, sessions.
#include "support.hpp"

namespace parley::real {
namespace {

using TurnsTest = RealCli;

TEST_F(TurnsTest, Text) {
  script(turns({text_turn("The answer is 4.")}));
  Session session(options());
  ASSERT_TRUE(session.connect());
  const TakenTurn turn = take_turn(session, "2+2?");
  ASSERT_TRUE(turn.result) << turn.result.error().what();
  EXPECT_EQ(turn.result->result, "The answer is 4.");
  EXPECT_EQ(text_of(turn.messages), "The answer is 4.");
  EXPECT_TRUE(any<SystemInit>(turn.messages));
  EXPECT_GT(session.spending().total_cost_usd, 0);
}

TEST_F(TurnsTest, PartialsAddUpToTheAnswer) {
  script(turns({text_turn("In two pieces.")}));
  Options o = options();
  o.delivery.partial_messages = true;
  Session session(o);
  ASSERT_TRUE(session.connect());
  const TakenTurn turn = take_turn(session, "hi");
  ASSERT_TRUE(turn.result);
  std::string streamed;
  for (const Message& message : turn.messages) {
    const auto* event = std::get_if<StreamEvent>(&message);
    const auto* delta = event ? std::get_if<ContentBlockDelta>(&event->event) : nullptr;
    const auto* text = delta ? std::get_if<TextDelta>(&delta->delta) : nullptr;
    if (text != nullptr) streamed += text->text;
  }
  EXPECT_EQ(streamed, "In two pieces.");
}

TEST_F(TurnsTest, Thinking) {
  script(R"([{"content":[{"type":"thinking","thinking":"Hmm."},{"type":"text","text":"Four."}]}])");
  Session session(options());
  ASSERT_TRUE(session.connect());
  const TakenTurn turn = take_turn(session, "2+2?");
  ASSERT_TRUE(turn.result);
  std::string thought;
  for (const Message& message : turn.messages) {
    const auto* answer = std::get_if<AssistantMessage>(&message);
    if (answer == nullptr) continue;
    for (const ContentBlock& block : answer->message.content) {
      if (const auto* thinking = std::get_if<ThinkingBlock>(&block)) thought += thinking->thinking;
    }
  }
  EXPECT_EQ(thought, "Hmm.");
}

TEST_F(TurnsTest, SeveralTurnsShareTheConversation) {
  script(turns({text_turn("One."), text_turn("Two.")}));
  Session session(options());
  ASSERT_TRUE(session.connect());
  EXPECT_TRUE(take_turn(session, "FIRST-PROMPT").result);
  const TakenTurn second = take_turn(session, "SECOND-PROMPT");
  ASSERT_TRUE(second.result);
  EXPECT_EQ(second.result->result, "Two.");
  const std::string last = model().requests().back()["messages"].dump();
  EXPECT_NE(last.find("FIRST-PROMPT"), std::string::npos);
  EXPECT_NE(last.find("SECOND-PROMPT"), std::string::npos);
  EXPECT_EQ(session.spending().turns, 2);
}

TEST_F(TurnsTest, ImageReachesTheModel) {
  script(turns({text_turn("A dot.")}));
  Session session(options());
  ASSERT_TRUE(session.connect());
  Prompt prompt("What is this?");
  prompt.add_image(kDot, "image/png");
  ASSERT_TRUE(take_turn(session, std::move(prompt)).result);
  const std::string request = model().requests().back()["messages"].dump();
  EXPECT_NE(request.find(R"("type":"image")"), std::string::npos);
}

TEST_F(TurnsTest, ErrorOfTheApiIsAnError) {
  script(R"([{"status":400,"repeat":true,"error":{"type":"error","error":
      {"type":"invalid_request_error","message":"BAD-REQUEST"}}}])");
  Session session(options());
  ASSERT_TRUE(session.connect());
  const TakenTurn turn = take_turn(session, "hi");
  ASSERT_FALSE(turn.result);
  EXPECT_EQ(turn.result.error().code(), ErrorCode::remote);
  EXPECT_NE(std::string(turn.result.error().what()).find("BAD-REQUEST"), std::string::npos);
}

TEST_F(TurnsTest, ServerErrorIsTriedAgain) {
  script(turns({R"({"status":500,"error":{"type":"error","error":
      {"type":"api_error","message":"oops"}}})",
                text_turn("Fine now.")}));
  Session session(options());
  ASSERT_TRUE(session.connect());
  const TakenTurn turn = take_turn(session, "hi");
  ASSERT_TRUE(turn.result) << turn.result.error().what();
  EXPECT_EQ(turn.result->result, "Fine now.");
}

TEST_F(TurnsTest, MaxTurns) {
  script(R"([{"repeat":true,"content":[{"type":"tool_use","id":"toolu_01","name":"Read",
      "input":{"file_path":"none"}}]}])");
  Options o = options();
  o.limits.max_turns = 1;
  Session session(o);
  ASSERT_TRUE(session.connect());
  const TakenTurn turn = take_turn(session, "go on");
  EXPECT_FALSE(turn.result);
  ASSERT_TRUE(session.last_result());
  EXPECT_EQ(session.last_result()->subtype, ResultSubtype::error_max_turns);
}

TEST_F(TurnsTest, Budget) {
  script(R"([{"repeat":true,"usage_end":{"output_tokens":1000000},"content":[{"type":"tool_use",
      "id":"toolu_01","name":"Read","input":{"file_path":"none"}}]}])");
  Options o = options();
  o.limits.max_budget_usd = 0.01;
  Session session(o);
  ASSERT_TRUE(session.connect());
  EXPECT_FALSE(take_turn(session, "go on").result);
  ASSERT_TRUE(session.last_result());
  EXPECT_EQ(session.last_result()->subtype, ResultSubtype::error_max_budget_usd);
}

TEST_F(TurnsTest, StructuredOutput) {
  script(turns({tool_turn("StructuredOutput", R"({"sum":4})"), text_turn("Done.")}));
  Options o = options();
  o.output_schema =
      RawJson(R"({"type":"object","properties":{"sum":{"type":"number"}},"required":["sum"]})");
  Session session(o);
  ASSERT_TRUE(session.connect());
  const TakenTurn turn = take_turn(session, "2+2?");
  ASSERT_TRUE(turn.result) << turn.result.error().what();
  ASSERT_TRUE(turn.result->structured_output);
  EXPECT_EQ((*turn.result->structured_output->json())["sum"].as_int(), 4);
}

TEST_F(TurnsTest, SlashCommand) {
  script("[]");
  Session session(options());
  ASSERT_TRUE(session.connect());
  const TakenTurn turn = take_turn(session, "/cost");
  ASSERT_TRUE(turn.result) << turn.result.error().what();
  EXPECT_FALSE(session.commands().empty());
}

TEST_F(TurnsTest, ResumeContinueAndFork) {
  script(turns({text_turn("One."), text_turn("Two."), text_turn("Three."), text_turn("Four.")}));
  std::string id;
  {
    Session session(options());
    ASSERT_TRUE(session.connect());
    ASSERT_TRUE(take_turn(session, "REMEMBER-ME").result);
    id = session.session_id();
  }
  Options resume = options(), go_on = options(), fork = options();
  resume.resume.id = id;
  go_on.resume.latest = true;
  fork.resume.id = id;
  fork.resume.fork = true;
  for (const Options* o : {&resume, &go_on, &fork}) {
    Session session(*o);
    ASSERT_TRUE(session.connect());
    ASSERT_TRUE(take_turn(session, "and now?").result);
    EXPECT_EQ(session.session_id() == id, o != &fork);
    EXPECT_NE(model().requests().back()["messages"].dump().find("REMEMBER-ME"), std::string::npos);
  }
}

}  // namespace
}  // namespace parley::real
