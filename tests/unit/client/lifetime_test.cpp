// Who may start, use and end a session, and when: from inside its own callbacks, from other threads
// in the middle of connect(), half-way through a query, and after it was moved from. Nothing hangs,
// nothing is called afterwards, and no process is left.
#include <signal.h>
#include <sys/epoll.h>

#include <atomic>
#include <cerrno>
#include <thread>

#include "client/client.hpp"
#include "client/shared/pool.hpp"
#include "support.hpp"
#include "support/files/unique_fd.hpp"
#include "transport/process.hpp"

namespace parley::testing {
namespace {

const std::string kPing = R"({"type":"stream_event","event":{"type":"ping"},"uuid":"u"})";
const std::string kAsk =
    R"(out {"type":"control_request","request_id":"q","request":{"subtype":"can_use_tool",)"
    R"("tool_name":"Bash","input":{},"tool_use_id":"t1"}})";

bool is_gone(int pid) { return ::kill(pid, 0) == -1; }

class Lifetime : public ::testing::Test {
 protected:
  void SetUp() override { before_ = open_descriptors(); }
  void TearDown() override {
    session_.reset();
    // A callback that has destroyed its session may still be on its way out.
    const auto limit = std::chrono::steady_clock::now() + kPatience;
    while (open_descriptors() != before_ && std::chrono::steady_clock::now() < limit) {
      std::this_thread::yield();
    }
    EXPECT_EQ(open_descriptors(), before_);
  }

  /// A session that is destroyed by one of its own callbacks, which may outlive the test.
  struct Doomed {
    std::unique_ptr<Session> session;
    std::once_flag once;
    Bell destroyed;
  };
  const std::shared_ptr<Doomed> doomed_ = std::make_shared<Doomed>();
  /// The first of several calls destroys it.
  const std::function<void()> destroy_ = [doomed = doomed_] {
    std::call_once(doomed->once, [&doomed] {
      doomed->session.reset();
      doomed->destroyed.ring();
    });
  };
  /// The options have a callback that calls `destroy_`.
  void expect_destroyed(Options options) {
    doomed_->session = std::make_unique<Session>(std::move(options));
    ASSERT_TRUE(doomed_->session->connect());
    const int pid = doomed_->session->pid().value();
    ASSERT_TRUE(doomed_->session->send("go"));
    ASSERT_TRUE(doomed_->destroyed.wait());
    EXPECT_TRUE(is_gone(pid));
  }

  std::unique_ptr<Session> session_;

 private:
  std::size_t before_ = 0;
};

// ---- destroyed from inside ----------------------------------------------------------------------

TEST_F(Lifetime, OnMessageMayDestroyItsSession) {
  Options options = fake("init\nexpect user\nflood 2000 " + kPing + "\neof");
  const auto calls = std::make_shared<std::atomic<int>>(0);
  options.delivery.on_message = [calls, destroy = destroy_](const Message&) {
    ++*calls;
    destroy();
  };
  expect_destroyed(std::move(options));
  EXPECT_EQ(*calls, 1);
}

TEST_F(Lifetime, APermissionHandlerMayDestroyItsSession) {
  Options options = fake("init\nexpect user\n" + kAsk + "\neof");
  options.on_permission = [destroy = destroy_](const PermissionAsk&) {
    destroy();
    return allow();
  };
  expect_destroyed(std::move(options));
}

TEST_F(Lifetime, AStopCallbackMayDestroyItsSession) {
  Options options = fake("init\nexpect user\n" + kAsk +
                         "\nout {\"type\":\"control_cancel_request\",\"request_id\":\"q\"}\neof");
  options.on_permission = [doomed = doomed_, destroy = destroy_](const PermissionAsk& ask) {
    const std::stop_callback on_stop(ask.stop, destroy);
    EXPECT_TRUE(doomed->destroyed.wait());
    return allow();
  };
  expect_destroyed(std::move(options));
}

TEST_F(Lifetime, OnStderrMayDestroyItsSession) {
  Options options = fake("init\nexpect user\nerr one\nerr two\neof");
  options.delivery.on_stderr = [destroy = destroy_](std::string_view) { destroy(); };
  expect_destroyed(std::move(options));
}

TEST_F(Lifetime, AnObserverMayDestroyItsSession) {
  struct Destroyer : Observer {
    explicit Destroyer(std::function<void()> call) : destroy(std::move(call)) {}
    void on_bad_line(const Error&, std::string_view) override { destroy(); }
    std::function<void()> destroy;
  };
  Options options = fake("init\nexpect user\nout junk\neof");
  options.delivery.observer = std::make_shared<Destroyer>(destroy_);
  expect_destroyed(std::move(options));
}

TEST_F(Lifetime, AStoreMayDestroyItsSession) {
  struct Store : SessionStore {
    explicit Store(std::function<void()> call) : destroy(std::move(call)) {}
    Result<void> append(const SessionKey&, const std::vector<RawJson>&) override {
      destroy();
      return {};
    }
    Result<std::optional<std::vector<RawJson>>> load(const SessionKey&) override {
      return std::optional<std::vector<RawJson>>();
    }
    std::function<void()> destroy;
  };
  Options options = fake(
      "init\nexpect user\nout {\"type\":\"transcript_mirror\",\"filePath\":\"/c/projects/p/"
      "0b6a5b52-7c07-4b3e-9a8e-0c5d1c9f4a11.jsonl\",\"entries\":[{\"a\":1}]}\neof");
  options.transcript.store = std::make_shared<Store>(destroy_);
  expect_destroyed(std::move(options));
}

TEST_F(Lifetime, AToolMayDestroyItsSession) {
  McpServer server("s");
  server.add(raw_tool("end", "Ends", RawJson(R"({"type":"object"})"),
                      [destroy = destroy_](const RawJson&, ToolContext&) -> Result<ToolOutput> {
                        destroy();
                        return ToolOutput("ended");
                      }));
  Options options = fake(R"(init
expect user
out {"type":"control_request","request_id":"q","request":{"subtype":"mcp_message","server_name":"s","message":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"end","arguments":{}}}}}
eof)");
  options.tools.in_process = {server};
  expect_destroyed(std::move(options));
}

