// A turn that is held: its messages, its text, its end, and what becomes of the rest.
#include <atomic>
#include <thread>

#include "support.hpp"

namespace parley::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kInit = R"(out {"type":"system","subtype":"init","session_id":"s"})"
                          "\n";

std::string says(const std::string& text) {
  return R"(out {"type":"assistant","message":{"role":"assistant","content":[{"type":"text",)"
         R"("text":")" +
         text + R"("}]},"session_id":"s"})" + "\n";
}
std::string writes(const std::string& text) {
  return R"(out {"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":)"
         R"({"type":"text_delta","text":")" +
         text + R"("}},"session_id":"s"})" + "\n";
}
std::string lifecycle(const std::string& uuid, const std::string& state) {
  return R"(out {"type":"command_lifecycle","command_uuid":")" + uuid + R"(","state":")" + state +
         "\"}\n";
}
std::string answers(const std::string& text, const std::string& uuids = "") {
  return R"(out {"type":"result","subtype":"success","is_error":false,"session_id":"s","result":")" +
         text + "\"" + (uuids.empty() ? "" : R"(,"user_message_uuids":[)" + uuids + "]") + "}\n";
}
/// A whole turn of an agent that names prompts.
std::string named_turn(const std::string& uuid) {
  return lifecycle(uuid, "queued") + lifecycle(uuid, "started") + kInit + says("about " + uuid) +
         answers("to " + uuid, "\"" + uuid + "\"") + lifecycle(uuid, "completed");
}
/// And of one that does not.
std::string plain_turn(const std::string& text) {
  return kInit + says("about " + text) + answers("to " + text);
}

Prompt named(const std::string& uuid) {
  Prompt prompt("prompt " + uuid);
  prompt.uuid = uuid;
  return prompt;
}

/// What the assistant says in the turn, and the result as the last.
std::vector<std::string> all_of(Turn& turn) {
  std::vector<std::string> texts;
  while (const auto message = turn.next(kPatience)) {
    if (const auto* result = message->get_if<ResultMessage>()) {
      texts.push_back(result->result.value_or(""));
    } else if (!text_of(*message).empty()) {
      texts.push_back(text_of(*message));
    }
  }
  return texts;
}

std::vector<std::string> received(Session& session) {
  std::vector<std::string> texts;
  while (const auto message = session.try_receive()) {
    if (!text_of(*message).empty()) texts.push_back(text_of(*message));
  }
  return texts;
}

class Turns : public ::testing::Test {
 protected:
  Session& start(const std::string& script, Options options = {}) {
    Options faked = fake("init\n" + script + "eof");
    options.cli = faked.cli;
    options.process.environment = faked.process.environment;
    options.deadlines = faked.deadlines;
    session_.emplace(std::move(options));
    EXPECT_TRUE(session_->connect());
    return *session_;
  }
  std::optional<Session> session_;
};

TEST_F(Turns, HasItsMessagesAndItsResult) {
  Session& session = start("expect prompt a\n" + plain_turn("a"));
  Turn turn = session.ask(named("a"));
  EXPECT_EQ(turn.uuid(), "a");
  EXPECT_THAT(all_of(turn), ElementsAre("about a", "to a"));
  EXPECT_EQ(turn.next().error().code(), ErrorCode::end);
  EXPECT_TRUE(turn.over());
  EXPECT_EQ(turn.result()->result, "to a");
  EXPECT_EQ(turn.answer().value(), "to a");  // as often as you like
}

TEST_F(Turns, AreWalkedInALoop) {
  Session& session = start("expect prompt a\n" + plain_turn("a"));
  std::vector<std::string> lines;
  Turn turn = session.ask(named("a"));
  for (const Message& message : turn) lines.push_back(to_string(message));
  EXPECT_THAT(lines, ElementsAre("system/init", "assistant: \"about a\"", "result: \"to a\""));
}

