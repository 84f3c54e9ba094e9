#include "http/socket_writer.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <thread>
#include <vector>

namespace parley::http {
namespace {

using State = SocketWriter::State;

/// Two ends of a connection that holds little.
class SocketWriterTest : public ::testing::Test {
 protected:
  SocketWriterTest() {
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_.data()), 0);
    const int little = 4096;
    ::setsockopt(ends_[0], SOL_SOCKET, SO_SNDBUF, &little, sizeof(little));
  }
  ~SocketWriterTest() override {
    hang_up();
    ::close(ends_[0]);
  }
  void hang_up() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }
  /// What has arrived.
  std::string read() {
    std::string all;
    std::array<char, 4096> buffer{};
    for (;;) {
      const ssize_t count = ::recv(ends_[1], buffer.data(), buffer.size(), MSG_DONTWAIT);
      if (count <= 0) return all;
      all.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }
  /// The same, as long as it takes for everything that waits to arrive.
  std::string read_and_flush() {
    std::string all = read();
    while (writer_.waiting() > 0) {
      writer_.flush();
      all += read();
    }
    return all;
  }

  std::array<int, 2> ends_{};
  SocketWriter writer_;
};

TEST_F(SocketWriterTest, WhatIsSentLeavesAtOnce) {
  EXPECT_EQ(writer_.attach(ends_[0], ""), State::empty);
  EXPECT_EQ(writer_.send("head ", "payload"), State::empty);
  EXPECT_EQ(read(), "head payload");
  EXPECT_EQ(writer_.waiting(), 0U);
}

TEST_F(SocketWriterTest, EverythingWaitsForASocket) {
  EXPECT_EQ(writer_.send("1", "2"), State::waits);
  EXPECT_EQ(writer_.send("3", "4"), State::waits);
  EXPECT_EQ(writer_.flush(), State::waits);
  EXPECT_EQ(writer_.waiting(), 4U);
  EXPECT_EQ(writer_.attach(ends_[0], "0"), State::empty);
  EXPECT_EQ(read(), "01234");
}

TEST_F(SocketWriterTest, WhatTheSocketDoesNotTakeWaitsInOrder) {
  writer_.attach(ends_[0], "");
  std::string expected;
  int filled = 0;
  for (int i = 0; i < 100; ++i) {
    const std::string payload = std::to_string(i) + std::string(997, ' ');
    filled += writer_.send("#", payload) == State::filled ? 1 : 0;
    expected += "#" + payload;
  }
  EXPECT_EQ(filled, 1);
  EXPECT_GT(writer_.waiting(), 10'000U);
  EXPECT_EQ(read_and_flush(), expected);
  // And again: somebody is asked to flush each time that something begins to wait.
  EXPECT_EQ(writer_.send("again", ""), State::empty);
  EXPECT_EQ(writer_.send(std::string(100'000, 'x'), ""), State::filled);
  EXPECT_EQ(read_and_flush(), "again" + std::string(100'000, 'x'));
}

TEST_F(SocketWriterTest, NothingFollowsTheLast) {
  writer_.attach(ends_[0], "");
  std::string expected(50'000, 'x');
  writer_.send(expected, "");
  EXPECT_EQ(writer_.send_last("bye"), State::waits);
  writer_.send("after", "");
  writer_.send_last("after");
  expected += "bye";
  EXPECT_EQ(read_and_flush(), expected);
}

TEST_F(SocketWriterTest, AClientThatIsGone) {
  writer_.attach(ends_[0], "");
  hang_up();
  EXPECT_EQ(writer_.send("anybody", "?"), State::broken);
  EXPECT_EQ(writer_.send("anybody", "?"), State::empty);  // said once; nothing is kept for it
  EXPECT_EQ(writer_.waiting(), 0U);
}

TEST_F(SocketWriterTest, AClientThatGoesWhileSomethingWaits) {
  writer_.attach(ends_[0], "");
  EXPECT_EQ(writer_.send(std::string(50'000, 'x'), ""), State::filled);
  hang_up();
  EXPECT_EQ(writer_.flush(), State::broken);
  EXPECT_EQ(writer_.waiting(), 0U);
}

TEST_F(SocketWriterTest, NothingIsSentAfterTheSocketWasTakenAway) {
  writer_.attach(ends_[0], "");
  writer_.detach();
  writer_.send("to", "nobody");
  EXPECT_EQ(writer_.flush(), State::empty);
  EXPECT_EQ(read(), "");
  EXPECT_EQ(writer_.waiting(), 0U);
}

TEST_F(SocketWriterTest, MessagesOfManyThreadsStayWhole) {
  writer_.attach(ends_[0], "");
  constexpr int kEach = 200;
  std::vector<std::thread> threads;
  for (const char c : {'a', 'b', 'c', 'd'}) {
    threads.emplace_back([this, c] {
      for (int i = 0; i < kEach; ++i) writer_.send("<", std::string(50, c) + ">");
    });
  }
  std::string all;
  while (all.size() < std::size_t{4} * kEach * 52) {
    writer_.flush();
    all += read();
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t at = 0; at < all.size(); at += 52) {
    const std::string message = all.substr(at, 52);
    ASSERT_EQ(message, "<" + std::string(50, message[1]) + ">");
  }
}

}  // namespace
}  // namespace parley::http
