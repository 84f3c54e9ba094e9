// A CLI that misbehaves in every way we could think of. Each case ends in a typed error or a normal
// turn; none hangs, crashes, or leaves a descriptor or a process behind.
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "client/client.hpp"
#include "support.hpp"

namespace parley::testing {
namespace {

using ::testing::HasSubstr;

constexpr auto kResult =
    R"(out {"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s-1"})";
const std::string kAsk =
    R"(out {"type":"control_request","request_id":"p1","request":{"subtype":"can_use_tool",)"
    R"("tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"t1"}})";

/// Every test starts and ends with the same descriptors.
class Hostile : public ::testing::Test {
 protected:
  void SetUp() override { before_ = open_descriptors(); }
  void TearDown() override { EXPECT_EQ(open_descriptors(), before_); }

  /// Runs the script up to its first result and gives the outcome of the turn.
  static Result<ResultMessage> turn_of(Options options) {
    Session session(std::move(options));
    if (auto connected = session.connect(); !connected) return connected.error();
    return session.ask("go").result(kPatience);
  }
  static Result<ResultMessage> turn_of(const std::string& script) { return turn_of(fake(script)); }

  static void expect_done(const Result<ResultMessage>& turn) {
    ASSERT_TRUE(turn) << turn.error().what();
    EXPECT_EQ(turn->result, "done");
  }

 private:
  std::size_t before_ = 0;
};

/// Hears what a session has to say about odd input.
class Listener : public Observer {
 public:
  void on_bad_line(const Error& error, std::string_view) override {
    const std::lock_guard lock(mutex_);
    bad_.emplace_back(error.what());
    bell.ring();
  }
  void on_backpressure(bool paused) override {
    if (paused) ++pauses;
    pressure.ring();
  }
  std::vector<std::string> bad() {
    const std::lock_guard lock(mutex_);
    return bad_;
  }
  Bell bell, pressure;
  std::atomic<int> pauses{0};

 private:
  std::mutex mutex_;
  std::vector<std::string> bad_;
};

// ---- what is said
// --------------------------------------------------------------------------------

struct Odd {
  const char* name;
  const char* action;
};
class OddLine : public Hostile, public ::testing::WithParamInterface<Odd> {};

TEST_P(OddLine, DoesNotStopTheTurn) {
  expect_done(
      turn_of(std::string("init\nexpect user\n") + GetParam().action + "\n" + kResult + "\neof"));
}

INSTANTIATE_TEST_SUITE_P(
    All, OddLine,
    ::testing::Values(
        Odd{"UnknownType", R"(out {"type":"from_the_future","x":1})"},
        Odd{"UnknownSubtype", R"(out {"type":"system","subtype":"tomorrow"})"},
        Odd{"UnknownBlock",
            R"(out {"type":"assistant","message":{"role":"assistant","content":[{"type":"hologram"}]}})"},
        Odd{"UnknownEnumValue", R"(out {"type":"system","subtype":"status","status":"dreaming"})"},
        Odd{"NoType", R"(out {"a":1})"}, Odd{"TypeIsANumber", R"(out {"type":5})"},
        Odd{"AnArray", "out [1,2,3]"}, Odd{"ANumber", "out 42"}, Odd{"JustNull", "out null"},
        Odd{"Text", "out Debugger attached."}, Odd{"HalfALine", R"(raw {"type":"assi\n)"},
        Odd{"UnbalancedBraces", "out }}}}"}, Odd{"BlankLines", R"(raw \n\n\r\n\n)"},
        Odd{"InvalidUtf8", R"(raw {"type":"assistant\xff\xfe"}\n)"},
        Odd{"NulBytes", R"(raw \x00\x00\n)"},
        Odd{"LoneSurrogate", R"(out {"type":"prompt_suggestion","suggestion":"\ud800"})"},
        Odd{"NullForANumber",
            R"(out {"type":"system","subtype":"thinking_tokens","estimated_tokens":null})"},
        Odd{"ObjectForAString", R"(out {"type":"prompt_suggestion","suggestion":{}})"},
        Odd{"StringForAnObject", R"(out {"type":"assistant","message":"hello"})"},
        Odd{"HugeNumber",
            R"(out {"type":"system","subtype":"thinking_tokens","estimated_tokens":1e999})"},
        Odd{"AnswerToNobody",
            R"(out {"type":"control_response","response":{"subtype":"success","request_id":"zz"}})"},
        Odd{"AnswerWithoutId",
            R"(out {"type":"control_response","response":{"subtype":"success"}})"},
        Odd{"AnswerOfNoKind", R"(out {"type":"control_response","response":{}})"},
        Odd{"CancelOfNothing", R"(out {"type":"control_cancel_request","request_id":"zz"})"},
        Odd{"CancelWithoutId", R"(out {"type":"control_cancel_request"})"},
        Odd{"RequestWithoutId",
            R"(out {"type":"control_request","request":{"subtype":"can_use_tool","tool_name":"X","input":{}}})"},
        Odd{"RequestOfNoKind", R"(out {"type":"control_request","request_id":"q","request":{}})"},
        Odd{"TwoInitializeAnswers",
            R"(out {"type":"control_response","response":{"subtype":"success","request_id":"parley-1","response":{}}})"},
        Odd{"AFloodOfMessages", R"(flood 20000 {"type":"stream_event","event":{"type":"ping"}})"},
        Odd{"AFloodOfJunk", "flood 20000 junk"}, Odd{"AFloodOnStderr", "errflood 20000 noise"},
        Odd{"AStormOfCancels",
            R"(flood 20000 {"type":"control_cancel_request","request_id":"zz"})"},
        Odd{"StderrClosed", "close err"}),
    [](const auto& test) { return test.param.name; });

