#include "server/threads/call_limiter.hpp"

#include <gtest/gtest.h>

#include <future>
#include <vector>

namespace parley::server {
namespace {

/// Asks on the loop, as everybody does.
Result<void> ask(Loop& loop, CallLimiter& limiter, std::function<void()> call) {
  Result<void> asked;
  loop.run([&] { asked = limiter.run(std::move(call)); });
  return asked;
}

TEST(CallLimiter, RunsAFewAtATimeAndRefusesWhenTooManyWait) {
  const auto loop = Loop::create().value();
  Workers workers(64);
  const auto limiter = std::make_shared<CallLimiter>(*loop, workers);
  std::promise<void> open;
  const auto gate = open.get_future().share();
  std::atomic<int> running = 0, most = 0, done = 0;
  std::promise<void> last;
  int accepted = 0;
  Result<void> asked;
  while ((asked = ask(*loop, *limiter, [&] {
            const int now = ++running;
            for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
            }
            gate.wait();
            --running;
            if (++done == 104) last.set_value();
          }))) {
    ASSERT_LT(++accepted, 1000);
  }
  EXPECT_EQ(asked.error().code(), ErrorCode::too_large);
  EXPECT_EQ(accepted, 104);  // four run, a hundred wait
  open.set_value();
  last.get_future().wait();
  EXPECT_LE(most, 4);
  // There is room again, when the loop has heard of the ends.
  std::promise<void> again;
  while (!ask(*loop, *limiter, [&] { again.set_value(); })) {
  }
  again.get_future().wait();
  workers.finish();
  loop->run([] {});
}

}  // namespace
}  // namespace parley::server
