// Threads that come and go, ended together.
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

namespace parley::agent {

/// Thread-safe. What has ended is cleared away when the next one begins.
class Threads {
 public:
  ~Threads() { end(); }

  /// False after end(): nothing is run any more.
  bool run(std::function<void(const std::stop_token& stop)> work) {
    const std::lock_guard lock(mutex_);
    if (ended_) return false;
    running_.remove_if([](const Running& one) { return one.done->load(); });
    auto done = std::make_shared<std::atomic<bool>>(false);
    running_.push_back({done, std::jthread([work = std::move(work), done](std::stop_token stop) {
                          work(stop);
                          done->store(true);
                        })});
    return true;
  }
  /// Stops them and waits for them. Not to be called by one of them.
  void end() {
    std::list<Running> running;
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
      running.swap(running_);
    }
    for (Running& one : running) one.thread.request_stop();
  }

 private:
  struct Running {
    std::shared_ptr<std::atomic<bool>> done;
    std::jthread thread;
  };
  std::mutex mutex_;
  std::list<Running> running_;
  bool ended_ = false;
};

}  // namespace parley::agent