TEST_F(Hostile, DeepNestingIsOneBadLine) {
  const std::string deep(100'000, '[');
  expect_done(turn_of("init\nexpect user\nout " + deep + "\n" + kResult + "\neof"));
}

TEST_F(Hostile, A200MegabyteLineIsAMessage) {
  Options options = fake("init\nexpect user\nfill 200000000\n" + std::string(kResult) + "\neof");
  Session session(std::move(options));
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.send("go"));
  std::size_t length = 0;
  const auto turn = next_result(
      session, [&](const Message& message) { length = std::max(length, text_of(message).size()); });
  expect_done(turn);
  EXPECT_EQ(length, 200'000'000U);
}

TEST_F(Hostile, ALineBeyondTheLimitCostsThatLine) {
  Options options = fake("init\nexpect user\nfill 3000000\n" + std::string(kResult) + "\neof");
  options.buffers.line_bytes = 1'000'000;
  auto listener = std::make_shared<Listener>();
  options.delivery.observer = listener;
  expect_done(turn_of(std::move(options)));
  ASSERT_TRUE(listener->bell.wait());
  EXPECT_THAT(listener->bad().at(0), HasSubstr("longer than 1000000 bytes"));
}

TEST_F(Hostile, AMalformedResultStillEndsTheTurn) {
  const auto turn = turn_of(
      "init\nexpect user\nout {\"type\":\"result\",\"subtype\":\"success\",\"usage\":7}\neof");
  ASSERT_FALSE(turn);
  EXPECT_EQ(turn.error().code(), ErrorCode::remote);
  EXPECT_THAT(turn.error().what(), HasSubstr("malformed result"));
}

TEST_F(Hostile, ALastLineWithoutANewlineIsALine) {
  const std::string script =
      R"(init
expect user
raw {"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"hm"}]}}\n)"
      R"({"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s"}
exit 0)";
  EXPECT_EQ(query("go", fake(script)).text(), "done");
  expect_done(turn_of(script));
  Session session(fake(script));
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.send("go"));
  expect_done(next_result(session));
  const auto end = session.receive(kPatience);
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().code(), ErrorCode::end) << end.error().what();
  EXPECT_FALSE(session.failure());
}

TEST_F(Hostile, ALastLineThatWasCutOffIsNone) {
  auto listener = std::make_shared<Listener>();
  Options options = fake(R"(init
expect user
raw {"type":"result","subtype":"success","result":"do
exit 0)");
  options.delivery.observer = listener;
  const auto turn = turn_of(std::move(options));
  ASSERT_FALSE(turn);
  EXPECT_EQ(turn.error().code(), ErrorCode::process);
  ASSERT_TRUE(listener->bell.wait());
  EXPECT_THAT(listener->bad().at(0), HasSubstr("cut off"));
}

TEST_F(Hostile, UnknownMessagesAreDelivered) {
  Session session(fake("init\nexpect user\nout {\"type\":\"novel\",\"x\":1}\n" +
                       std::string(kResult) + "\neof"));
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.send("go"));
  std::string type;
  expect_done(next_result(session, [&](const Message& message) {
    if (const auto* unknown = std::get_if<Unknown>(&message)) type = unknown->type;
  }));
  EXPECT_EQ(type, "novel");
}