TEST_F(Turns, ThatWereQueuedMayBeReadInAnyOrder) {
  Session& session = start("expect prompt a\nexpect prompt b\nexpect prompt c\n" + named_turn("a") +
                           named_turn("b") + named_turn("c"));
  Turn a = session.ask(named("a"));
  Turn b = session.ask(named("b"));
  Turn c = session.ask(named("c"));
  EXPECT_THAT(all_of(c), ElementsAre("about c", "to c"));
  EXPECT_EQ(b.result(kPatience)->result, "to b");
  EXPECT_THAT(all_of(a), ElementsAre("about a", "to a"));
  EXPECT_THAT(received(session), IsEmpty());
}

TEST_F(Turns, ThatWereMergedShareTheirMessages) {
  Session& session = start("expect prompt a\nexpect prompt b\n" + lifecycle("a", "queued") +
                           lifecycle("a", "started") + kInit + says("before") +
                           lifecycle("b", "queued") + lifecycle("b", "started") + says("after") +
                           writes("piece") + answers("to both", R"("a","b")"));
  Turn a = session.ask(named("a"));
  Turn b = session.ask(named("b"));
  EXPECT_THAT(all_of(a), ElementsAre("before", "after", "to both"));
  EXPECT_THAT(all_of(b), ElementsAre("after", "to both"));
}

TEST_F(Turns, OfTheAgentItselfAreReceived) {
  Session& session = start("expect prompt a\n" + named_turn("a") + kInit + says("a task ended") +
                           answers("by itself") + "expect prompt b\n" + named_turn("b"));
  Turn a = session.ask(named("a"));
  EXPECT_EQ(a.result(kPatience)->result, "to a");
  Turn b = session.ask(named("b"));
  EXPECT_THAT(all_of(b), ElementsAre("about b", "to b"));
  EXPECT_THAT(received(session), ElementsAre("a task ended"));
}

TEST_F(Turns, OfTheAgentItselfAreReceivedWhileAPromptWaits) {
  Session& session =
      start("expect prompt a\n" + named_turn("a") + "expect prompt b\n" + lifecycle("b", "queued") +
            kInit + says("a task ended") + answers("by itself") + lifecycle("b", "started") +
            kInit + says("about b") + answers("to b", "\"b\""));
  EXPECT_EQ(session.ask(named("a")).answer(kPatience).value(), "to a");
  Turn b = session.ask(named("b"));
  EXPECT_THAT(all_of(b), ElementsAre("about b", "to b"));
  EXPECT_THAT(received(session), ElementsAre("a task ended"));
}

TEST_F(Turns, ThatNobodyHoldsAreReceived) {
  Session& session =
      start("expect prompt a\n" + named_turn("a") + "expect prompt b\n" + named_turn("b"));
  ASSERT_TRUE(session.send(named("a")));
  Turn b = session.ask(named("b"));
  EXPECT_EQ(b.result(kPatience)->result, "to b");
  EXPECT_THAT(received(session), ElementsAre("about a"));
}

TEST_F(Turns, AreLostForNobodyElseWhenDropped) {
  Session& session = start("expect prompt a\nexpect prompt b\n" + lifecycle("a", "started") +
                           kInit + says("first") + "expect go_on\n" + says("second") +
                           writes("piece") + answers("to a", "\"a\"") + named_turn("b"));
  std::optional<Turn> a = session.ask(named("a"));
  Turn b = session.ask(named("b"));
  while (text_of(a->next(kPatience).value()) != "first") {
  }
  a.reset();
  ASSERT_TRUE(session.send_raw(RawJson(R"({"type":"go_on"})")));
  EXPECT_THAT(all_of(b), ElementsAre("about b", "to b"));
  EXPECT_THAT(received(session), IsEmpty());
  EXPECT_EQ(session.last_result()->result, "to b");
}

