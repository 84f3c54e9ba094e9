// What the real CLI asks of a program, and what a program may ask of it meanwhile.
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <future>

#include "support.hpp"

namespace parley::real {
namespace {

using AskingTest = RealCli;

const std::string kTouch = R"({"command":"touch made.txt","description":"Make a file"})";

TEST_F(AskingTest, Allow) {
  script(turns({tool_turn("Bash", kTouch), text_turn("Made it.")}));
  Options o = options();
  std::atomic<int> asked = 0;
  o.on_permission = [&](const PermissionAsk& ask) {
    ++asked;
    EXPECT_EQ(ask.tool_name, "Bash");
    return allow();
  };
  Session session(o);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(take_turn(session, "make a file").result);
  EXPECT_EQ(asked, 1);
  EXPECT_TRUE(std::filesystem::exists(work() / "made.txt"));
}

TEST_F(AskingTest, AllowWithAnotherInput) {
  script(turns({tool_turn("Bash", kTouch), text_turn("Made it.")}));
  Options o = options();
  o.on_permission = [](const PermissionAsk&) {
    return allow().with_input(RawJson(R"({"command":"touch other.txt"})"));
  };
  Session session(o);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(take_turn(session, "make a file").result);
  EXPECT_TRUE(std::filesystem::exists(work() / "other.txt"));
  EXPECT_FALSE(std::filesystem::exists(work() / "made.txt"));
}

TEST_F(AskingTest, AcceptedSuggestionsAreNotAskedAgain) {
  const std::string again = R"({"command":"touch again.txt","description":"Make a file"})";
  script(
      turns({tool_turn("Bash", kTouch), tool_turn("Bash", again, "toolu_02"), text_turn("Done.")}));
  Options o = options();
  std::atomic<int> asked = 0;
  o.on_permission = [&](const PermissionAsk& ask) {
    ++asked;
    return allow().with_changes(
        PermissionChanges().suggested(ask).add(PermissionBehavior::allow, {Rule::tool("Bash")}));
  };
  Session session(o);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(take_turn(session, "make two files").result);
  EXPECT_EQ(asked, 1);
  EXPECT_TRUE(std::filesystem::exists(work() / "again.txt"));
}

TEST_F(AskingTest, DenyTellsTheModelWhy) {
  script(turns({tool_turn("Bash", kTouch), text_turn("Very well.")}));
  Options o = options();
  o.on_permission = [](const PermissionAsk&) { return deny("NOT-HERE"); };
  Session session(o);
  ASSERT_TRUE(session.connect());
  const TakenTurn turn = take_turn(session, "make a file");
  ASSERT_TRUE(turn.result);
  EXPECT_NE(results_of(turn.messages).find("NOT-HERE"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(work() / "made.txt"));
}

TEST_F(AskingTest, DenyAndStopEndsTheTurn) {
  script(turns({tool_turn("Bash", kTouch), text_turn("Never said.")}));
  Options o = options();
  o.on_permission = [](const PermissionAsk&) { return deny("no").and_stop(); };
  Session session(o);
  ASSERT_TRUE(session.connect());
  const TakenTurn turn = take_turn(session, "make a file");
  EXPECT_EQ(text_of(turn.messages).find("Never said."), std::string::npos);
}

TEST_F(AskingTest, ThrowingHandlerRefuses) {
  script(turns({tool_turn("Bash", kTouch), text_turn("Very well.")}));
  Options o = options();
  o.on_permission = [](const PermissionAsk&) -> PermissionAnswer {
    throw std::runtime_error("handler broke");
  };
  Session session(o);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(take_turn(session, "make a file").result);
  EXPECT_FALSE(std::filesystem::exists(work() / "made.txt"));
}

TEST_F(AskingTest, Question) {
  script(turns({tool_turn("AskUserQuestion",
                          R"({"questions":[{"question":"Which colour?","header":"Colour",
      "multiSelect":false,"options":[{"label":"Red","description":"r"},
      {"label":"Blue","description":"b"}]}]})"),
                text_turn("Blue it is.")}));
  Options o = options();
  o.on_question = [](const QuestionAsk& ask) { return QuestionAnswers(ask).choose(0, "Blue"); };
  Session session(o);
  ASSERT_TRUE(session.connect());
  const TakenTurn turn = take_turn(session, "ask me");
  ASSERT_TRUE(turn.result);
  EXPECT_NE(results_of(turn.messages).find("Blue"), std::string::npos);
}

