#include "agent/session/running_turn.hpp"

namespace parley::agent {

void RunningTurn::run_until_next(std::function<void(std::stop_token)> work) {
  between_turns_ = std::jthread(std::move(work));
}

std::stop_token RunningTurn::begin() {
  between_turns_ = {};
  const std::lock_guard lock(mutex_);
  // An interrupt that came between two turns is for neither.
  turn_ = std::stop_source();
  running_ = true;
  if (by_signal_) turn_.request_stop();
  return turn_.get_token();
}

void RunningTurn::end() {
  const std::lock_guard lock(mutex_);
  running_ = false;
  idle_.notify_all();
}

bool RunningTurn::wait_idle(std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  return idle_.wait_for(lock, timeout, [this] { return !running_; });
}

bool RunningTurn::interrupt(bool by_signal) {
  const std::stop_source turn = [&] {
    const std::lock_guard lock(mutex_);
    if (by_signal) by_signal_ = true;
    return running_ ? turn_ : std::stop_source(std::nostopstate);
  }();
  // Outside of the lock: stop callbacks may do anything.
  return turn.request_stop() || turn.stop_possible();
}

}  // namespace parley::agent
