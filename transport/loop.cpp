#include "transport/loop.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <vector>

#include "support/files/unique_fd.hpp"
#include "support/process/wake_event.hpp"

namespace parley {
namespace {

Error io_error(std::string what) {
  return {ErrorCode::io, std::move(what) + ": " + std::strerror(errno)};
}

/// Blocks every signal that can be blocked without hiding a crash.
void block_signals() {
  sigset_t all;
  sigfillset(&all);
  for (const int crash : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP}) {
    sigdelset(&all, crash);
  }
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace

struct Loop::Impl {
  struct Watched {
    std::uint32_t generation;
    std::shared_ptr<Handler> handler;
    bool in_set;  ///< Of epoll. Not while nothing is asked for: it tells of hang-ups unasked.
  };
  struct Timer {
    TimerId id;
    Task task;
  };

  UniqueFd epoll;
  WakeEvent wake;
  std::thread thread;
  std::atomic<std::thread::id> thread_id{};

  std::mutex mutex;
  std::vector<Task> posted;
  bool stopping = false;

  // The thread's own.
  bool orphaned = false;  ///< The thread owns this object.
  std::unordered_map<int, Watched> watched;
  std::uint32_t generation = 0;
  std::multimap<Clock::time_point, Timer> timers;
  TimerId last_timer = 0;

