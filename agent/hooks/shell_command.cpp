#include "agent/hooks/shell_command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

#include "transport/unique_fd.hpp"

namespace parley::agent {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kMostOutput = std::size_t{1} << 20;
/// How long the output of a command that has ended is waited for: something that it left running
/// may hold the other end for ever. The real CLI waits as long.
constexpr milliseconds kOutputGrace{500};

Error failed(const char* what) {
  return Error(ErrorCode::kIo, std::string(what) + ": " + std::strerror(errno));
}

/// A file in memory: the command may read it, reopen it or leave it alone, and nobody has to write
/// while it runs.
Result<UniqueFd> input_file(const std::string& text) {
  UniqueFd file(::memfd_create("hook-input", MFD_CLOEXEC));
  if (!file) return failed("memfd_create");
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t some = ::write(file.get(), text.data() + written, text.size() - written);
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) return failed("write");
    written += static_cast<std::size_t>(some);
  }
  if (::lseek(file.get(), 0, SEEK_SET) != 0) return failed("lseek");
  return file;
}

struct Pipe {
  UniqueFd read, write;
};
Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return failed("pipe2");
  Pipe pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
  ::fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK);
  return pipe;
}

/// The parameters of posix_spawn, which want to be destroyed.
struct SpawnParameters {
  SpawnParameters() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  ~SpawnParameters() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnParameters(const SpawnParameters&) = delete;
  SpawnParameters& operator=(const SpawnParameters&) = delete;

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

Result<pid_t> spawn(const ShellCommand& command, int in, int out, int err) {
  SpawnParameters with;
  posix_spawn_file_actions_adddup2(&with.actions, in, 0);
  posix_spawn_file_actions_adddup2(&with.actions, out, 1);
  posix_spawn_file_actions_adddup2(&with.actions, err, 2);
  posix_spawn_file_actions_addchdir_np(&with.actions, command.cwd.c_str());
  // A group of its own, to be killed as one, and no signal ignored or blocked by inheritance.
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setpgroup(&with.attributes, 0);
  posix_spawnattr_setsigdefault(&with.attributes, &all);
  posix_spawnattr_setsigmask(&with.attributes, &none);
  posix_spawnattr_setflags(&with.attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  std::vector<std::string> variables;
  for (const auto& [name, value] : command.environment) variables.push_back(name + '=' + value);
  std::vector<char*> environment;
  for (std::string& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);
  std::string shell = "/bin/sh", option = "-c", text = command.command;
  char* const arguments[] = {shell.data(), option.data(), text.data(), nullptr};
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, shell.c_str(), &with.actions, &with.attributes, arguments,
                                  environment.data());
  if (error == 0) return pid;
  errno = error;
  return failed("cannot start /bin/sh");
}

/// A started command. It is always waited for, and killed if nobody has waited.
class Running {
 public:
  Running(pid_t pid, UniqueFd output, UniqueFd errors)
      : pid_(pid),
        pidfd_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))),
        output_{std::move(output)},
        errors_{std::move(errors)} {}
  ~Running() { kill(); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void kill() {
    if (ended_) return;
    ::kill(-pid_, SIGKILL);
    wait();
  }

  /// Waits for news until `deadline`; `wake` becomes readable at a stop.
  void poll(int wake, Clock::time_point deadline) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now()).count();
    // A descriptor below zero is not looked at.
    pollfd fds[] = {{output_.fd.get(), POLLIN, 0},
                    {errors_.fd.get(), POLLIN, 0},
                    {ended_ ? -1 : pidfd_.get(), POLLIN, 0},
                    {wake, POLLIN, 0}};
    ::poll(fds, std::size(fds), static_cast<int>(std::clamp<long>(left, 0, 60'000)));
    // The end first: whatever was written before it is there to be read.
    if (fds[2].revents != 0) wait();
    output_.read_all();
    errors_.read_all();
  }

  /// Whether its end can be seen.
  [[nodiscard]] bool watched() const { return pidfd_.valid(); }
  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] bool silent() const { return !output_.fd && !errors_.fd; }
  [[nodiscard]] int exit_code() const { return exit_code_; }
  std::string take_output() { return std::move(output_.text); }
  std::string take_errors() { return std::move(errors_.text); }

 private:
  struct Stream {
    UniqueFd fd;  ///< Closed at the end.
    std::string text = {};

    void read_all() {
      char bytes[16384];
      while (fd) {
        const ssize_t got = ::read(fd.get(), bytes, sizeof bytes);
        if (got > 0) {
          const auto size = static_cast<std::size_t>(got);
          text.append(bytes, std::min(size, kMostOutput - std::min(kMostOutput, text.size())));
        } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
          fd.reset();
        } else if (errno == EAGAIN) {
          return;
        }
        // One helping at a time: an endless writer must not keep us from looking at the clock.
        if (got == static_cast<ssize_t>(sizeof bytes)) return;
      }
    }
  };

  void wait() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    ended_ = true;
  }

  pid_t pid_;
  UniqueFd pidfd_;
  Stream output_, errors_;
  bool ended_ = false;
  int exit_code_ = 0;
};

}  // namespace

Result<ShellEnd> run_shell_command(const ShellCommand& command, const std::stop_token& stop) {
  auto input = input_file(command.input);
  if (!input) return input.error();
  auto output = make_pipe();
  if (!output) return output.error();
  auto errors = make_pipe();
  if (!errors) return errors.error();
  const UniqueFd wake(::eventfd(0, EFD_CLOEXEC));
  if (!wake) return failed("eventfd");
  const auto pid = spawn(command, input->get(), output->write.get(), errors->write.get());
  if (!pid) return pid.error();
  output->write.reset();
  errors->write.reset();

  Running running(*pid, std::move(output->read), std::move(errors->read));
  if (!running.watched()) return failed("pidfd_open");
  const std::stop_callback on_stop(stop, [&] {
    const std::uint64_t one = 1;
    static_cast<void>(!::write(wake.get(), &one, sizeof one));
  });
  ShellEnd end;
  const auto deadline = Clock::now() + command.timeout;
  auto output_deadline = deadline;
  bool ended = false;
  for (;;) {
    running.poll(wake.get(), ended ? output_deadline : deadline);
    const auto now = Clock::now();
    if (running.ended() && !ended) {
      ended = true;
      output_deadline = now + kOutputGrace;
    }
    if (ended && (running.silent() || now >= output_deadline)) break;
    if (stop.stop_requested() || (!ended && now >= deadline)) {
      end.cancelled = stop.stop_requested();
      end.timed_out = !end.cancelled;
      running.kill();
      break;
    }
  }
  end.output = running.take_output();
  end.errors = running.take_errors();
  end.exit_code = end.timed_out || end.cancelled ? 1 : running.exit_code();
  return end;
}

}  // namespace parley::agent
