#include "transport/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>

#include <condition_variable>
#include <mutex>

#include "transport/fd_transport.hpp"

namespace parley {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr auto kPatience = 30s;

class Recorder : public TransportSink {
 public:
  void on_output(std::string_view bytes) override {
    change([&] { output += bytes; });
  }
  void on_error_output(std::string_view bytes) override {
    change([&] { errors += bytes; });
  }
  void on_input_lost(const Error&) override {
    change([&] { input_lost = true; });
  }
  void on_end(const ExitStatus& status) override {
    change([&] { end = status; });
  }

  template <class Done>
  bool wait(Done done) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPatience, done);
  }
  ExitStatus wait_end() {
    EXPECT_TRUE(wait([this] { return end.has_value(); }));
    return end.value_or(ExitStatus{});
  }

  std::string output, errors;
  bool input_lost = false;
  std::optional<ExitStatus> end;

 private:
  template <class F>
  void change(F f) {
    const std::lock_guard lock(mutex_);
    f();
    changed_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable changed_;
};

ProcessSpec shell(const std::string& script) {
  ProcessSpec spec;
  spec.program = "sh";
  spec.arguments = {"-c", script};
  spec.environment = {{"PATH", "/usr/bin:/bin"}, {"GREETING", "hello"}};
  spec.term_after = 50ms;
  spec.kill_after = 50ms;
  return spec;
}

class Process : public ::testing::Test {
 protected:
  std::unique_ptr<Transport> started(ProcessSpec spec) {
    auto transport = make_process_transport(Loop::shared().value(), std::move(spec));
    const auto result = transport->start(sink_);
    EXPECT_TRUE(result) << result.error().what();
    return transport;
  }
  Error start_error(ProcessSpec spec) {
    const auto transport = make_process_transport(Loop::shared().value(), std::move(spec));
    const auto result = transport->start(sink_);
    return result ? Error() : result.error();
  }
  Recorder sink_;
};

TEST_F(Process, ReadsAndWritesAndTellsTheExitCode) {
  const auto transport = started(shell("read x; echo \"$GREETING $x\"; echo oops >&2; exit 3"));
  EXPECT_GT(transport->pid().value_or(0), 0);
  transport->write("world\n");
  EXPECT_EQ(sink_.wait_end(), (ExitStatus{.code = 3, .signal = {}}));
  EXPECT_EQ(sink_.output, "hello world\n");
  EXPECT_EQ(sink_.errors, "oops\n");
}

TEST_F(Process, EndOfInputComesAfterWhatIsQueued) {
  const auto transport = started(shell("wc -c"));
  transport->write(std::string(1'000'000, 'x'));
  transport->close_input();
  EXPECT_TRUE(sink_.wait_end().clean());
  EXPECT_THAT(sink_.output, HasSubstr("1000000"));
  EXPECT_EQ(transport->unsent(), 0U);
}

TEST_F(Process, RunsInItsFolderAndItsOwnGroup) {
  ProcessSpec spec = shell("pwd; awk '{print $5}' /proc/$$/stat; echo $$");
  spec.arguments[1] = "read go; " + spec.arguments[1];  // so that it lives while it is asked
  spec.working_folder = "/usr";
  const auto transport = started(spec);
  const std::string pid = std::to_string(transport->pid().value_or(0));
  transport->write("go\n");
  sink_.wait_end();
  EXPECT_EQ(sink_.output, "/usr\n" + pid + "\n" + pid + "\n");
}

TEST_F(Process, RunsAsAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  const auto nobody = find_user("nobody");
  ASSERT_TRUE(nobody) << nobody.error().what();
  ProcessSpec spec = shell("id -un; id -u; touch /etc/parley-test 2>/dev/null || echo refused");
  spec.user = *nobody;
  const auto transport = started(spec);
  EXPECT_TRUE(sink_.wait_end().clean());
  EXPECT_EQ(sink_.output, "nobody\n" + std::to_string(nobody->uid) + "\nrefused\n");

  spec.working_folder = "/nonexistent";
  EXPECT_EQ(start_error(spec).code(), ErrorCode::not_found);
  spec.working_folder.clear();
  spec.program = "/nonexistent/program";
  EXPECT_EQ(start_error(spec).code(), ErrorCode::not_found);
}

TEST_F(Process, BecomingAnotherUserNeedsTheRightTo) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may";
  ProcessSpec spec = shell("true");
  spec.user = find_user("root").value();
  EXPECT_EQ(start_error(spec).code(), ErrorCode::permission);
}

TEST(FindUser, TellsWhoIsThere) {
  const auto root = find_user("root");
  ASSERT_TRUE(root);
  EXPECT_EQ(root->uid, 0u);
  EXPECT_FALSE(root->home.empty());
  EXPECT_EQ(find_user("no such user").error().code(), ErrorCode::not_found);
}

