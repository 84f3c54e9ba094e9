// Each answer belongs to its question: after a timeout, an interrupt, a merged or a borrowed turn,
// with agents that name prompts and with agents that do not.
#include <future>
#include <thread>

#include "client/session/prompt_tracker.hpp"
#include "support.hpp"

namespace parley::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

/// Actions of the fake CLI.
std::string result(const std::string& text, const std::string& members = "") {
  return R"(out {"type":"result","subtype":"success","is_error":false,"session_id":"s","result":")" +
         text + "\"" + (members.empty() ? "" : "," + members) + "}\n";
}
std::string lifecycle(const std::string& uuid, const std::string& state) {
  return R"(out {"type":"command_lifecycle","command_uuid":")" + uuid + R"(","state":")" + state +
         "\"}\n";
}
std::string takes_up(const std::string& uuid) {
  return lifecycle(uuid, "queued") + lifecycle(uuid, "started");
}
const std::string kInit = R"(out {"type":"system","subtype":"init","session_id":"s"})"
                          "\n";
const std::string kToolResult =
    R"(out {"type":"user","message":{"role":"user","content":[{"type":"tool_result",)"
    R"("tool_use_id":"t","content":"ok"}]},"parent_tool_use_id":null,"session_id":"s"})"
    "\n";

Prompt named(const std::string& uuid) {
  Prompt prompt("prompt " + uuid);
  prompt.uuid = uuid;
  return prompt;
}

/// Each case with messages that are taken, and with messages that go to a callback.
class Asking : public ::testing::TestWithParam<bool> {
 protected:
  void start(const std::string& script) {
    Options options = fake("init\n" + script + "eof");
    if (GetParam()) options.delivery.on_message = [](const Message&) {};
    session_.emplace(std::move(options));
    ASSERT_TRUE(session_->connect());
  }
  /// The answer, or why there is none.
  std::string ask(const std::string& uuid, std::chrono::milliseconds timeout = kPatience) {
    const auto answer = session_->ask(named(uuid)).result(timeout);
    return answer ? answer->result.value_or("")
                  : "error " + std::to_string(static_cast<int>(answer.error().code()));
  }
  /// Asks what the script does not answer before it gets another prompt.
  void ask_in_vain(const std::string& uuid) {
    const auto answer = session_->ask(named(uuid)).result(20ms);
    ASSERT_FALSE(answer);
    ASSERT_EQ(answer.error().code(), ErrorCode::timeout) << answer.error().what();
  }
  std::optional<Session> session_;
};

INSTANTIATE_TEST_SUITE_P(All, Asking, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "OnMessage" : "Taken"; });

TEST_P(Asking, ALateAnswerIsNotTheNextOne) {
  start("expect prompt a\nexpect prompt b\n" + kInit + result("to a") + kInit + result("to b") +
        "expect prompt c\n" + kInit + result("to c"));
  ask_in_vain("a");
  EXPECT_EQ(ask("b"), "to b");
  EXPECT_EQ(ask("c"), "to c");
}

TEST_P(Asking, NamesCountForMoreThanTheOrder) {
  start("expect prompt a\n" + takes_up("a") + "expect prompt b\n" + lifecycle("b", "queued") +
        result("to a", R"("user_message_uuids":["a"])") + lifecycle("a", "completed") +
        result("of the agent's own") + lifecycle("b", "started") +
        result("to b", R"("user_message_uuid":"b")") + lifecycle("b", "completed"));
  ask_in_vain("a");
  EXPECT_EQ(ask("b"), "to b");
}

TEST_P(Asking, MergedPromptsHaveOneAnswer) {
  start("expect prompt a\n" + takes_up("a") + "expect prompt b\nexpect prompt c\n" +
        result("to a", R"("user_message_uuids":["a"])") + lifecycle("b", "started") +
        lifecycle("c", "started") + result("to b and c", R"("user_message_uuids":["b","c"])"));
  ask_in_vain("a");
  ask_in_vain("b");
  EXPECT_EQ(ask("c"), "to b and c");
}

TEST_P(Asking, APromptTakenIntoATurnIsAnsweredByIt) {
  start("expect prompt a\n" + takes_up("a") + "expect prompt b\n" + takes_up("b") +
        lifecycle("b", "completed") + result("to both", R"("user_message_uuids":["a","b"])") +
        lifecycle("a", "completed") + "expect prompt c\n" + takes_up("c") +
        result("to c", R"("user_message_uuids":["c"])"));
  ask_in_vain("a");
  EXPECT_EQ(ask("b"), "to both");
  EXPECT_EQ(ask("c"), "to c");
}

