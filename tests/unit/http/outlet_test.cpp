#include "http/outlet.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <thread>
#include <vector>

namespace parley::http {
namespace {

using State = Outlet::State;

/// Two ends of a connection that holds little.
class OutletTest : public ::testing::Test {
 protected:
  OutletTest() {
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_.data()), 0);
    const int little = 4096;
    ::setsockopt(ends_[0], SOL_SOCKET, SO_SNDBUF, &little, sizeof(little));
  }
  ~OutletTest() override {
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
    while (outlet_.waiting() > 0) {
      outlet_.flush();
      all += read();
    }
    return all;
  }

  std::array<int, 2> ends_{};
  Outlet outlet_;
};

TEST_F(OutletTest, WhatIsPutLeavesAtOnce) {
  EXPECT_EQ(outlet_.attach(ends_[0], ""), State::kEmpty);
  EXPECT_EQ(outlet_.put("head ", "payload"), State::kEmpty);
  EXPECT_EQ(read(), "head payload");
  EXPECT_EQ(outlet_.waiting(), 0U);
}

TEST_F(OutletTest, EverythingWaitsForASocket) {
  EXPECT_EQ(outlet_.put("1", "2"), State::kWaits);
  EXPECT_EQ(outlet_.put("3", "4"), State::kWaits);
  EXPECT_EQ(outlet_.flush(), State::kWaits);
  EXPECT_EQ(outlet_.waiting(), 4U);
  EXPECT_EQ(outlet_.attach(ends_[0], "0"), State::kEmpty);
  EXPECT_EQ(read(), "01234");
}

TEST_F(OutletTest, WhatTheSocketDoesNotTakeWaitsInOrder) {
  outlet_.attach(ends_[0], "");
  std::string expected;
  int filled = 0;
  for (int i = 0; i < 100; ++i) {
    const std::string payload = std::to_string(i) + std::string(997, ' ');
    filled += outlet_.put("#", payload) == State::kFilled ? 1 : 0;
    expected += "#" + payload;
  }
  EXPECT_EQ(filled, 1);
  EXPECT_GT(outlet_.waiting(), 10'000U);
  EXPECT_EQ(read_and_flush(), expected);
  // And again: somebody is asked to flush each time that something begins to wait.
  EXPECT_EQ(outlet_.put("again", ""), State::kEmpty);
  EXPECT_EQ(outlet_.put(std::string(100'000, 'x'), ""), State::kFilled);
  EXPECT_EQ(read_and_flush(), "again" + std::string(100'000, 'x'));
}

TEST_F(OutletTest, NothingFollowsTheLast) {
  outlet_.attach(ends_[0], "");
  std::string expected(50'000, 'x');
  outlet_.put(expected, "");
  EXPECT_EQ(outlet_.put_last("bye"), State::kWaits);
  outlet_.put("after", "");
  outlet_.put_last("after");
  expected += "bye";
  EXPECT_EQ(read_and_flush(), expected);
}

TEST_F(OutletTest, AClientThatIsGone) {
  outlet_.attach(ends_[0], "");
  hang_up();
  EXPECT_EQ(outlet_.put("anybody", "?"), State::kBroken);
  EXPECT_EQ(outlet_.put("anybody", "?"), State::kEmpty);  // said once; nothing is kept for it
  EXPECT_EQ(outlet_.waiting(), 0U);
}

TEST_F(OutletTest, AClientThatGoesWhileSomethingWaits) {
  outlet_.attach(ends_[0], "");
  EXPECT_EQ(outlet_.put(std::string(50'000, 'x'), ""), State::kFilled);
  hang_up();
  EXPECT_EQ(outlet_.flush(), State::kBroken);
  EXPECT_EQ(outlet_.waiting(), 0U);
}

TEST_F(OutletTest, NothingIsSentAfterTheSocketWasTakenAway) {
  outlet_.attach(ends_[0], "");
  outlet_.detach();
  outlet_.put("to", "nobody");
  EXPECT_EQ(outlet_.flush(), State::kEmpty);
  EXPECT_EQ(read(), "");
  EXPECT_EQ(outlet_.waiting(), 0U);
}

TEST_F(OutletTest, MessagesOfManyThreadsStayWhole) {
  outlet_.attach(ends_[0], "");
  constexpr int kEach = 200;
  std::vector<std::thread> threads;
  for (const char c : {'a', 'b', 'c', 'd'}) {
    threads.emplace_back([this, c] {
      for (int i = 0; i < kEach; ++i) outlet_.put("<", std::string(50, c) + ">");
    });
  }
  std::string all;
  while (all.size() < std::size_t{4} * kEach * 52) {
    outlet_.flush();
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
