#include "agent/hooks/shell_command.hpp"

#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

#include "support/files/io.hpp"
#include "support/files/unique_fd.hpp"
#include "support/process/spawn.hpp"
#include "support/process/wake_event.hpp"

namespace parley::agent {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kMostOutput = std::size_t{1} << 20;
/// How long the output of a command that has ended is waited for: something that it left running
/// may hold the other end for ever. The real CLI waits as long.
constexpr milliseconds kOutputGrace{500};

Error failed(const char* what) {
  return Error(ErrorCode::io, std::string(what) + ": " + std::strerror(errno));
}

/// A file in memory: the command may read it, reopen it or leave it alone, and nobody has to write
/// while it runs.
Result<UniqueFd> input_file(const std::string& text) {
  UniqueFd file(::memfd_create("hook-input", MFD_CLOEXEC));
  if (!file) return failed("memfd_create");
  if (!write_all(file.get(), text)) return failed("write");
  if (::lseek(file.get(), 0, SEEK_SET) != 0) return failed("lseek");
  return file;
}

Result<Pipe> output_pipe() {
  auto pipe = make_pipe();
  if (!pipe) return failed("pipe2");
  set_non_blocking(pipe->read.get());
  return *std::move(pipe);
}

/// In a group of its own, to be killed as one.
Result<Spawned> start_shell(const ShellCommand& command, int in, int out, int err) {
  SpawnSpec wanted;
  wanted.program = "/bin/sh";
  wanted.arguments = {"/bin/sh", "-c", command.command};
  wanted.environment = environment_texts(command.environment);
  wanted.working_folder = command.cwd.string();
  wanted.stdio = {in, out, err};
  Spawned started = spawn(wanted);
  if (started) return started;
  errno = started.error;
  return failed("cannot start /bin/sh");
}

/// A started command. It is always waited for, and killed if nobody has waited.
class Running {
 public:
  Running(Spawned started, UniqueFd output, UniqueFd errors)
      : pid_(started.pid),
        pidfd_(std::move(started.pidfd)),
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
  auto output = output_pipe();
  if (!output) return output.error();
  auto errors = output_pipe();
  if (!errors) return errors.error();
  const WakeEvent wake;
  if (!wake.valid()) return failed("eventfd");
  auto started = start_shell(command, input->get(), output->write.get(), errors->write.get());
  if (!started) return started.error();
  output->write.reset();
  errors->write.reset();

  Running running(*std::move(started), std::move(output->read), std::move(errors->read));
  const std::stop_callback on_stop(stop, [&] { wake.set(); });
  ShellEnd end;
  const auto deadline = Clock::now() + command.timeout;
  auto output_deadline = deadline;
  bool ended = false;
  for (;;) {
    running.poll(wake.fd(), ended ? output_deadline : deadline);
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