TEST_P(Asking, SoItIsWithAgentsThatNameNothing) {
  start("expect prompt a\n" + kInit + "expect prompt b\n" + kToolResult + result("to both") +
        "expect prompt c\n" + kInit + result("to c"));
  ask_in_vain("a");
  EXPECT_EQ(ask("b"), "to both");
  EXPECT_EQ(ask("c"), "to c");
}

TEST_P(Asking, AnInterruptedTurnIsNotTheNextAnswer) {
  start("expect prompt a\n" + kInit + "answer {}\n" +
        R"(out {"type":"result","subtype":"error_during_execution","is_error":true})" +
        "\nexpect prompt b\n" + kInit + result("to b"));
  ASSERT_TRUE(session_->send(named("a")));
  const auto receipt = session_->interrupt();
  ASSERT_TRUE(receipt && receipt->turn);
  EXPECT_EQ(ask("b"), "to b");
}

TEST_P(Asking, WhatIsWithdrawnHasNoAnswer) {
  start("expect prompt a\n" + takes_up("a") + "expect prompt b\n" + lifecycle("b", "queued") +
        lifecycle("b", "cancelled") + result("to a", R"("user_message_uuids":["a"])") +
        "expect prompt c\n" + takes_up("c") + result("to c", R"("user_message_uuids":["c"])"));
  ask_in_vain("a");
  const auto answer = session_->ask(named("b")).result(kPatience);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code(), ErrorCode::cancelled);
  EXPECT_EQ(ask("c"), "to c");
}

TEST_P(Asking, ARepeatedPromptIsNotWaitedForForEver) {
  start("expect prompt a\n" + takes_up("a") + result("to a", R"("user_message_uuids":["a"])") +
        "expect prompt a\n" + lifecycle("a", "completed"));
  EXPECT_EQ(ask("a"), "to a");
  const auto answer = session_->ask(named("a")).result(kPatience);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code(), ErrorCode::invalid);
  EXPECT_THAT(answer.error().what(), HasSubstr("does not run it again"));
}

TEST_P(Asking, WhoAsksAgainUnderTheSameNameGetsTheOneAnswer) {
  start("expect prompt a\n" + takes_up("a") + "expect prompt a\n" +
        result("to a", R"("user_message_uuids":["a"])"));
  ask_in_vain("a");
  EXPECT_EQ(ask("a"), "to a");
}

TEST_P(Asking, AFailedTurnIsAnErrorOfItsOwnQuestion) {
  start("expect prompt a\n" + takes_up("a") + "expect prompt b\n" +
        R"(out {"type":"result","subtype":"success","is_error":true,"result":"API Error",)" +
        R"("user_message_uuids":["a"]})" + "\n" + result("to b", R"("user_message_uuids":["b"])"));
  ask_in_vain("a");
  EXPECT_EQ(ask("b"), "to b");
}

TEST_P(Asking, EachOfSeveralThreadsGetsItsOwnAnswer) {
  // Answered in another order than asked, when all have been asked.
  start("expect prompt\nexpect prompt\nexpect prompt\n" + takes_up("a") + takes_up("b") +
        takes_up("c") + result("to b", R"("user_message_uuids":["b"])") +
        result("to c", R"("user_message_uuids":["c"])") +
        result("to a", R"("user_message_uuids":["a"])"));
  std::map<std::string, std::future<std::string>> answers;
  for (const char* uuid : {"a", "b", "c"}) {
    answers[uuid] = std::async(std::launch::async, [this, uuid] { return ask(uuid); });
  }
  for (auto& [uuid, answer] : answers) EXPECT_EQ(answer.get(), "to " + uuid);
}

TEST_P(Asking, ManyThreadsAskAnAgentThatNamesNothing) {
  std::string script;
  for (int i = 0; i < 40; ++i) script += "expect prompt\n" + kInit + result("to $UUID");
  start(script);
  std::map<std::string, std::future<std::string>> answers;
  for (int i = 0; i < 40; ++i) {
    const std::string uuid = "u" + std::to_string(i);
    answers[uuid] = std::async(std::launch::async, [this, uuid] { return ask(uuid); });
  }
  for (auto& [uuid, answer] : answers) EXPECT_EQ(answer.get(), "to " + uuid);
}

