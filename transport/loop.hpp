// The one thread that waits for all descriptors, timers and posted calls of all sessions.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

#include "../wire/error.hpp"

namespace parley {

/// An event loop with its own thread (epoll). Everything it calls runs on that thread and must not
/// block. A resource: the thread ends with the last owner.
///
/// SIGPIPE and all other signals that a program may handle are blocked on the thread, so a write to
/// a closed pipe is an error code and handlers of the host run on the host's threads.
class Loop {
 public:
  using Clock = std::chrono::steady_clock;
  using Task = std::function<void()>;
  using TimerId = std::uint64_t;

  /// What a watched descriptor is ready for. An error or a hang-up counts as both.
  struct Ready {
    bool read = false;
    bool write = false;
  };
  using Handler = std::function<void(Ready)>;

  /// The loop that all sessions of the program share. It starts with its first user and ends with
  /// its last; an error if the system has no descriptors or threads left.
  static Result<std::shared_ptr<Loop>> shared();
  /// A loop of one's own.
  static Result<std::shared_ptr<Loop>> create();

  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  /// Runs the task on the loop's thread, after those posted before. From any thread.
  void post(Task task);
  /// The same, and returns when it has run. On the loop's own thread it runs at once.
  void run(const Task& task);
  [[nodiscard]] bool on_thread() const;

  // ---- on the loop's thread only ----

  /// Calls `handler` whenever the descriptor is ready for what was asked.
  Result<void> watch(int fd, bool read, bool write, Handler handler);
  /// Changes what is asked for. While that is nothing, the handler is not called, also not for a
  /// hang-up. An error if the system has no memory left to ask again.
  Result<void> rewatch(int fd, bool read, bool write);
  /// After this the handler is not called again, also within the running round.
  void unwatch(int fd);

  /// Calls `task` once, not before `when`.
  TimerId at(Clock::time_point when, Task task);
  TimerId after(Clock::duration delay, Task task) {
    return at(Clock::now() + delay, std::move(task));
  }
  /// No-op if it has run already.
  void cancel(TimerId id);

 private:
  struct Impl;
  explicit Loop(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace parley