// ---- requests of ours
// ----------------------------------------------------------------------------

TEST_F(Hostile, BrokenPiecesOfAnAnswerCostThemselves) {
  const auto listener = std::make_shared<Listener>();
  Options options = fake(std::string(R"(init
expect user
out {"type":"stream_event","event":{"type":"message_stop"}}
out {"type":"stream_event","event":
out {"type":"stream_event","event":5}
out {"type":"stream_event","event":{"type":"ping"}}
)") + kResult + "\neof");
  options.delivery.observer = listener;
  Session session(options);
  session.connect().value();
  session.send("go").value();
  std::string order;
  while (!order.ends_with("result")) {
    const auto message = session.receive(kPatience).value();
    if (const auto* unknown = message.get_if<Unknown>()) {
      EXPECT_EQ(unknown->type, "stream_event");
      EXPECT_EQ(unknown->raw.text, R"({"type":"stream_event","event":5})");
      order += "unknown ";
    } else if (const auto* event = message.get_if<StreamEvent>()) {
      order += std::holds_alternative<StreamPing>(event->event) ? "ping " : "stop ";
    } else if (message.is<ResultMessage>()) {
      order += "result";
    }
  }
  EXPECT_EQ(order, "stop unknown ping result");
  session.close();
  EXPECT_EQ(listener->bad().size(), 2U);
}

TEST_F(Hostile, ABrokenPieceAloneIsNoMessage) {
  Session session(fake(R"(init
expect user
out {"type":"stream_event","event":
)" + std::string(kResult) +
                       "\neof"));
  session.connect().value();
  session.send("go").value();
  // The descriptor may say there is something when there is only the broken line; asking then
  // gives nothing yet, or what came behind it, and never an error.
  pollfd wanted{session.fd().value(), POLLIN, 0};
  for (bool done = false; !done;) {
    ASSERT_EQ(::poll(&wanted, 1, 20'000), 1);
    const auto message = session.try_receive();
    if (!message) {
      ASSERT_EQ(message.error().code(), ErrorCode::timeout);
      continue;
    }
    done = message->is<ResultMessage>();
  }
}

TEST_F(Hostile, AReplyNeverSentIsATimeout) {
  Session session(fake("init\neof"));
  ASSERT_TRUE(session.connect());
  const auto reply = session.request(control::GetUsage{}, 50ms);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code(), ErrorCode::timeout);
  EXPECT_EQ(reply.error().context(), "get_usage");
}

TEST_F(Hostile, AReplyOfAnotherShapeIsAnError) {
  Session session(fake("init\nanswer {\"models\":\"none\"}\neof"));
  ASSERT_TRUE(session.connect());
  const auto reply = session.info().models();
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code(), ErrorCode::unexpected);
}

TEST_F(Hostile, AReplySentTwiceCountsOnce) {
  Session session(
      fake("init\nanswer {\"model\":\"a\"}\nout {\"type\":\"control_response\","
           "\"response\":{\"subtype\":\"success\",\"request_id\":\"$ID\",\"response\":"
           "{\"model\":\"b\"}}}\nanswer {\"model\":\"c\"}\neof"));
  ASSERT_TRUE(session.connect());
  EXPECT_EQ(session.set_model("x").value(), "a");
  EXPECT_EQ(session.set_model("x").value(), "c");
}

TEST_F(Hostile, AMalformedReplyIsAnErrorAtOnce) {
  Session session(
      fake("init\nexpect set_model\nout {\"type\":\"control_response\",\"response\":"
           "{\"subtype\":\"error\",\"request_id\":\"$ID\",\"error\":7}}\neof"));
  ASSERT_TRUE(session.connect());
  EXPECT_EQ(session.set_model("x").error().code(), ErrorCode::unexpected);
}

TEST_F(Hostile, InitializeNeverAnsweredHasADeadline) {
  Options options = fake("err loading\nexpect initialize\neof");
  options.deadlines.initialize = 100ms;
  Session session(options);
  const auto connected = session.connect();
  ASSERT_FALSE(connected);
  EXPECT_EQ(connected.error().code(), ErrorCode::timeout);
  EXPECT_EQ(session.failure()->phase, Phase::initialize);
}

TEST_F(Hostile, InitializeRefusedIsAnError) {
  Session session(
      fake("expect initialize\nout {\"type\":\"control_response\",\"response\":{"
           "\"subtype\":\"error\",\"request_id\":\"$ID\",\"error\":\"bad hooks\"}}\neof"));
  const auto connected = session.connect();
  ASSERT_FALSE(connected);
  EXPECT_THAT(connected.error().what(), HasSubstr("bad hooks"));
}

TEST_F(Hostile, InitializeRefusedEndsWhatDidNotWaitForIt) {
  Session session(
      fake("expect initialize\nexpect user\nout {\"type\":\"control_response\",\"response\":{"
           "\"subtype\":\"error\",\"request_id\":\"parley-1\",\"error\":\"bad hooks\"}}\neof"));
  ASSERT_TRUE(session.start());
  ASSERT_TRUE(session.send("Hello"));
  const auto message = session.receive();
  ASSERT_FALSE(message);
  EXPECT_THAT(message.error().what(), HasSubstr("bad hooks"));
}

TEST_F(Hostile, RequestsAreServedBeforeInitializeIsAnswered) {
  Options options =
      fake("expect initialize\n" + kAsk +
           "\nexpect \"behavior\":\"allow\"\nout {\"type\":\"control_response\","
           "\"response\":{\"subtype\":\"success\",\"request_id\":\"parley-1\"}}\neof");
  options.on_permission = [](const PermissionAsk&) { return allow(); };
  Session session(std::move(options));
  EXPECT_TRUE(session.connect());
}

// ---- death
// ---------------------------------------------------------------------------------------

TEST_F(Hostile, DeathAtTheStart) {
  Session session(fake("err cannot load\nexit 7"));
  const auto connected = session.connect();
  ASSERT_FALSE(connected);
  EXPECT_EQ(connected.error().code(), ErrorCode::process);
  EXPECT_THAT(connected.error().what(), HasSubstr("cannot load"));
  ASSERT_TRUE(session.failure());
  EXPECT_EQ(session.failure()->exit.code, 7);
  EXPECT_EQ(session.failure()->phase, Phase::initialize);
}

TEST_F(Hostile, AnotherProgramIsToldByWhatItSaid) {
  Options options = fake("out Welcome to the wrong program\neof");
  // It never answers, so the time is always used up; on a busy machine it first needs some to
  // start.
  std::string told;
  for (options.deadlines.initialize = 100ms; options.deadlines.initialize < 60s;
       options.deadlines.initialize *= 2) {
    told = Session(options).connect().error().what();
    if (told.find("Welcome") != std::string::npos) break;
  }
  EXPECT_THAT(told, HasSubstr("Welcome to the wrong program"));
  try {
    (void)query("go", fake("out usage: tool FILE\nerr tool: no file\nexit 2")).text();
    FAIL() << "no exception";
  } catch (const ConnectionError& error) {
    const std::string text = error.what();
    EXPECT_THAT(text, HasSubstr("usage: tool FILE"));
    EXPECT_EQ(text.find("no file"), text.rfind("no file")) << "said once: " << text;
  }
}

TEST_F(Hostile, DeathInInitializeWithCodeZero) {
  Session session(fake("expect initialize\nexit 0"));
  const auto connected = session.connect();
  ASSERT_FALSE(connected);
  EXPECT_EQ(connected.error().code(), ErrorCode::process);
}

TEST_F(Hostile, AFailedResumeTellsWhatTheResultSaid) {
  Session session(
      fake("out {\"type\":\"result\",\"subtype\":\"error_during_execution\",\"is_error\":"
           "true,\"errors\":[\"No conversation found\"]}\nexit 1"));
  const auto connected = session.connect();
  ASSERT_FALSE(connected);
  EXPECT_THAT(connected.error().what(), HasSubstr("No conversation found"));
}

TEST_F(Hostile, DeathInTheMiddleOfALine) {
  const auto turn = turn_of("init\nexpect user\nraw {\"type\":\"assis\nexit 2");
  ASSERT_FALSE(turn);
  EXPECT_EQ(turn.error().code(), ErrorCode::process);
  EXPECT_THAT(turn.error().what(), HasSubstr("exit code 2"));
}

TEST_F(Hostile, DeathInTheMiddleOfATurnBySignal) {
  Session session(fake("init\nexpect user\ndie 11"));
  ASSERT_TRUE(session.connect());
  const auto turn = session.ask("go").result(kPatience);
  ASSERT_FALSE(turn);
  EXPECT_EQ(session.failure()->exit.signal, 11);
  EXPECT_EQ(session.failure()->phase, Phase::turn);
}

TEST_F(Hostile, ACleanExitInTheMiddleOfATurnIsStillAnError) {
  EXPECT_EQ(turn_of("init\nexpect user\nexit 0").error().code(), ErrorCode::process);
}

TEST_F(Hostile, DeathBetweenTurns) {
  Session session(fake("init\nturn one\nexit 9"));
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.ask("go").result(kPatience));
  const auto end = session.receive(kPatience);
  ASSERT_FALSE(end);
  EXPECT_EQ(session.failure()->phase, Phase::idle);
  EXPECT_EQ(session.send("more").error().code(), ErrorCode::process);
  EXPECT_EQ(session.set_model("x").error().code(), ErrorCode::process);
}

TEST_F(Hostile, DeathFailsEveryPendingRequestAtOnce) {
  Options options = fake("init\nexpect get_usage\nexit 5");
  options.deadlines.request = std::chrono::milliseconds(0);  // for ever
  Session session(std::move(options));
  ASSERT_TRUE(session.connect());
  EXPECT_EQ(session.info().usage().error().code(), ErrorCode::process);
}

TEST_F(Hostile, StdinClosedEarly) {
  Session session(
      fake("init\nclose in\nout {\"type\":\"prompt_suggestion\",\"suggestion\":\"now\"}\n"
           "hang"));
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.receive(kPatience));  // the pipe is closed by now
  const auto reply = session.info().usage();
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code(), ErrorCode::closed);
  EXPECT_EQ(session.send("x").error().code(), ErrorCode::closed);
}

