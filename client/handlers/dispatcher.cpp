#include "client/handlers/dispatcher.hpp"

#include <signal.h>

#include <system_error>
#include <thread>
#include <utility>

namespace parley::detail {
namespace {

constexpr std::chrono::seconds kIdleTime{2};

/// The dispatcher that the current thread belongs to.
thread_local const Dispatcher* t_current = nullptr;

/// Signals of the host belong to the host's threads.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

bool Dispatcher::run(std::function<void()>&& task, std::size_t limit) {
  const std::lock_guard lock(mutex_);
  if (closed_ || tasks_.size() >= limit) return false;
  tasks_.push_back(std::move(task));
  if (idle_ >= tasks_.size() || threads_ == most_) {
    wake_.notify_one();
    return true;
  }
  try {
    const SignalsBlocked blocked;  // the new thread inherits it
    std::thread([self = shared_from_this()] { self->work(); }).detach();
    ++threads_;
  } catch (const std::system_error&) {
    // Without a new thread the old ones do the work; without any, it cannot be done.
    if (threads_ == 0) {
      task = std::move(tasks_.back());
      tasks_.pop_back();
      return false;
    }
    wake_.notify_one();
  }
  return true;
}

void Dispatcher::work() {
  t_current = this;
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    const bool woken =
        wake_.wait_for(lock, kIdleTime, [this] { return closed_ || !tasks_.empty(); });
    --idle_;
    if (tasks_.empty()) {
      if (closed_ || !woken) break;
      continue;
    }
    std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    task = nullptr;  // what it holds goes without the lock
    lock.lock();
  }
  --threads_;
  gone_.notify_all();
}

bool Dispatcher::on_thread() const { return t_current == this; }

bool Dispatcher::close(std::chrono::milliseconds patience, bool drop) {
  std::deque<std::function<void()>> dropped;
  std::unique_lock lock(mutex_);
  closed_ = true;
  if (drop) dropped.swap(tasks_);
  wake_.notify_all();
  const std::size_t own = on_thread() ? 1 : 0;
  const bool done = gone_.wait_for(lock, patience, [&] { return threads_ <= own; });
  if (!done) dropped.swap(tasks_);
  lock.unlock();
  return done;
}

}  // namespace parley::detail