TEST_F(AskingTest, PlanIsApproved) {
  script(turns({tool_turn("ExitPlanMode", R"({"plan":"1. Do it."})"), text_turn("Doing it.")}));
  Options o = options();
  o.permissions.mode = PermissionMode::plan;
  std::atomic<int> asked = 0;
  o.on_plan = [&](const PlanAsk&) {
    ++asked;
    return approve_plan();
  };
  Session session(o);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(take_turn(session, "plan it").result);
  EXPECT_EQ(asked, 1);
}

TEST_F(AskingTest, PlanIsSentBack) {
  script(turns({tool_turn("ExitPlanMode", R"({"plan":"1. Do it."})"), text_turn("Planning on.")}));
  Options o = options();
  o.permissions.mode = PermissionMode::plan;
  o.on_plan = [](const PlanAsk&) { return reject_plan("TESTS-FIRST"); };
  Session session(o);
  ASSERT_TRUE(session.connect());
  const TakenTurn turn = take_turn(session, "plan it");
  ASSERT_TRUE(turn.result) << turn.result.error().what();
  EXPECT_NE(results_of(turn.messages).find("TESTS-FIRST"), std::string::npos);
}

TEST_F(AskingTest, InterruptMidStream) {
  script(turns({R"({"hang_after":3,"content":[{"type":"text","text":"A long, long answer"}]})",
                text_turn("Back again.")}));
  Options o = options();
  o.delivery.partial_messages = true;
  Session session(o);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.send("talk"));
  ASSERT_TRUE(read_until(session, [](const Message& message) {
    const auto* event = std::get_if<StreamEvent>(&message);
    return event != nullptr && std::holds_alternative<ContentBlockDelta>(event->event);
  }));
  const auto receipt = session.interrupt();
  ASSERT_TRUE(receipt) << receipt.error().what();
  ASSERT_TRUE(receipt->turn);
  EXPECT_TRUE(error_of(*receipt->turn));
  ASSERT_FALSE(next_result(session));
  const TakenTurn next = take_turn(session, "again");
  ASSERT_TRUE(next.result) << next.result.error().what();
  EXPECT_EQ(next.result->result, "Back again.");
}

TEST_F(AskingTest, AnInterruptedTurnIsNotTheNextAnswer) {
  script(turns({R"({"hang_after":3,"content":[{"type":"text","text":"A long, long answer"}]})",
                text_turn("To the second."), text_turn("To the third.")}));
  Options o = options();
  o.delivery.partial_messages = true;
  Session session(o);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.send("first"));
  ASSERT_TRUE(read_until(session, [](const Message& message) {
    return std::holds_alternative<StreamEvent>(message);
  }));
  const auto receipt = session.interrupt();
  ASSERT_TRUE(receipt) << receipt.error().what();
  for (const char* text : {"To the second.", "To the third."}) {
    const auto answer = session.ask("next").result(kPatience);
    ASSERT_TRUE(answer) << answer.error().what();
    EXPECT_EQ(answer->result, text);
  }
}

TEST_F(AskingTest, ALateAnswerIsNotTheNextOne) {
  script(
      turns({text_turn("To the first."), text_turn("To the second."), text_turn("To the third.")}));
  Options o = options();
  // The first prompt is held up until nobody waits for it any more.
  std::promise<void> held, released;
  const auto go_on = released.get_future().share();
  std::atomic<bool> first = true;
  o.hooks.on<hooks::UserPromptSubmit>([&, go_on](const hooks::UserPromptSubmit&) {
    if (first.exchange(false)) {
      held.set_value();
      go_on.wait();
    }
    return no_opinion();
  });
  Session session(o);
  ASSERT_TRUE(session.connect());
  const auto late = session.ask("first").result(100ms);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code(), ErrorCode::timeout);
  ASSERT_EQ(held.get_future().wait_for(kPatience), std::future_status::ready);
  released.set_value();
  for (const char* text : {"To the second.", "To the third."}) {
    const auto answer = session.ask("next").result(kPatience);
    ASSERT_TRUE(answer) << answer.error().what();
    EXPECT_EQ(answer->result, text);
  }
}

