// Starting and ending turns from several threads.
#include "agent/session/running_turn.hpp"

#include <gtest/gtest.h>

#include <latch>

namespace parley::agent {
namespace {

using namespace std::chrono_literals;

TEST(RunningTurn, AnInterruptEndsTheTurnThatRuns) {
  RunningTurn running;
  const std::stop_token turn = running.begin();
  EXPECT_FALSE(turn.stop_requested());
  EXPECT_TRUE(running.interrupt());
  EXPECT_TRUE(turn.stop_requested());
}

TEST(RunningTurn, AnInterruptBetweenTwoTurnsIsForNeither) {
  RunningTurn running;
  EXPECT_FALSE(running.interrupt());
  EXPECT_FALSE(running.begin().stop_requested());
  running.end();
  EXPECT_FALSE(running.interrupt());
  EXPECT_FALSE(running.begin().stop_requested());
}

TEST(RunningTurn, ASignalIsForAllThatCome) {
  RunningTurn running;
  EXPECT_FALSE(running.interrupt(true));
  EXPECT_TRUE(running.interrupted_by_signal());
  EXPECT_TRUE(running.begin().stop_requested());
}

TEST(RunningTurn, IdleIsWaitedFor) {
  RunningTurn running;
  EXPECT_TRUE(running.wait_idle(0ms));
  (void)running.begin();
  EXPECT_FALSE(running.wait_idle(1ms));
  std::jthread turn([&] { running.end(); });
  EXPECT_TRUE(running.wait_idle(1min));
}

TEST(RunningTurn, TheNextTurnEndsWhatIsDoneBetween) {
  RunningTurn running;
  bool ended = false;
  running.run_until_next([&](const std::stop_token& stop) {
    std::latch stopped(1);
    const std::stop_callback on_stop(stop, [&] { stopped.count_down(); });
    stopped.wait();
    ended = true;
  });
  (void)running.begin();
  EXPECT_TRUE(ended);
}

}  // namespace
}  // namespace parley::agent
