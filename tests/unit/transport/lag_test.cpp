// A process that ends while nobody reads what it said: the loop waits, and does not spin.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <future>

#include "support/files/unique_fd.hpp"
#include "transport/process.hpp"

namespace {

/// How often a loop was woken by a hang-up or an error.
std::atomic<int> hang_ups{0};

}  // namespace

/// In the place of the C library's, so that what wakes a loop can be counted.
extern "C" int epoll_wait(int epoll, epoll_event* events, int most, int timeout) {
  const auto count =
      static_cast<int>(::syscall(SYS_epoll_pwait, epoll, events, most, timeout, nullptr, 8));
  for (int i = 0; i < count; ++i) {
    if ((events[i].events & (EPOLLHUP | EPOLLERR)) != 0) ++hang_ups;
  }
  return count;
}

namespace parley {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 30s;

class Sink : public TransportSink {
 public:
  void on_output(std::string_view bytes) override { output += bytes; }
  void on_error_output(std::string_view) override {}
  void on_input_lost(const Error&) override {}
  void on_end(const ExitStatus& status) override { ended.set_value(status); }
  std::string output;
  std::promise<ExitStatus> ended;
};

TEST(Lag, AProcessThatEndedUnreadDoesNotKeepTheLoopBusy) {
  const auto loop = Loop::create().value();
  ProcessSpec spec;
  spec.program = "sh";
  spec.arguments = {"-c", "read go; echo one; echo two; exit 4"};
  spec.environment = {{"PATH", "/usr/bin:/bin"}};
  Sink sink;
  const auto transport = make_process_transport(loop, std::move(spec));
  ASSERT_TRUE(transport->start(sink));
  const UniqueFd process(
      static_cast<int>(::syscall(SYS_pidfd_open, transport->pid().value_or(-1), 0)));
  ASSERT_TRUE(process);
  transport->pause();
  transport->write("go\n");
  pollfd gone{process.get(), POLLIN, 0};
  ASSERT_EQ(::poll(&gone, 1, static_cast<int>(std::chrono::milliseconds(kPatience).count())), 1);
  // The loop sees the end of the process no later than what is posted after it; in the round after
  // that it has heard everything that happened by then.
  for (int round = 0; round < 2; ++round) loop->run([] {});
  ASSERT_FALSE(transport->pid());

  const int before = hang_ups;
  for (int round = 0; round < 100; ++round) loop->run([] {});
  EXPECT_EQ(hang_ups - before, 0);
  loop->run([&] { EXPECT_EQ(sink.output, ""); });

  auto ended = sink.ended.get_future();
  EXPECT_EQ(ended.wait_for(0s), std::future_status::timeout);
  transport->resume();
  ASSERT_EQ(ended.wait_for(kPatience), std::future_status::ready);
  EXPECT_EQ(ended.get(), (ExitStatus{.code = 4, .signal = {}}));
  EXPECT_EQ(sink.output, "one\ntwo\n");
}

}  // namespace
}  // namespace parley
