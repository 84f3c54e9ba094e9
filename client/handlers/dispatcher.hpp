// Threads for the callbacks of a session. Internal to client/.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace parley::detail {

/// Runs tasks on at most `most` threads, which are started when there is work and end when there
/// has been none for a while: a session without callbacks has none. With one thread, tasks run one
/// at a time and in order.
///
/// Threads are not joined but counted. So a callback may close its own session, and one that never
/// returns cannot hold up close(): it is left behind with what it holds.
class Dispatcher : public std::enable_shared_from_this<Dispatcher> {
 public:
  explicit Dispatcher(std::size_t most) : most_(most) {}

  /// False if the dispatcher is closed, or `limit` tasks wait already; the task is left to the
  /// caller then.
  bool run(std::function<void()>&& task, std::size_t limit = static_cast<std::size_t>(-1));
  /// Drops the tasks that have not begun and waits for the others, except for the one that calls
  /// this. False if some still run when the time is over.
  bool close(std::chrono::milliseconds patience) { return close(patience, true); }
  /// The same, but what waits is still done, as far as the time allows.
  bool finish(std::chrono::milliseconds patience) { return close(patience, false); }
  /// Whether the caller is one of the tasks.
  [[nodiscard]] bool on_thread() const;

 private:
  bool close(std::chrono::milliseconds patience, bool drop);
  void work();

  const std::size_t most_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable gone_;
  std::deque<std::function<void()>> tasks_;
  std::size_t threads_ = 0;
  std::size_t idle_ = 0;
  bool closed_ = false;
};

}  // namespace parley::detail
