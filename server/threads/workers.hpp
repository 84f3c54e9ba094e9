// Threads for calls that may wait: on an agent, on a disk. The hub itself never waits.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace parley::server {

/// Runs tasks on up to `most` threads, which are started when they are needed. Thread-safe.
class Workers {
 public:
  explicit Workers(std::size_t most) : most_(most) {}
  ~Workers() { finish(); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void run(std::function<void()> task);
  /// Runs what is queued, waits for it and ends the threads. No-op the second time.
  void finish();

 private:
  void work();

  const std::size_t most_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool ending_ = false;
};

}  // namespace parley::server