TEST_F(Turns, GiveTheirTextAsItIsWritten) {
  Session& session = start("expect prompt a\n" + kInit + writes("Hel") + writes("lo") +
                           says("Hello") + says("World") + answers("World"));
  std::vector<std::string> pieces;
  Turn turn = session.ask(named("a"));
  for (const std::string& piece : turn.text()) pieces.push_back(piece);
  EXPECT_THAT(pieces, ElementsAre("Hel", "lo", "World"));
}

TEST_F(Turns, TextEndsWithTheErrorOfTheTurn) {
  Session& session =
      start("expect prompt a\n" + kInit + says("Hm") +
            R"(out {"type":"result","subtype":"success","is_error":true,"result":"API Error: 500"})"
            "\n");
  Turn turn = session.ask(named("a"));
  auto text = turn.text();
  EXPECT_EQ(text.next(kPatience).value(), "Hm");
  const auto end = text.next(kPatience);
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().code(), ErrorCode::remote);
}

TEST_F(Turns, GoOnAfterATimeout) {
  Session& session = start("expect prompt a\nexpect go_on\n" + plain_turn("a"));
  Turn turn = session.ask(named("a"));
  const auto late = turn.result(10ms);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code(), ErrorCode::timeout);
  EXPECT_THAT(late.error().what(), HasSubstr("wait again or interrupt it"));
  EXPECT_FALSE(turn.over());
  ASSERT_TRUE(session.send_raw(RawJson(R"({"type":"go_on"})")));
  EXPECT_EQ(turn.result(kPatience)->result, "to a");
}

TEST_F(Turns, AreInterruptedWhileTheyRun) {
  Session& session = start("expect prompt a\n" + lifecycle("a", "started") + kInit +
                           "answer {}\n"
                           R"(out {"type":"result","subtype":"error_during_execution",)"
                           R"("is_error":true,"user_message_uuids":["a"]})"
                           "\nexpect prompt b\n" +
                           named_turn("b"));
  Turn turn = session.ask(named("a"));
  while (!turn.next(kPatience).value().is<SystemInit>()) {
  }
  const auto receipt = turn.interrupt();
  ASSERT_TRUE(receipt) << receipt.error().what();
  EXPECT_TRUE(receipt->turn);
  EXPECT_FALSE(turn.result(kPatience));
  EXPECT_EQ(session.ask(named("b")).answer(kPatience).value(), "to b");
  EXPECT_TRUE(turn.interrupt());  // there is nothing left to stop
}

TEST_F(Turns, AreWithdrawnBeforeTheyBegin) {
  Session& session = start("expect prompt a\n" + lifecycle("a", "started") + kInit +
                           "expect prompt b\n" + lifecycle("b", "queued") +
                           R"(answer {"cancelled":true})"
                           "\n" +
                           answers("to a", "\"a\""));
  Turn a = session.ask(named("a"));
  Turn b = session.ask(named("b"));
  while (!a.next(kPatience).value().is<SystemInit>()) {
  }
  const auto receipt = b.interrupt();
  ASSERT_TRUE(receipt) << receipt.error().what();
  EXPECT_THAT(receipt->cancelled, ElementsAre("b"));
  EXPECT_EQ(b.result(kPatience).error().code(), ErrorCode::cancelled);
  EXPECT_EQ(a.result(kPatience)->result, "to a");
}

TEST_F(Turns, ThatCouldNotBeSentSaySo) {
  Session session(fake("init\neof"));
  EXPECT_EQ(session.ask("too early").result().error().code(), ErrorCode::invalid);
  ASSERT_TRUE(session.connect());
  EXPECT_EQ(session.ask(Prompt()).result().error().code(), ErrorCode::invalid);
  Prompt note("for the record");
  note.query = false;
  EXPECT_THAT(session.ask(note).result().error().what(), HasSubstr("use send()"));
  session.close();
  EXPECT_EQ(session.ask("too late").next().error().code(), ErrorCode::closed);
}