  [[nodiscard]] int timeout_ms() const {
    if (timers.empty()) return -1;
    const auto left = timers.begin()->first - Clock::now();
    if (left <= Clock::duration::zero()) return 0;
    // Rounded up: a timer must not fire early, and must not make the loop spin.
    return static_cast<int>(
        std::min<std::int64_t>(std::chrono::ceil<std::chrono::milliseconds>(left).count(), 60'000));
  }

  /// False when the loop is to end.
  bool run_posted() {
    std::vector<Task> tasks;
    bool go_on = true;
    {
      const std::lock_guard lock(mutex);
      tasks.swap(posted);
      go_on = !stopping || !tasks.empty();
    }
    for (Task& task : tasks) {
      task();
      // What it held goes before the next one runs: a later task may tell a waiting thread that
      // everything is gone.
      task = nullptr;
    }
    return go_on;
  }

  void run_timers() {
    const auto now = Clock::now();
    while (!timers.empty() && timers.begin()->first <= now) {
      const Task task = std::move(timers.begin()->second.task);
      timers.erase(timers.begin());
      task();
    }
  }

  void handle(const epoll_event& event) {
    const int fd = static_cast<int>(event.data.u64 & 0xffffffffU);
    const auto generation_of_event = static_cast<std::uint32_t>(event.data.u64 >> 32U);
    if (fd == wake.fd()) return wake.clear();
    const auto found = watched.find(fd);
    // An earlier handler of this round may have closed it, and the number may live again.
    if (found == watched.end() || found->second.generation != generation_of_event) return;
    const std::shared_ptr<Handler> handler = found->second.handler;
    const bool broken = (event.events & (EPOLLERR | EPOLLHUP)) != 0;
    (*handler)({.read = broken || (event.events & EPOLLIN) != 0,
                .write = broken || (event.events & EPOLLOUT) != 0});
  }

  void main() {
    block_signals();
    pthread_setname_np(pthread_self(), "parley-loop");
    std::array<epoll_event, 64> events{};
    for (;;) {
      const int count =
          ::epoll_wait(epoll.get(), events.data(), static_cast<int>(events.size()), timeout_ms());
      for (int i = 0; i < count; ++i) handle(events[static_cast<std::size_t>(i)]);
      run_timers();
      if (!run_posted()) return;
    }
  }

  Result<void> control(int operation, int fd, bool read, bool write, std::uint32_t tag) const {
    epoll_event event{};
    event.events = (read ? EPOLLIN : 0U) | (write ? EPOLLOUT : 0U);
    event.data.u64 = (std::uint64_t{tag} << 32U) | static_cast<std::uint32_t>(fd);
    if (::epoll_ctl(epoll.get(), operation, fd, &event) != 0) return io_error("epoll_ctl");
    return {};
  }

  Result<void> ask(int fd, Watched& entry, bool read, bool write) const {
    const bool wanted = read || write;
    if (!wanted && !entry.in_set) return {};
    const int operation = !wanted ? EPOLL_CTL_DEL : entry.in_set ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    if (auto done = control(operation, fd, read, write, entry.generation); !done) return done;
    entry.in_set = wanted;
    return {};
  }
};

Loop::Loop(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Result<std::shared_ptr<Loop>> Loop::create() {
  auto impl = std::make_unique<Impl>();
  impl->epoll.reset(::epoll_create1(EPOLL_CLOEXEC));
  if (!impl->epoll) return io_error("epoll_create1");
  if (!impl->wake.valid()) return io_error("eventfd");
  if (auto watched = impl->control(EPOLL_CTL_ADD, impl->wake.fd(), true, false, 0); !watched) {
    return watched.error();
  }
  std::shared_ptr<Loop> loop(new Loop(std::move(impl)));
  try {
    loop->impl_->thread = std::thread([raw = loop->impl_.get()] {
      raw->thread_id = std::this_thread::get_id();
      raw->main();
      if (raw->orphaned) delete raw;
    });
  } catch (const std::system_error& error) {
    return Error(ErrorCode::io, "cannot start the I/O thread: " + std::string(error.what()));
  }
  return loop;
}

Result<std::shared_ptr<Loop>> Loop::shared() {
  static std::mutex mutex;
  static std::weak_ptr<Loop> current;
  const std::lock_guard lock(mutex);
  if (auto loop = current.lock()) return loop;
  auto made = create();
  if (made) current = *made;
  return made;
}

Loop::~Loop() {
  if (!impl_->thread.joinable()) return;
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
  }
  impl_->wake.set();
  if (!on_thread()) {
    impl_->thread.join();
    return;
  }
  // The last owner was a task of the loop itself: the thread takes the rest over and ends.
  impl_->thread.detach();
  impl_->orphaned = true;
  (void)impl_.release();
}

void Loop::post(Task task) {
  bool wake = false;
  {
    const std::lock_guard lock(impl_->mutex);
    wake = impl_->posted.empty();
    impl_->posted.push_back(std::move(task));
  }
  if (wake) impl_->wake.set();
}

void Loop::run(const Task& task) {
  if (on_thread()) return task();
  std::mutex mutex;
  std::condition_variable done;
  bool ran = false;
  post([&] {
    task();
    const std::lock_guard lock(mutex);
    ran = true;
    done.notify_one();
  });
  std::unique_lock lock(mutex);
  done.wait(lock, [&] { return ran; });
}

bool Loop::on_thread() const { return impl_->thread_id.load() == std::this_thread::get_id(); }

Result<void> Loop::watch(int fd, bool read, bool write, Handler handler) {
  Impl::Watched watched{++impl_->generation, std::make_shared<Handler>(std::move(handler)), false};
  if (auto set = impl_->ask(fd, watched, read, write); !set) return set;
  impl_->watched[fd] = std::move(watched);
  return {};
}

Result<void> Loop::rewatch(int fd, bool read, bool write) {
  const auto found = impl_->watched.find(fd);
  if (found == impl_->watched.end()) return {};
  return impl_->ask(fd, found->second, read, write);
}

void Loop::unwatch(int fd) {
  const auto found = impl_->watched.find(fd);
  if (found == impl_->watched.end()) return;
  (void)impl_->ask(fd, found->second, false, false);  // cannot fail
  impl_->watched.erase(found);
}

Loop::TimerId Loop::at(Clock::time_point when, Task task) {
  const TimerId id = ++impl_->last_timer;
  impl_->timers.emplace(when, Impl::Timer{id, std::move(task)});
  return id;
}

void Loop::cancel(TimerId id) {
  for (auto timer = impl_->timers.begin(); timer != impl_->timers.end(); ++timer) {
    if (timer->second.id == id) {
      impl_->timers.erase(timer);
      return;
    }
  }
}

}  // namespace parley