TEST_F(Hostile, StdoutClosedEarly) {
  Options options = fake("init\nexpect user\nclose out\nhang");
  options.deadlines.close = 50ms;
  Session session(std::move(options));
  ASSERT_TRUE(session.connect());
  EXPECT_EQ(session.ask("go").result(kPatience).error().code(), ErrorCode::process);
}

TEST_F(Hostile, InputIsNeverReadAndPilesUpToALimit) {
  Options options = fake("init\nhang");
  options.buffers.unsent_bytes = 1 << 20;
  options.deadlines.close = 10ms;
  Session session(std::move(options));
  ASSERT_TRUE(session.connect());
  const std::string big(1 << 19, 'x');
  std::optional<Error> error;
  for (int i = 0; i < 100 && !error; ++i) {
    if (auto sent = session.send(big); !sent) error = sent.error();
  }
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::too_large);
}

TEST_F(Hostile, ACliThatIgnoresSigtermIsKilled) {
  Options options = fake("ignore 15\ninit\nhang");
  options.deadlines.close = 20ms;
  options.deadlines.kill = 20ms;
  Session session(std::move(options));
  ASSERT_TRUE(session.connect());
  const int pid = session.pid().value();
  session.close();
  EXPECT_EQ(::kill(pid, 0), -1);
}