TEST_F(Lifetime, WhoWaitsIsToldWhenTheSessionIsDestroyed) {
  session_ = std::make_unique<Session>(fake("init\nexpect user\nout " + kPing + "\neof"));
  ASSERT_TRUE(session_->connect());
  Turn turn = session_->ask("go");
  ASSERT_TRUE(turn.next(kPatience));
  session_.reset();
  EXPECT_EQ(turn.next(kPatience).error().code(), ErrorCode::closed);
  EXPECT_EQ(turn.result(kPatience).error().code(), ErrorCode::closed);
}

// ---- in the middle of connect() -----------------------------------------------------------------

/// Options and a factory that calls `meanwhile` while the session is being started.
std::unique_ptr<Session> started_with(std::function<void()> meanwhile) {
  return std::make_unique<Session>(Options(), [meanwhile = std::move(meanwhile)] {
    meanwhile();
    ProcessSpec spec;
    spec.program = fake_cli().string();
    spec.environment = {{"PARLEY_FAKE_SCRIPT", "init\nturns Hello"}};
    return make_process_transport(Loop::shared().value(), std::move(spec));
  });
}

TEST_F(Lifetime, ClosingWhileItIsStartedEndsConnect) {
  session_ = started_with([this] { session_->close(); });
  EXPECT_EQ(session_->connect().error().code(), ErrorCode::closed);
  EXPECT_FALSE(session_->alive());
}

TEST_F(Lifetime, EverythingElseIsRefusedWhileItIsStarted) {
  session_ = started_with([this] {
    EXPECT_EQ(session_->send("early").error().code(), ErrorCode::invalid);
    EXPECT_EQ(session_->info().usage().error().code(), ErrorCode::invalid);
    EXPECT_EQ(session_->connect().error().code(), ErrorCode::invalid);
    EXPECT_EQ(session_->pid(), std::nullopt);
    EXPECT_FALSE(session_->alive());
    session_->end_input();
  });
  ASSERT_TRUE(session_->connect());
  EXPECT_EQ(session_->ask("Hi").result(kPatience)->result, "Hello");
}

TEST_F(Lifetime, ClosingWhileInitializeIsWaitedForEndsConnect) {
  session_ = std::make_unique<Session>(fake("expect initialize\nerr here\neof"));
  std::thread closer([this] {
    while (session_->stderr_tail().empty()) std::this_thread::yield();
    session_->close();
  });
  EXPECT_EQ(session_->connect().error().code(), ErrorCode::closed);
  closer.join();
}

TEST_F(Lifetime, AClosedSessionDoesNotConnect) {
  session_ = std::make_unique<Session>(fake("init\neof"));
  session_->close();
  EXPECT_EQ(session_->connect().error().code(), ErrorCode::closed);
  EXPECT_EQ(session_->pid(), std::nullopt);
}

TEST_F(Lifetime, AThrowWhileItIsStartedIsAnError) {
  session_ = started_with([] { throw std::runtime_error("no luck"); });
  const auto connected = session_->connect();
  ASSERT_FALSE(connected);
  EXPECT_THAT(connected.error().what(), ::testing::HasSubstr("no luck"));
  EXPECT_FALSE(session_->receive());
}

