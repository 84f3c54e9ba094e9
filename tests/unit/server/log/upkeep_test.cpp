#include "server/log/upkeep.hpp"

#include <gtest/gtest.h>

#include <future>
#include <vector>

namespace parley::server {
namespace {

TEST(UpkeepTest, RunsWhatWasAddedInOrderAndNotAtOnce) {
  const auto loop = Loop::create().value();
  Upkeep upkeep(*loop);
  std::vector<int> ran;
  std::size_t ran_at_once = 0;
  std::promise<void> done;
  loop->run([&] {
    upkeep.add([&] { ran.push_back(1); });
    upkeep.add([&] {
      ran.push_back(2);
      upkeep.add([&] {
        ran.push_back(3);
        done.set_value();
      });
    });
    ran_at_once = ran.size();
  });
  done.get_future().wait();
  EXPECT_EQ(ran_at_once, 0U);
  EXPECT_EQ(ran, (std::vector{1, 2, 3}));
  loop->run([&] { upkeep.stop(); });
}

TEST(UpkeepTest, RunsNothingOnceItWasStopped) {
  const auto loop = Loop::create().value();
  bool ran = false;
  {
    Upkeep upkeep(*loop);
    loop->run([&] {
      upkeep.add([&] { ran = true; });
      upkeep.stop();
      upkeep.add([&] { ran = true; });
    });
  }
  // A timer that was left behind would come before this one.
  std::promise<void> later;
  loop->run([&] { loop->after(std::chrono::milliseconds(50), [&] { later.set_value(); }); });
  later.get_future().wait();
  EXPECT_FALSE(ran);
}

}  // namespace
}  // namespace parley::server
