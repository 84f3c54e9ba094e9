// Whether a turn runs, how another thread ends it, and what is done between two of them.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace parley::agent {

/// Thread-safe, except for what says that it is of the turn thread.
class RunningTurn {
 public:
  /// A fresh stop for a turn that starts. Of the turn thread, as the next two.
  std::stop_token begin();
  void end();
  /// Does something between this turn and the next; the next one stops it and waits for it.
  void run_until_next(std::function<void(std::stop_token)> work);

  /// Asks the running turn to end: true if one runs. `by_signal` ends the program afterwards.
  bool interrupt(bool by_signal = false);
  /// Whether no turn runs, in that time.
  bool wait_idle(std::chrono::milliseconds timeout);
  [[nodiscard]] bool interrupted_by_signal() const { return by_signal_; }

 private:
  std::mutex mutex_;
  std::stop_source turn_;
  std::condition_variable idle_;
  bool running_ = false;
  std::atomic<bool> by_signal_ = false;
  std::jthread between_turns_;  ///< Of the turn thread alone.
};

}  // namespace parley::agent