TEST_F(Hostile, AGrandchildThatHoldsThePipesDoesNotHoldTheEnd) {
  Session session(fake("init\nturn one\ngrandchild\nexit 3"));
  ASSERT_TRUE(session.connect());
  const int group = session.pid().value();
  ASSERT_TRUE(session.ask("go").result(kPatience));
  EXPECT_EQ(session.receive(kPatience).error().code(), ErrorCode::process);
  ::kill(-group, SIGKILL);
}

// ---- the consumer
// --------------------------------------------------------------------------------

TEST_F(Hostile, AStalledConsumerStopsTheReader) {
  Options options = fake(
      "init\nexpect user\nflood 100000 {\"type\":\"stream_event\",\"event\":{\"type\":\"ping\"},"
      "\"uuid\":\"0123456789012345678901234567890123456789\"}\n" +
      std::string(kResult) + "\neof");
  auto listener = std::make_shared<Listener>();
  options.delivery.observer = listener;
  Session session(std::move(options));
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.send("go"));
  ASSERT_TRUE(listener->pressure.wait());
  std::size_t messages = 0;
  expect_done(next_result(session, [&](const Message&) { ++messages; }));
  EXPECT_EQ(messages, 100'001U);
  EXPECT_GT(listener->pauses.load(), 0);
}

