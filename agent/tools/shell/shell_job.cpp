#include "agent/tools/shell/shell_job.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "support/files/io.hpp"

namespace parley::agent {
namespace {

/// Output may be secret, and its folder lies where others write, too.
Result<void> make_private(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), 0700) == 0) return {};
  struct stat status {};
  if (errno != EEXIST || ::lstat(folder.c_str(), &status) != 0) {
    return Error(ErrorCode::io, "cannot make " + folder.string() + ": " + std::strerror(errno));
  }
  if (S_ISDIR(status.st_mode) && status.st_uid == ::geteuid()) return {};
  return Error(ErrorCode::permission, folder.string() + " belongs to somebody else");
}

}  // namespace

Result<std::shared_ptr<ShellJob>> ShellJob::start(Setup setup) {
  if (Result<void> made = make_private(setup.output_file.parent_path()); !made) return made.error();
  std::error_code error;
  UniqueFd file(::open(setup.output_file.c_str(),
                       O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) {
    return Error(ErrorCode::io,
                 "cannot write " + setup.output_file.string() + ": " + std::strerror(errno));
  }
  Result<ChildProcess> process = ChildProcess::start(setup.process);
  WakeEvent wake;
  if (!process || !wake.valid()) {
    std::filesystem::remove(setup.output_file, error);
    if (!process) return process.error();
    return Error(ErrorCode::io, "cannot make an event");
  }
  std::shared_ptr<ShellJob> job(
      new ShellJob(std::move(setup), std::move(process).value(), std::move(file), std::move(wake)));
  job->thread_ = std::jthread([raw = job.get()] { raw->run(); });
  return job;
}

ShellJob::ShellJob(Setup setup, ChildProcess process, UniqueFd file, WakeEvent wake)
    : setup_(std::move(setup)),
      process_(std::move(process)),
      file_(std::move(file)),
      wake_(std::move(wake)) {}

ShellJob::~ShellJob() {
  kill();
  if (thread_.joinable()) thread_.join();
}

bool ShellJob::wait_until(std::chrono::steady_clock::time_point deadline,
                          const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  return changed_.wait_until(lock, stop, deadline, [&] { return told_; });
}

bool ShellJob::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

int ShellJob::exit_code() const {
  const std::lock_guard lock(mutex_);
  return exit_code_;
}

bool ShellJob::overflowed() const {
  const std::lock_guard lock(mutex_);
  return overflowed_;
}

bool ShellJob::gone() const {
  const std::lock_guard lock(mutex_);
  return gone_;
}

void ShellJob::kill() {
  {
    const std::lock_guard lock(mutex_);
    kill_ = true;
  }
  wake_.set();
}

void ShellJob::kill_at(std::chrono::steady_clock::time_point when) {
  {
    const std::lock_guard lock(mutex_);
    kill_at_ = when;
  }
  wake_.set();
}

std::string ShellJob::head() const {
  const std::lock_guard lock(mutex_);
  return head_;
}

std::uint64_t ShellJob::output_bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

bool ShellJob::wait_for_order(int ended, bool open, bool& has_output, bool& has_ended) {
  int timeout = -1;
  {
    const std::lock_guard lock(mutex_);
    if (kill_at_) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          *kill_at_ - std::chrono::steady_clock::now());
      timeout = static_cast<int>(std::clamp<std::int64_t>(left.count() + 1, 0, 60'000));
    }
  }
  std::array<pollfd, 3> events{pollfd{wake_.fd(), POLLIN, 0}, pollfd{ended, POLLIN, 0},
                               pollfd{open ? process_.output() : -1, POLLIN, 0}};
  ::poll(events.data(), events.size(), timeout);
  wake_.clear();
  has_ended = ended >= 0 && events[1].revents != 0;
  has_output = open && events[2].revents != 0;
  const std::lock_guard lock(mutex_);
  return kill_ || overflowed_ || (kill_at_ && std::chrono::steady_clock::now() >= *kill_at_);
}

void ShellJob::run() {
  bool open = true, running = true;
  // After the command itself has ended the loop goes on for what it left behind: it may still hold
  // the output open, and must be ended with the session at the latest.
  for (;;) {
    // One that says nothing any more is watched itself, so that its end is noticed.
    const UniqueFd leftover = running || open ? UniqueFd() : process_.watch_leftover();
    if (!running && !open && !leftover) break;
    bool has_output = false, has_ended = false;
    const bool kill =
        wait_for_order(running ? process_.ended() : leftover.get(), open, has_output, has_ended);
    if (has_output || has_ended) open = open && drain();
    if (kill) {
      process_.kill_all();
      if (open) drain();
      has_ended = true;
      open = false;
    }
    if (has_ended && running) {
      running = false;
      finish(process_.exit_code());
    }
  }
  (void)process_.exit_code();  // collects it, now that nothing of its session is left
  const std::lock_guard lock(mutex_);
  gone_ = true;
}

bool ShellJob::drain() {
  std::array<char, 16384> buffer;
  for (;;) {
    const ssize_t got = ::read(process_.output(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN;
    if (got == 0) return false;
    const auto size = static_cast<std::size_t>(got);
    const std::lock_guard lock(mutex_);
    if (ended_) continue;  // late words of leftovers
    if (bytes_ + size > kMostOutput) {
      overflowed_ = true;
      return true;
    }
    bytes_ += size;
    head_.append(buffer.data(), std::min(size, kHeadBytes - std::min(head_.size(), kHeadBytes)));
    // A full disk costs output, not the command.
    (void)!write_all(file_.get(), {buffer.data(), size});
  }
}

void ShellJob::finish(int code) {
  {
    const std::lock_guard lock(mutex_);
    exit_code_ = code;
    ended_ = true;
  }
  if (setup_.on_end) setup_.on_end();
  {
    const std::lock_guard lock(mutex_);
    told_ = true;
  }
  changed_.notify_all();
}

}  // namespace parley::agent
