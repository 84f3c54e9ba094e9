#include "transport/loop.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <future>
#include <vector>

#include "support/files/unique_fd.hpp"

namespace parley {
namespace {

using namespace std::chrono_literals;

TEST(Loop, RunsPostedTasksInOrderOnItsThread) {
  const auto loop = Loop::create().value();
  std::vector<int> order;
  bool on_thread = false;
  for (int i = 0; i < 5; ++i) loop->post([&order, i] { order.push_back(i); });
  loop->run([&] { on_thread = loop->on_thread(); });
  EXPECT_EQ(order, (std::vector{0, 1, 2, 3, 4}));
  EXPECT_TRUE(on_thread);
  EXPECT_FALSE(loop->on_thread());
}

TEST(Loop, SharedEndsWithItsLastUser) {
  std::weak_ptr<Loop> seen;
  {
    const auto first = Loop::shared().value();
    EXPECT_EQ(first, Loop::shared().value());
    seen = first;
  }
  EXPECT_TRUE(seen.expired());
}

TEST(Loop, TimersFireInOrderAndCanBeCancelled) {
  const auto loop = Loop::create().value();
  std::promise<std::vector<int>> done;
  std::vector<int> fired;
  loop->run([&] {
    const auto now = Loop::Clock::now();
    loop->at(now + 2ms, [&] { fired.push_back(2); });
    loop->at(now + 1ms, [&] { fired.push_back(1); });
    loop->cancel(loop->at(now, [&] { fired.push_back(0); }));
    loop->at(now + 3ms, [&] { done.set_value(fired); });
  });
  EXPECT_EQ(done.get_future().get(), (std::vector{1, 2}));
}

TEST(Loop, WatchesDescriptors) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const UniqueFd near_end(ends[0]);
  const UniqueFd far_end(ends[1]);
  const auto loop = Loop::create().value();
  std::promise<char> read;
  loop->run([&] {
    EXPECT_TRUE(loop->watch(near_end.get(), true, false, [&](Loop::Ready ready) {
      EXPECT_TRUE(ready.read);
      char byte = 0;
      EXPECT_EQ(::read(near_end.get(), &byte, 1), 1);
      loop->unwatch(near_end.get());
      read.set_value(byte);
    }));
  });
  ASSERT_EQ(::write(far_end.get(), "x", 1), 1);
  EXPECT_EQ(read.get_future().get(), 'x');
  loop->run([&] { EXPECT_FALSE(loop->watch(-1, true, false, [](Loop::Ready) {})); });
}

TEST(Loop, SaysNothingOfADescriptorThatIsAskedForNothing) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const UniqueFd near_end(ends[0]);
  UniqueFd far_end(ends[1]);
  const auto loop = Loop::create().value();
  int calls = 0;
  std::promise<void> heard;
  loop->run([&] {
    EXPECT_TRUE(loop->watch(near_end.get(), true, false, [&](Loop::Ready) {
      ++calls;
      loop->unwatch(near_end.get());
      heard.set_value();
    }));
    EXPECT_TRUE(loop->rewatch(near_end.get(), false, false));
  });
  far_end.reset();  // a hang-up, which epoll tells whether it was asked for or not
  for (int round = 0; round < 100; ++round) loop->run([] {});
  loop->run([&] {
    EXPECT_EQ(calls, 0);
    EXPECT_TRUE(loop->rewatch(near_end.get(), true, false));
  });
  ASSERT_EQ(heard.get_future().wait_for(30s), std::future_status::ready);
  loop->run([&] { EXPECT_EQ(calls, 1); });
}

TEST(Loop, MayBeReleasedByItsOwnTask) {
  std::promise<void> released;
  {
    auto loop = Loop::create().value();
    Loop* raw = loop.get();
    raw->post([loop = std::move(loop), &released]() mutable {
      loop.reset();
      released.set_value();
    });
  }
  released.get_future().wait();
}

}  // namespace
}  // namespace parley