TEST_F(Turns, AreNotTheAnswerToANote) {
  Session& session = start("expect for the record\nexpect prompt a\n" + plain_turn("a"));
  Prompt note("for the record");
  note.query = false;
  ASSERT_TRUE(session.send(note));
  EXPECT_EQ(session.ask(named("a")).answer(kPatience).value(), "to a");
}

TEST_F(Turns, OutliveTheirSession) {
  Session& session = start("expect prompt a\n" + kInit);
  Turn turn = session.ask(named("a"));
  std::jthread closer([&] { session_.reset(); });
  EXPECT_EQ(turn.result(kPatience).error().code(), ErrorCode::closed);
}

TEST_F(Turns, GoToTheCallbackIfThereIsOne) {
  Options options;
  std::atomic<int> results{0};
  options.delivery.on_message = [&](const Message& message) {
    results += message.is<ResultMessage>();
  };
  Session& session = start("expect prompt a\n" + plain_turn("a"), options);
  Turn turn = session.ask(named("a"));
  EXPECT_EQ(turn.next().error().code(), ErrorCode::invalid);
  EXPECT_EQ(turn.fd().error().code(), ErrorCode::invalid);
  EXPECT_EQ(turn.result(kPatience)->result, "to a");
  EXPECT_EQ(results, 1);  // it was there first
}

// ---- what nobody reads --------------------------------------------------------------------------

Options tight() {
  Options options;
  options.buffers.queue_bytes = 4096;
  options.buffers.queue_messages = 16;
  return options;
}

TEST_F(Turns, UnreadOnesStandInTheWayUntilTheyAreDropped) {
  Session& session =
      start("expect prompt a\nexpect prompt b\n" + lifecycle("a", "started") + "flood 1000 " +
                says("unread $N").substr(4) + answers("to a", "\"a\"") + named_turn("b"),
            tight());
  std::optional<Turn> a = session.ask(named("a"));
  Turn b = session.ask(named("b"));
  const auto stuck = b.result(kPatience);
  ASSERT_FALSE(stuck);
  EXPECT_EQ(stuck.error().code(), ErrorCode::too_large);
  EXPECT_THAT(stuck.error().what(), HasSubstr("read them or drop their handles"));
  a.reset();
  EXPECT_EQ(b.result(kPatience)->result, "to b");
}

TEST_F(Turns, UnreadOnesAreWhole) {
  Session& session =
      start("expect prompt a\nexpect prompt b\n" + lifecycle("a", "started") + "flood 1000 " +
                says("unread $N").substr(4) + answers("to a", "\"a\"") + named_turn("b"),
            tight());
  Turn a = session.ask(named("a"));
  Turn b = session.ask(named("b"));
  ASSERT_FALSE(b.result(kPatience));
  const auto texts = all_of(a);
  ASSERT_EQ(texts.size(), 1001u);
  EXPECT_EQ(texts[999], "unread 999");
  EXPECT_EQ(b.result(kPatience)->result, "to b");
}

struct Warnings : Observer {
  void on_warning(std::string_view text) override {
    const std::lock_guard lock(mutex);
    texts.emplace_back(text);
  }
  std::mutex mutex;
  std::vector<std::string> texts;
};

TEST_F(Turns, AreNotHeldUpByWhatNobodyReceives) {
  Options options = tight();
  const auto warnings = std::make_shared<Warnings>();
  options.delivery.observer = warnings;
  Session& session =
      start("expect prompt a\n" + named_turn("a") + "flood 5000 " +
                says("of its own $N").substr(4) + "expect prompt b\n" + named_turn("b"),
            options);
  EXPECT_EQ(session.ask(named("a")).answer(kPatience).value(), "to a");
  EXPECT_EQ(session.ask(named("b")).answer(kPatience).value(), "to b");
  session.close();
  const std::lock_guard lock(warnings->mutex);
  ASSERT_FALSE(warnings->texts.empty());
  EXPECT_THAT(warnings->texts.front(), HasSubstr("belong to no turn were dropped"));
}