TEST_F(AskingTest, APromptTakenIntoARunningTurnIsAnsweredByIt) {
  const auto started = work() / "started", gate = work() / "gate";
  ASSERT_EQ(::mkfifo(started.c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo(gate.c_str(), 0600), 0);
  const UniqueFd running(::open(started.c_str(), O_RDWR | O_CLOEXEC));
  const UniqueFd opener(::open(gate.c_str(), O_RDWR | O_CLOEXEC));
  script(turns({tool_turn("Bash", R"({"command":"echo up > started; read line < gate",
      "description":"Wait"})"),
                text_turn("To both."), text_turn("To the third.")}));
  Options o = options();
  o.on_permission = [](const PermissionAsk&) { return allow(); };
  Session session(o);
  ASSERT_TRUE(session.connect());
  const auto late = session.ask("first").result(100ms);
  ASSERT_FALSE(late);
  pollfd ready{running.get(), POLLIN, 0};
  ASSERT_EQ(::poll(&ready, 1, static_cast<int>(std::chrono::milliseconds(kPatience).count())), 1);
  ASSERT_TRUE(session.send("SECOND-PROMPT"));
  // The agent has that one when it answers what is asked after it; then the tool may end.
  ASSERT_TRUE(session.set_permission_mode(PermissionMode::default_));
  ASSERT_EQ(::write(opener.get(), "go\n", 3), 3);
  const auto both = next_result(session);
  ASSERT_TRUE(both) << both.error().what();
  EXPECT_EQ(both->result, "To both.");
  EXPECT_NE(model().requests().back()["messages"].dump().find("SECOND-PROMPT"), std::string::npos);
  const auto third = session.ask("third").result(kPatience);
  ASSERT_TRUE(third) << third.error().what();
  EXPECT_EQ(third->result, "To the third.");
}

TEST_F(AskingTest, InterruptMidTool) {
  // The command says through a pipe that it runs, and then waits for a line that never comes.
  const auto started = work() / "started", gate = work() / "gate";
  ASSERT_EQ(::mkfifo(started.c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo(gate.c_str(), 0600), 0);
  const UniqueFd running(::open(started.c_str(), O_RDWR | O_CLOEXEC));
  script(turns({tool_turn("Bash", R"({"command":"echo up > started; read line < gate",
      "description":"Wait"})"),
                text_turn("Never said.")}));
  Options o = options();
  o.on_permission = [](const PermissionAsk&) { return allow(); };
  Session session(o);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.send("wait"));
  pollfd ready{running.get(), POLLIN, 0};
  ASSERT_EQ(::poll(&ready, 1, static_cast<int>(std::chrono::milliseconds(kPatience).count())), 1);
  const auto receipt = session.interrupt();
  ASSERT_TRUE(receipt) << receipt.error().what();
  EXPECT_TRUE(receipt->turn);
  EXPECT_FALSE(next_result(session));
}

TEST_F(AskingTest, InterruptWhileAsked) {
  script(turns({tool_turn("Bash", kTouch), text_turn("Never said.")}));
  Options o = options();
  WithheldPermission permission;
  o.on_permission = [&](const PermissionAsk& ask) { return permission.withhold(ask); };
  Session session(o);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.send("make a file"));
  ASSERT_EQ(permission.asked.get_future().wait_for(kPatience), std::future_status::ready);
  const auto receipt = session.interrupt();
  ASSERT_TRUE(receipt) << receipt.error().what();
  EXPECT_EQ(permission.withdrawn.get_future().wait_for(kPatience), std::future_status::ready);
  EXPECT_FALSE(next_result(session));
  EXPECT_FALSE(std::filesystem::exists(work() / "made.txt"));
}

TEST_F(AskingTest, ModelAndModeChange) {
  script(turns({text_turn("One."), tool_turn("Write", R"({"file_path":"made.txt","content":"x"})"),
                text_turn("Two.")}));
  Session session(options());
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(take_turn(session, "one").result);
  ASSERT_TRUE(session.set_model("haiku"));
  ASSERT_TRUE(session.set_permission_mode(PermissionMode::acceptEdits));
  const TakenTurn turn = take_turn(session, "two");
  ASSERT_TRUE(turn.result) << turn.result.error().what();
  const std::string used(model().requests().back()["model"].as_string());
  EXPECT_NE(used.find("haiku"), std::string::npos) << used;
  EXPECT_TRUE(std::filesystem::exists(work() / "made.txt")) << results_of(turn.messages);
}

TEST_F(AskingTest, TaskIsStopped) {
  if (!at_least({2, 1, 325})) GTEST_SKIP() << "older CLIs do not tell the id of a task";
  script(turns({tool_turn("Bash", R"({"command":"sleep 600","description":"Wait",
      "run_in_background":true})"),
                text_turn("Started."), text_turn("It was stopped.")}));
  Options o = options();
  o.tools.allowed = {"Bash"};
  Session session(o);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(take_turn(session, "start it").result);
  const auto tasks = session.ledger().tasks;
  ASSERT_EQ(tasks.size(), 1u);
  const auto stopped = session.tasks().stop(tasks.front().id);
  ASSERT_TRUE(stopped) << stopped.error().what();
  EXPECT_TRUE(read_until(session, [](const Message& message) {
    return std::holds_alternative<TaskNotification>(message);
  }));
}

}  // namespace
}  // namespace parley::real
