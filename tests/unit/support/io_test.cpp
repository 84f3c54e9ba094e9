// Descriptors, whole reads and writes, and what disturbs them: signals, full disks, closed ends.
#include "support/files/io.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <thread>

#include "support/files/temporary.hpp"
#include "support/files/unique_fd.hpp"
#include "support/process/wake_event.hpp"

namespace parley {
namespace {

bool is_open(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

TEST(UniqueFd, ClosesWhatItOwnsOnce) {
  auto pipe = make_pipe();
  ASSERT_TRUE(pipe);
  const int read = pipe->read.get(), write = pipe->write.get();
  EXPECT_GT(read, 2);
  EXPECT_NE(::fcntl(read, F_GETFD) & FD_CLOEXEC, 0);
  UniqueFd moved = std::move(pipe->read);
  EXPECT_FALSE(pipe->read.valid());
  UniqueFd& same = moved;
  moved = std::move(same);  // an assignment to itself keeps it
  EXPECT_TRUE(is_open(read));
  moved = std::move(pipe->write);
  EXPECT_FALSE(is_open(read));
  EXPECT_TRUE(is_open(write));
  EXPECT_EQ(moved.release(), write);
  moved.reset();
  EXPECT_TRUE(is_open(write));
  UniqueFd last(write);
  EXPECT_TRUE(last.close());
  EXPECT_FALSE(last.close());
  EXPECT_EQ(errno, EBADF);
}

TEST(UniqueFd, APipeIsNeverWhatAChildUses) {
  const UniqueFd kept(::fcntl(0, F_DUPFD_CLOEXEC, 3));
  ::close(0);
  auto pipe = make_pipe();
  EXPECT_EQ(::dup2(kept.get(), 0), 0);
  ASSERT_TRUE(pipe);
  EXPECT_GT(pipe->read.get(), 2);
  EXPECT_GT(pipe->write.get(), 2);
}

TEST(Io, WritesAndReadsMoreThanAPipeHolds) {
  auto pipe = make_pipe();
  ASSERT_TRUE(pipe);
  std::string bytes(1'000'000, 'x');
  bytes[777'777] = '\0';
  std::jthread writer(
      [&, end = std::move(pipe->write)] { EXPECT_TRUE(write_all(end.get(), bytes)); });
  std::string got = "before";
  EXPECT_TRUE(read_all(pipe->read.get(), got));
  EXPECT_EQ(got, "before" + bytes);
}

std::atomic<int> interruptions = 0;

/// Disturbs this thread all the time, without SA_RESTART: every blocking call can fail with EINTR.
class Disturbance {
 public:
  Disturbance() {
    interruptions = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { ++interruptions; };
    ::sigaction(SIGUSR1, &action, &before_);
    thread_ = std::jthread([target = ::pthread_self()](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        ::pthread_kill(target, SIGUSR1);
        ::poll(nullptr, 0, 1);
      }
    });
  }
  ~Disturbance() {
    thread_.request_stop();
    thread_.join();
    ::sigaction(SIGUSR1, &before_, nullptr);
  }

 private:
  struct sigaction before_ {};
  std::jthread thread_;
};

TEST(Io, SignalsDoNotCutAnythingOff) {
  auto there = make_pipe(), back = make_pipe();
  ASSERT_TRUE(there && back);
  const std::string bytes(3'000'000, 'y');
  // Slow on purpose: it takes and gives only after another signal has come.
  std::jthread echo([from = std::move(there->read), to = std::move(back->write), &bytes] {
    std::string all;
    while (all.size() < bytes.size()) {
      const int seen = interruptions;
      while (interruptions == seen) ::poll(nullptr, 0, 1);
      if (!read_all(from.get(), all, 500'000)) break;
    }
    for (std::size_t at = 0; at < all.size(); at += 500'000) {
      const int seen = interruptions;
      while (interruptions == seen) ::poll(nullptr, 0, 1);
      if (!write_all(to.get(), std::string_view(all).substr(at, 500'000))) break;
    }
  });
  const Disturbance disturbance;
  EXPECT_TRUE(write_all(there->write.get(), bytes));
  there->write.reset();
  std::string got;
  EXPECT_TRUE(read_all(back->read.get(), got));
  EXPECT_EQ(got, bytes);
  EXPECT_GE(interruptions, 12);
}

TEST(Io, StopsReadingAtALimit) {
  auto pipe = make_pipe();
  ASSERT_TRUE(pipe);
  ASSERT_TRUE(write_all(pipe->write.get(), "abcdef"));
  std::string got;
  EXPECT_TRUE(read_all(pipe->read.get(), got, 4));
  EXPECT_EQ(got, "abcd");
  EXPECT_TRUE(read_all(pipe->read.get(), got, 0));
  EXPECT_EQ(got, "abcd");
  pipe->write.reset();
  EXPECT_TRUE(read_all(pipe->read.get(), got, 4));
  EXPECT_EQ(got, "abcdef");
}

TEST(Io, AFullDiskIsAnError) {
  const UniqueFd full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  ASSERT_TRUE(full);
  errno = 0;
  EXPECT_FALSE(write_all(full.get(), "x"));
  EXPECT_EQ(errno, ENOSPC);
  EXPECT_TRUE(write_all(full.get(), ""));
}

TEST(Io, AClosedEndIsAnError) {
  ::signal(SIGPIPE, SIG_IGN);
  auto pipe = make_pipe();
  ASSERT_TRUE(pipe);
  pipe->read.reset();
  EXPECT_FALSE(write_all(pipe->write.get(), "x"));
  EXPECT_EQ(errno, EPIPE);
  std::string got;
  EXPECT_FALSE(read_all(-1, got));
  EXPECT_EQ(errno, EBADF);
  ::signal(SIGPIPE, SIG_DFL);
}

TEST(Io, ReadsFilesWholeOrInPart) {
  const auto file = TemporaryFile::make("io-", "");
  ASSERT_TRUE(file);
  const std::string bytes = "first\nse\0cond\n" + std::string(200'000, 'z');
  ASSERT_TRUE(write_all(file->fd(), bytes));
  EXPECT_EQ(read_file(file->path()), bytes);
  EXPECT_EQ(read_file(file->path(), 5), "first");
  EXPECT_EQ(read_file(file->path(), 0), "");
  std::string part(10, '-');
  EXPECT_EQ(read_at(file->fd(), 2, part.data(), 3), 3U);
  EXPECT_EQ(part, "rst-------");
  EXPECT_EQ(read_at(file->fd(), bytes.size() - 2, part.data(), 10), 2U);
  EXPECT_EQ(read_at(file->fd(), bytes.size() + 100, part.data(), 10), 0U);
  EXPECT_EQ(read_at(-1, 0, part.data(), 10), std::nullopt);
}

TEST(Io, WhatIsNoFileCannotBeRead) {
  EXPECT_EQ(read_file("/nowhere/at/all"), std::nullopt);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(read_file("/tmp"), std::nullopt);
  EXPECT_EQ(errno, EISDIR);
  // Its size is 0 and it has text.
  EXPECT_TRUE(read_file("/proc/self/status").value_or("").starts_with("Name:"));
}

TEST(WakeEvent, StaysSetUntilItIsCleared) {
  const WakeEvent event;
  ASSERT_TRUE(event.valid());
  const auto is_set = [&] {
    pollfd ready{event.fd(), POLLIN, 0};
    return ::poll(&ready, 1, 0) == 1;
  };
  EXPECT_FALSE(is_set());
  event.clear();  // does not wait
  std::jthread([&] { event.set(); }).join();
  event.set();
  EXPECT_TRUE(is_set());
  event.clear();
  EXPECT_FALSE(is_set());
}

}  // namespace
}  // namespace parley