TEST_F(Turns, WaitForWhoeverReceives) {
  Session& session =
      start("expect prompt a\n" + named_turn("a") + "flood 5000 " +
                says("of its own $N").substr(4) + "expect prompt b\n" + named_turn("b"),
            tight());
  std::atomic<int> heard{0};
  EXPECT_FALSE(session.try_receive());  // from here on nothing may be dropped
  std::jthread receiver([&] {
    while (const auto message = session.receive()) heard += !text_of(*message).empty();
  });
  EXPECT_EQ(session.ask(named("a")).answer(kPatience).value(), "to a");
  EXPECT_EQ(session.ask(named("b")).answer(kPatience).value(), "to b");
  session.end_input();
  receiver.join();
  EXPECT_EQ(heard, 5000);
}

// ---- one way to fail ----------------------------------------------------------------------------

template <class Exception>
const Failure failure_thrown(const std::function<void()>& attempt) {
  try {
    attempt();
  } catch (const Exception& error) {
    return error.failure();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another exception: " << error.what();
  }
  return {};
}

TEST(OneWayToFail, OfAValueAsOfAQuery) {
  const std::string dies = "init\nexpect user\nerr no luck\nexit 3";
  const auto of_query = failure_thrown<ProcessError>([&] { (void)query("x", fake(dies)).text(); });
  const auto of_value = failure_thrown<ProcessError>([&] {
    Session session(fake(dies));
    session.connect().value();
    session.ask("x").answer(kPatience).value();
  });
  for (const Failure& failure : {of_query, of_value}) {
    EXPECT_EQ(failure.phase, Phase::turn);
    EXPECT_EQ(failure.exit.code, 3);
    EXPECT_THAT(failure.stderr_tail, HasSubstr("no luck"));
  }
}

TEST(OneWayToFail, NamesWhatHappened) {
  Options missing;
  missing.cli.program = "/nonexistent/cli";
  EXPECT_THROW(Session(missing).connect().value(), CliNotFound);
  EXPECT_THROW(Session(fake("expect initialize\nexit 3")).connect().value(), ConnectionError);

  Session failing(fake("init\nexpect user\n" + kInit +
                       R"(out {"type":"result","subtype":"success","is_error":true,)"
                       R"("result":"API Error: 500"})"
                       "\neof"));
  ASSERT_TRUE(failing.connect());
  const auto of_result =
      failure_thrown<ResultError>([&] { failing.ask("x").result(kPatience).value(); });
  ASSERT_TRUE(of_result.last_result);
  EXPECT_EQ(of_result.last_result->result, "API Error: 500");

  Session silent(fake("init\nexpect user\neof"));
  ASSERT_TRUE(silent.connect());
  const auto of_timeout =
      failure_thrown<TimeoutError>([&] { silent.ask("x").result(1ms).value(); });
  EXPECT_EQ(of_timeout.phase, Phase::turn);
  EXPECT_THROW(silent.request(RawJson("{")).value(), Error);
  EXPECT_EQ(failure_of(silent.request(RawJson("{")).error()), nullptr);
}

TEST(Messages, ReadWell) {
  const Message message =
      decode_message(R"({"type":"result","subtype":"success","duration_ms":1500,)"
                     R"("total_cost_usd":0.25,"result":"line\none\u001b[31m"})")
          .value();
  EXPECT_TRUE(message.is<ResultMessage>());
  EXPECT_EQ(message.get_if<SystemInit>(), nullptr);
  EXPECT_EQ(
      message.visit([](const ResultMessage& result) { return result.duration_ms.value_or(0); },
                    [](const auto&) { return 0.0; }),
      1500);
  EXPECT_EQ(to_string(message), "result after 1.5 s, $0.2500 so far: \"line one [31m\"");
  EXPECT_EQ(to_string(decode_message(R"({"type":"system","subtype":"status"})").value()),
            "system/status");
  EXPECT_EQ(to_string(decode_message(R"({"type":"novelty"})").value()), "novelty");
}

}  // namespace
}  // namespace parley::testing
