// Turns that a program holds, with an agent that queues, merges and begins turns as it likes: each
// answer belongs to its question.
#include <atomic>
#include <fstream>
#include <thread>

#include "support.hpp"

namespace parley::real {
namespace {

/// The model answers with "Answer 1.", "Answer 2." and so on, and an answer is to a prompt if the
/// request that led to it was the first to have the prompt in it.
class HeldTurnsTest : public RealCli {
 protected:
  void script_answers(int count, const std::vector<std::string>& before = {}) {
    std::vector<std::string> all = before;
    for (int i = 1; i <= count; ++i) all.push_back(text_turn("Answer " + std::to_string(i) + "."));
    script(turns(all));
    before_ = before.size();
  }
  /// The number of the model's answer that has to be that to a prompt with this text.
  std::size_t request_with(const std::string& prompt) {
    const auto requests = model().requests();
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (requests[i]["messages"].dump().find(prompt) != std::string::npos) return i;
    }
    ADD_FAILURE() << "the model has never seen " << prompt;
    return 0;
  }
  void expect_own_answer(const Result<std::string>& answer, const std::string& prompt) {
    ASSERT_TRUE(answer) << prompt << ": " << answer.error().what();
    EXPECT_EQ(*answer, "Answer " + std::to_string(request_with(prompt) + 1 - before_) + ".")
        << prompt;
  }
  /// Holds the first prompt back until it is told to go on.
  Options held_options() {
    Options o = options();
    o.hooks.on<hooks::UserPromptSubmit>([this](const hooks::UserPromptSubmit&) {
      if (first_.exchange(false)) {
        held_.set_value();
        go_on_.wait();
      }
      return no_opinion();
    });
    return o;
  }
  void wait_until_held() {
    ASSERT_EQ(held_.get_future().wait_for(kPatience), std::future_status::ready);
  }

  std::promise<void> held_, released_;

 private:
  std::shared_future<void> go_on_ = released_.get_future().share();
  std::atomic<bool> first_ = true;
  std::size_t before_ = 0;
};

TEST_F(HeldTurnsTest, ATimeoutIsNotTheEndOfATurn) {
  script_answers(2);
  Session session(held_options());
  ASSERT_TRUE(session.connect());
  Turn first = session.ask("PROMPT-ONE");
  wait_until_held();
  const auto late = first.result(1ms);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code(), ErrorCode::timeout);
  released_.set_value();
  expect_own_answer(session.ask("PROMPT-TWO").answer(kPatience), "PROMPT-TWO");
  expect_own_answer(first.answer(kPatience), "PROMPT-ONE");
}

TEST_F(HeldTurnsTest, ThreeThatWereQueued) {
  script_answers(4);
  Session session(held_options());
  ASSERT_TRUE(session.connect());
  Turn first = session.ask("PROMPT-ONE");
  wait_until_held();
  Turn second = session.ask("PROMPT-TWO");
  Turn third = session.ask("PROMPT-THREE");
  released_.set_value();
  expect_own_answer(third.answer(kPatience), "PROMPT-THREE");
  expect_own_answer(first.answer(kPatience), "PROMPT-ONE");
  expect_own_answer(second.answer(kPatience), "PROMPT-TWO");
  expect_own_answer(session.ask("PROMPT-FOUR").answer(kPatience), "PROMPT-FOUR");
}

TEST_F(HeldTurnsTest, OneThatWasInterrupted) {
  script_answers(2,
                 {R"({"hang_after":3,"content":[{"type":"text","text":"A long, long answer"}]})"});
  Options o = options();
  o.delivery.partial_messages = true;
  Session session(o);
  ASSERT_TRUE(session.connect());
  Turn first = session.ask("PROMPT-ONE");
  for (const Message& message : first) {
    if (message.is<StreamEvent>()) break;
  }
  const auto receipt = first.interrupt();
  ASSERT_TRUE(receipt) << receipt.error().what();
  EXPECT_EQ(first.result(kPatience).error().code(), ErrorCode::cancelled);
  expect_own_answer(session.ask("PROMPT-TWO").answer(kPatience), "PROMPT-TWO");
  expect_own_answer(session.ask("PROMPT-THREE").answer(kPatience), "PROMPT-THREE");
}

TEST_F(HeldTurnsTest, OneThatIsDroppedMidway) {
  script_answers(3);
  Options o = options();
  o.delivery.partial_messages = true;
  Session session(o);
  ASSERT_TRUE(session.connect());
  {
    Turn first = session.ask("PROMPT-ONE");
    for (const Message& message : first) {
      if (message.is<StreamEvent>()) break;
    }
  }
  Turn second = session.ask("PROMPT-TWO");
  std::string text;
  for (const std::string& piece : second.text()) text += piece;
  expect_own_answer(text, "PROMPT-TWO");
  expect_own_answer(session.ask("PROMPT-THREE").answer(kPatience), "PROMPT-THREE");
}

TEST_F(HeldTurnsTest, OfTwoThreads) {
  script_answers(8);
  Session session(options());
  ASSERT_TRUE(session.connect());
  const auto ask = [&](const std::string& who) {
    for (int i = 0; i < 4; ++i) {
      const std::string prompt = who + "-ASKS-" + std::to_string(i) + "-NOW";
      expect_own_answer(session.ask(prompt).answer(kPatience), prompt);
    }
  };
  std::jthread other([&] { ask("ONE"); });
  ask("TWO");
}

TEST_F(HeldTurnsTest, WithATurnOfTheAgentsOwnInBetween) {
  if (!at_least({2, 1, 325})) GTEST_SKIP() << "older CLIs do not begin turns of their own";
  // The command ends when there is a file, and the agent then tells the model by itself.
  script_answers(3, {tool_turn("Bash", R"({"command":"until [ -e gate ]; do sleep 0.05; done",
      "description":"Wait","run_in_background":true})")});
  Options o = options();
  o.tools.allowed = {"Bash"};
  Session session(o);
  ASSERT_TRUE(session.connect());
  Turn first = session.ask("PROMPT-ONE");
  EXPECT_EQ(first.answer(kPatience).value(), "Answer 1.");
  std::ofstream(work() / "gate") << "open";
  ASSERT_TRUE(read_until(session, [](const Message& message) {
    const auto* result = message.get_if<ResultMessage>();
    return result != nullptr && result->result == "Answer 2.";
  }));
  expect_own_answer(session.ask("PROMPT-TWO").answer(kPatience), "PROMPT-TWO");
}

}  // namespace
}  // namespace parley::real