TEST_F(Process, InheritsNoDescriptorAndNoIgnoredSignal) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);  // without O_CLOEXEC, as a careless host would
  const auto before = ::signal(SIGPIPE, SIG_IGN);
  const auto transport = started(shell(
      "ls /proc/self/fd | wc -l; grep SigIgn /proc/self/status; grep SigBlk /proc/self/status"));
  sink_.wait_end();
  ::signal(SIGPIPE, before);
  ::close(ends[0]);
  ::close(ends[1]);
  // 0, 1, 2 and the one that ls reads the folder with.
  EXPECT_THAT(sink_.output, HasSubstr("4\n"));
  EXPECT_THAT(sink_.output, HasSubstr("SigIgn:\t0000000000000000"));
  EXPECT_THAT(sink_.output, HasSubstr("SigBlk:\t0000000000000000"));
}

TEST_F(Process, StopEscalates) {
  const auto transport = started(shell("trap '' TERM; echo ready; while :; do sleep 100; done"));
  ASSERT_TRUE(sink_.wait([this] { return !sink_.output.empty(); }));
  transport->stop();
  EXPECT_EQ(sink_.wait_end().signal, SIGKILL);
}

TEST_F(Process, PauseHoldsOutputBackAndResumeGivesIt) {
  const auto transport = started(shell("head -c 5000000 /dev/zero"));
  transport->pause();
  transport->resume();
  sink_.wait_end();
  EXPECT_EQ(sink_.output.size(), 5'000'000U);
}

TEST_F(Process, TellsWhenInputIsLost) {
  const auto transport = started(shell("exec <&-; echo closed; sleep 100"));
  ASSERT_TRUE(sink_.wait([this] { return !sink_.output.empty(); }));
  transport->write("x\n");
  EXPECT_TRUE(sink_.wait([this] { return sink_.input_lost; }));
  transport->kill();
  EXPECT_EQ(sink_.wait_end().signal, SIGKILL);
}

TEST_F(Process, DestroyingItEndsTheChild) {
  int pid = 0;
  {
    const auto transport = started(shell("sleep 100"));
    pid = transport->pid().value();
  }
  EXPECT_EQ(::kill(pid, 0), -1);
}

TEST_F(Process, StartErrorsSayWhatIsWrong) {
  ProcessSpec spec = shell("");
  spec.program = "/nonexistent/program";
  EXPECT_EQ(start_error(spec).code(), ErrorCode::not_found);
  spec.program = "no-such-program-here";
  EXPECT_THAT(start_error(spec).what(), HasSubstr("in PATH"));
  spec.program = "/etc/passwd";
  EXPECT_EQ(start_error(spec).code(), ErrorCode::permission);
  spec = shell("");
  spec.working_folder = "/nonexistent";
  EXPECT_THAT(start_error(spec).what(), HasSubstr("working folder"));
  spec = shell(std::string(200'000, 'x'));
  EXPECT_EQ(start_error(spec).code(), ErrorCode::too_large);
}

TEST(RunProgram, CollectsOutputOrTimesOut) {
  const auto output = run_program(shell("echo out; echo err >&2; exit 2"), kPatience);
  ASSERT_TRUE(output);
  EXPECT_EQ(output->text, "out\n");
  EXPECT_EQ(output->errors, "err\n");
  EXPECT_EQ(output->status.code, 2);
  EXPECT_EQ(run_program(shell("sleep 100"), 20ms).error().code(), ErrorCode::timeout);
}

TEST(FdTransport, CarriesBytesBothWays) {
  Recorder sink;
  auto [transport, far_end] = std::move(make_socket_transport(Loop::shared().value())).value();
  ASSERT_TRUE(transport->start(sink));
  transport->write("ping");
  char text[8] = {};
  ASSERT_EQ(::recv(far_end.get(), text, 4, MSG_WAITALL), 4);
  EXPECT_STREQ(text, "ping");
  ASSERT_EQ(::write(far_end.get(), "pong", 4), 4);
  EXPECT_TRUE(sink.wait([&] { return sink.output == "pong"; }));
  far_end.reset();
  EXPECT_EQ(sink.wait_end(), ExitStatus{});
}

TEST(ExitStatus, IsReadable) {
  EXPECT_EQ(to_string(ExitStatus{.code = 3, .signal = {}}), "exit code 3");
  EXPECT_THAT(to_string(ExitStatus{.code = {}, .signal = 9}), HasSubstr("signal 9"));
  EXPECT_EQ(to_string(ExitStatus{}), "end of stream");
}

}  // namespace
}  // namespace parley