// ---- queries ------------------------------------------------------------------------------------

TEST_F(Lifetime, AQueryThatIsLeftHalfWayLeavesNoChild) {
  int pid = 0;
  {
    auto answer = query("go", fake("init\nexpect user\nflood 100000 " + kPing + "\neof"));
    for (const Message& message : answer) {
      EXPECT_TRUE(std::holds_alternative<StreamEvent>(message));
      pid = answer.session().pid().value();
      break;
    }
  }
  ASSERT_GT(pid, 0);
  EXPECT_TRUE(is_gone(pid));
}

TEST_F(Lifetime, AQueryWhoseCliNeverAnswersHasADeadline) {
  Options options = fake("err loading\neof");
  options.deadlines.initialize = 100ms;
  EXPECT_THROW((void)query("go", options).text(), ConnectionError);
  const auto first = query("go", options).next();
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().code(), ErrorCode::timeout);
}

TEST_F(Lifetime, WaitingForAReadySessionMayBeRepeated) {
  session_ = std::make_unique<Session>(fake("expect user\ninit\nturn Hello\neof"));
  ASSERT_TRUE(session_->start());
  EXPECT_EQ(session_->wait_ready(1ms).error().code(), ErrorCode::timeout);
  EXPECT_TRUE(session_->alive());
}

// ---- moved, shared, polled ----------------------------------------------------------------------

TEST_F(Lifetime, AMovedFromSessionSaysSo) {
  Session session(fake("init\nturns Hello"));
  ASSERT_TRUE(session.connect());
  Session moved(std::move(session));
  // NOLINTBEGIN(bugprone-use-after-move): it is what this is about
  EXPECT_THROW((void)session.send("x"), std::logic_error);
  EXPECT_THROW((void)session.alive(), std::logic_error);
  EXPECT_THROW(session.close(), std::logic_error);
  // NOLINTEND(bugprone-use-after-move)
  session = std::move(moved);
  EXPECT_EQ(session.ask("x").result(kPatience)->result, "Hello");
}

TEST_F(Lifetime, EachMessageGoesToOneOfSeveralReceivers) {
  constexpr int kMessages = 5000;
  Session session(fake("init\nexpect user\nflood " + std::to_string(kMessages) + " " + kPing));
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.send("go"));
  std::atomic<int> received{0};
  std::atomic<int> ended{0};
  std::vector<std::thread> readers;
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back([&] {
      auto message = session.receive();
      for (; message; message = session.receive()) ++received;
      if (message.error().code() == ErrorCode::process) ++ended;
    });
  }
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(received, kMessages);
  EXPECT_EQ(ended, 4);
}

TEST_F(Lifetime, TheDescriptorSuitsEdgeTriggeredLoops) {
  constexpr int kMessages = 3000;
  Session session(
      fake("init\nexpect user\nflood " + std::to_string(kMessages) + " " + kPing + "\nexit 0"));
  const int fd = session.fd().value();
  const UniqueFd loop(::epoll_create1(EPOLL_CLOEXEC));
  epoll_event event{.events = EPOLLIN | EPOLLET, .data = {}};
  ASSERT_EQ(::epoll_ctl(loop.get(), EPOLL_CTL_ADD, fd, &event), 0);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.send("go"));
  int received = 0;
  for (bool over = false; !over;) {
    const int ready = ::epoll_wait(loop.get(), &event, 1, 30'000);
    if (ready < 0 && errno == EINTR) continue;
    ASSERT_EQ(ready, 1);
    auto message = session.try_receive();
    for (; message; message = session.try_receive()) ++received;
    over = message.error().code() != ErrorCode::timeout;
  }
  EXPECT_EQ(received, kMessages);
  EXPECT_EQ(session.fd().value(), fd);
}

TEST_F(Lifetime, WhatOnlyReceiveCanDoIsRefusedWithACallback) {
  Options options = fake("init\nturns Hello");
  std::atomic<ErrorCode> inside{ErrorCode::io};
  Session* same = nullptr;
  options.delivery.on_message = [&](const Message& message) {
    if (!message.is<ResultMessage>() || inside != ErrorCode::io) return;
    inside = same->ask("from inside").result().error().code();
  };
  Session session(std::move(options));
  same = &session;
  ASSERT_TRUE(session.connect());
  EXPECT_EQ(session.fd().error().code(), ErrorCode::invalid);
  EXPECT_EQ(session.ask("x").result(kPatience)->result, "Hello");
  EXPECT_EQ(inside, ErrorCode::invalid);
}

}  // namespace
}  // namespace parley::testing
