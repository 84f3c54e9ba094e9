// Threads that nobody waits for until the session ends.
#pragma once

#include <mutex>
#include <thread>
#include <vector>

namespace parley::agent {

/// Thread-safe. Its destruction stops and joins them.
class BackgroundThreads {
 public:
  void keep(std::jthread thread) {
    const std::lock_guard lock(mutex_);
    threads_.push_back(std::move(thread));
  }

 private:
  std::mutex mutex_;
  std::vector<std::jthread> threads_;
};

}  // namespace parley::agent