TEST_P(Asking, TheEndOfTheSessionEndsTheWaiting) {
  start("expect prompt a\nexit 3\n");
  const auto answer = session_->ask(named("a")).result(kPatience);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code(), ErrorCode::process);
}

TEST(AskingWhileAnotherReceives, IsAnsweredWhoeverTakesTheResult) {
  Session session(fake("init\nexpect prompt a\n" + takes_up("a") +
                       result("to a", R"("user_message_uuids":["a"])") + "eof"));
  ASSERT_TRUE(session.connect());
  std::jthread other([&] {
    while (session.receive()) {
    }
  });
  const auto answer = session.ask(named("a")).result(kPatience);
  ASSERT_TRUE(answer) << answer.error().what();
  EXPECT_EQ(answer->result, "to a");
  session.close();
}

// ---- the tracker alone --------------------------------------------------------------------------

using detail::PromptTracker;

Message message_of(const std::string& action) {
  return decode_message(std::string_view(action).substr(4)).value();
}

TEST(PromptTracker, GivesTheOldestToAgentsThatNameNothing) {
  PromptTracker prompts;
  prompts.sent("a");
  prompts.sent("b");
  EXPECT_THAT(prompts.see(message_of(result("x"))).uuids, ElementsAre("a"));
  EXPECT_THAT(prompts.see(message_of(result("x"))).uuids, ElementsAre("b"));
  EXPECT_THAT(prompts.see(message_of(result("x"))).uuids, IsEmpty());
}

TEST(PromptTracker, ATurnThatBeganWithoutAPromptAnswersNone) {
  PromptTracker prompts;
  prompts.sent("a");
  prompts.see(message_of(kInit));
  prompts.see(message_of(result("x")));
  prompts.see(message_of(kInit));  // a task has ended, say
  prompts.sent("b");
  EXPECT_THAT(prompts.see(message_of(result("x"))).uuids, IsEmpty());
  prompts.see(message_of(kInit));
  EXPECT_THAT(prompts.see(message_of(result("x"))).uuids, ElementsAre("b"));
}

TEST(PromptTracker, AnAgentThatBeginsOnceIsNoneThatBeginsByItself) {
  PromptTracker prompts;
  prompts.see(message_of(kInit));
  prompts.sent("a");
  EXPECT_THAT(prompts.see(message_of(result("x"))).uuids, ElementsAre("a"));
}

TEST(PromptTracker, TheLastNameStandsForAllThatWereTakenUp) {
  PromptTracker prompts;  // parley-agent names only the last prompt of a turn
  for (const char* uuid : {"a", "b", "c"}) prompts.sent(uuid);
  for (const char* uuid : {"a", "b"}) prompts.see(message_of(lifecycle(uuid, "started")));
  EXPECT_THAT(prompts.see(message_of(result("x", R"("user_message_uuid":"b")"))).uuids,
              UnorderedElementsAre("a", "b"));
}

TEST(PromptTracker, AReplayedPromptIsBeingAnswered) {
  PromptTracker prompts;
  prompts.sent("a");
  prompts.sent("b");
  prompts.see(message_of(
      R"(out {"type":"user","uuid":"b","isReplay":true,"message":{"role":"user","content":"x"}})"));
  EXPECT_THAT(prompts.see(message_of(result("x"))).uuids, ElementsAre("b"));
}

TEST(PromptTracker, AnAnsweredPromptThatIsRepeatedStandsInNobodysWay) {
  PromptTracker prompts;
  prompts.sent("a");
  prompts.see(message_of(result("x")));
  prompts.sent("a");
  prompts.sent("b");
  EXPECT_THAT(prompts.see(message_of(result("x"))).uuids, ElementsAre("b"));
}

TEST(PromptTracker, AnotherOnesPromptIsNoneOfOurs) {
  PromptTracker prompts;
  prompts.sent("a");
  prompts.see(message_of(lifecycle("a", "queued")));
  EXPECT_THAT(prompts.see(message_of(result("x", R"("user_message_uuids":["z"])"))).uuids,
              IsEmpty());
}

}  // namespace
}  // namespace parley::testing
