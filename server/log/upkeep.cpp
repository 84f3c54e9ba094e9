#include "server/log/upkeep.hpp"

#include <chrono>
#include <utility>

namespace parley::server {
namespace {

/// Together: a tenth of the loop's time, and no event waits longer for it than for one task more.
constexpr std::chrono::milliseconds kPause{18};
constexpr std::chrono::milliseconds kAtOnce{2};

}  // namespace

void Upkeep::add(std::function<void()> task) {
  tasks_.push_back(std::move(task));
  schedule();
}

void Upkeep::stop() {
  stopped_ = true;
  tasks_.clear();
  if (timer_) loop_.cancel(*timer_);
  timer_.reset();
}

void Upkeep::schedule() {
  if (timer_ || stopped_ || tasks_.empty()) return;
  timer_ = loop_.after(kPause, [this] {
    timer_.reset();
    run_some();
    schedule();
  });
}

void Upkeep::run_some() {
  const auto end = Loop::Clock::now() + kAtOnce;
  while (!tasks_.empty() && Loop::Clock::now() < end) {
    const auto task = std::move(tasks_.front());
    tasks_.pop_front();
    task();
  }
}

}  // namespace parley::server