TEST_F(Hostile, ARequestIsAnsweredBehindUnreadMessages) {
  Session session(
      fake("init\nflood 1500 {\"type\":\"stream_event\",\"event\":{\"type\":\"ping\"}}\n"
           "answer {\"model\":\"late\"}\neof"));
  ASSERT_TRUE(session.connect());
  EXPECT_EQ(session.set_model("x").value(), "late");
}

TEST_F(Hostile, ClosingWhileAnotherThreadReceives) {
  Session session(fake("init\neof"));
  ASSERT_TRUE(session.connect());
  Result<Message> got = Message();
  std::thread reader([&] { got = session.receive(); });
  session.close();
  reader.join();
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code(), ErrorCode::closed);
}

TEST_F(Hostile, ClosingWithUnreadMessages) {
  Session session(
      fake("init\nexpect user\nflood 100000 {\"type\":\"stream_event\",\"event\":{\"type\":"
           "\"ping\"}}\neof"));
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.send("go"));
  session.close();
}

TEST_F(Hostile, ASessionThatWasNeverConnected) {
  Session session(fake("init"));
  EXPECT_EQ(session.receive().error().code(), ErrorCode::invalid);
  EXPECT_EQ(session.send("x").error().code(), ErrorCode::invalid);
  EXPECT_EQ(session.info().usage().error().code(), ErrorCode::invalid);
  session.close();
}

TEST_F(Hostile, ConnectingTwice) {
  Session session(fake("init\neof"));
  ASSERT_TRUE(session.connect());
  EXPECT_EQ(session.connect().error().code(), ErrorCode::invalid);
}

// ---- many, and the host's own death
// --------------------------------------------------------------

TEST_F(Hostile, AHundredSessionsAndOneIsKilled) {
  constexpr int kCount = 100;
  std::vector<Session> sessions;
  for (int i = 0; i < kCount; ++i) {
    sessions.emplace_back(fake("init\nturns done"));
    ASSERT_TRUE(sessions.back().start());
  }
  for (Session& session : sessions) ASSERT_TRUE(session.wait_ready(kPatience));
  ::kill(sessions[42].pid().value(), SIGKILL);
  EXPECT_FALSE(sessions[42].receive(kPatience));
  EXPECT_EQ(sessions[42].failure()->exit.signal, SIGKILL);
  for (int i = 0; i < kCount; ++i) {
    if (i != 42) expect_done(sessions[static_cast<std::size_t>(i)].ask("go").result(kPatience));
  }
}

TEST_F(Hostile, NoChildSurvivesAKilledHost) {
  // The host is a process of its own: it starts a stubborn CLI, tells its pid, and is killed.
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t host = ::fork();
  if (host == 0) {
    const std::string fd = std::to_string(ends[1]);
    ::execl("/proc/self/exe", "host", "--gtest_filter=HostProcess.DISABLED_Main",
            "--gtest_also_run_disabled_tests", ("--pid_fd=" + fd).c_str(), nullptr);
    ::_exit(1);
  }
  ::close(ends[1]);
  int child = 0;
  ASSERT_EQ(::read(ends[0], &child, sizeof child), static_cast<ssize_t>(sizeof child));
  ASSERT_EQ(::kill(child, 0), 0);
  ::kill(host, SIGKILL);
  int status = 0;
  ::waitpid(host, &status, 0);
  // The child held the pipe's write end through nothing; it is gone when /proc no longer knows it
  // as a running process.
  const auto gone = [child] {
    std::ifstream stat("/proc/" + std::to_string(child) + "/stat");
    std::string line;
    return !std::getline(stat, line) || line.find(") Z ") != std::string::npos ||
           line.find(") X ") != std::string::npos;
  };
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!gone() && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  EXPECT_TRUE(gone());
  ::close(ends[0]);
}

std::string g_pid_fd;

TEST(HostProcess, DISABLED_Main) {
  Session session(fake("ignore 15\ninit\nhang"));
  if (!session.connect()) ::_exit(2);
  const int pid = session.pid().value();
  (void)!::write(std::stoi(g_pid_fd), &pid, sizeof pid);
  for (;;) ::pause();
}

}  // namespace
}  // namespace parley::testing

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.starts_with("--pid_fd=")) parley::testing::g_pid_fd = argument.substr(9);
  }
  return RUN_ALL_TESTS();
}
