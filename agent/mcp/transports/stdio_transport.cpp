#include "agent/mcp/transports/stdio_transport.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <future>

#include "support/process/no_sigpipe.hpp"
#include "support/process/spawn.hpp"
#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// How long a server has to end by itself when its stdin does, and when it is asked to.
constexpr milliseconds kGraceAfterEnd{100};
constexpr milliseconds kGraceAfterSignal{400};
constexpr std::size_t kReadSize = std::size_t{64} << 10;
/// Helpings that are read of a server that has ended.
constexpr int kMostLeftOver = 1024;

int poll_timeout(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

Error system_error(const std::string& what) {
  return Error(ErrorCode::io, what + ": " + std::strerror(errno));
}

enum class Came { bytes, nothing, end };

/// One helping of what is there, so that an endless writer does not keep us from everything else.
template <class Take>
Came read_some(int fd, const Take& take) {
  char bytes[kReadSize];
  for (;;) {
    const ssize_t got = ::read(fd, bytes, sizeof bytes);
    if (got > 0) {
      take(std::string_view(bytes, static_cast<std::size_t>(got)));
      return Came::bytes;
    }
    if (got < 0 && errno == EAGAIN) return Came::nothing;
    if (got == 0 || errno != EINTR) return Came::end;
  }
}

/// Reads and closes at the end.
template <class Take>
bool read_some(UniqueFd& fd, const Take& take) {
  const Came came = read_some(fd.get(), take);
  if (came == Came::end) fd.reset();
  return came == Came::bytes;
}

}  // namespace

Result<void> StdioTransport::open(McpReceiver& receiver, const McpSendOptions& /*options*/) {
  if (!stop_.valid()) return system_error("eventfd");
  std::promise<Result<pid_t>> promise;
  auto started = promise.get_future();
  thread_ = std::thread([this, &receiver, promise = std::move(promise)]() mutable {
    auto pid = start();
    const bool runs = pid.ok();
    promise.set_value(std::move(pid));
    if (runs) run(receiver);
  });
  auto pid = started.get();
  if (!pid) return pid.error();
  return {};
}

/// On the thread that lives as long as the child: the kernel ends the child with it, so that a
/// server does not outlive an agent that is killed.
Result<pid_t> StdioTransport::start() {
  auto in = make_pipe(), out = make_pipe(), err = make_pipe();
  if (!in || !out || !err) return system_error("pipe2");
  SpawnSpec spec;
  spec.program = setup_.command;
  if (setup_.command.find('/') == std::string::npos) {
    const auto path = setup_.environment.find("PATH");
    const auto found = find_program(
        setup_.command, path == setup_.environment.end() ? "/usr/bin:/bin" : path->second);
    if (!found) {
      return Error(ErrorCode::not_found, "there is no program " + setup_.command + " in the PATH");
    }
    spec.program = found->string();
  }
  spec.arguments = {setup_.command};
  spec.arguments.insert(spec.arguments.end(), setup_.arguments.begin(), setup_.arguments.end());
  spec.environment = environment_texts(setup_.environment);
  spec.working_folder = setup_.cwd;
  spec.stdio = {in->read.get(), out->write.get(), err->write.get()};
  spec.group = SpawnSpec::Group::session;
  spec.ends_with_thread = true;
  Spawned spawned = spawn(spec);
  if (!spawned) {
    return Error(ErrorCode::process,
                 "cannot start " + setup_.command + ": " + std::strerror(spawned.error));
  }
  pid_ = spawned.pid;
  pidfd_ = std::move(spawned.pidfd);
  output_ = std::move(out->read);
  errors_ = std::move(err->read);
  set_non_blocking(output_.get());
  set_non_blocking(errors_.get());
  set_non_blocking(in->write.get());
  const std::lock_guard lock(mutex_);
  input_ = std::move(in->write);
  return pid_;
}

bool StdioTransport::read_output(McpReceiver& receiver) {
  return read_some(output_, [&](std::string_view bytes) {
    framer_.push(bytes);
    while (const auto frame = framer_.next()) {
      if (frame->kind == Frame::Kind::too_long) {
        receiver.on_too_long(frame->text);
      } else {
        (void)receiver.on_message(frame->text);
      }
    }
  });
}

void StdioTransport::run(McpReceiver& receiver) {
  bool ended = false;
  while (output_ && !ended) {
    // A descriptor below zero is not looked at.
    pollfd fds[] = {{output_.get(), POLLIN, 0},
                    {errors_.get(), POLLIN, 0},
                    {pidfd_.get(), POLLIN, 0},
                    {stop_.fd(), POLLIN, 0}};
    if (::poll(fds, std::size(fds), -1) < 0 && errno != EINTR) break;
    if (fds[3].revents != 0) return end_process();
    ended = fds[2].revents != 0;
    if (fds[0].revents != 0) read_output(receiver);
    if (fds[1].revents != 0) {
      read_some(errors_, [&](std::string_view text) {
        if (setup_.on_stderr) setup_.on_stderr(text);
      });
    }
  }
  // What was said before the end is there to be read; somebody else may hold the pipe and go on.
  for (int round = 0; output_ && round < kMostLeftOver && read_output(receiver); ++round) {
  }
  end_process();
  receiver.on_closed(Error(ErrorCode::closed, "Connection closed"));
}

bool StdioTransport::wait_for_end(milliseconds patience) {
  const auto deadline = Clock::now() + patience;
  for (;;) {
    pollfd fds[] = {
        {pidfd_.get(), POLLIN, 0}, {output_.get(), POLLIN, 0}, {errors_.get(), POLLIN, 0}};
    const int timeout = poll_timeout(deadline);
    if (::poll(fds, std::size(fds), timeout) < 0 && errno != EINTR) return false;
    if (fds[0].revents != 0) return true;
    if (Clock::now() >= deadline) return false;
    // Whoever cannot write cannot end.
    const auto drop = [](std::string_view) {};
    if (fds[1].revents != 0) read_some(output_, drop);
    if (fds[2].revents != 0) read_some(errors_, drop);
  }
}

void StdioTransport::end_process() {
  {
    const std::lock_guard lock(mutex_);
    input_.reset();
  }
  if (!wait_for_end(kGraceAfterEnd)) {
    ::kill(-pid_, SIGTERM);
    (void)wait_for_end(kGraceAfterSignal);
  }
  // Whatever the server has left in its group goes with it; its id is taken until it is waited for.
  ::kill(-pid_, SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
}

Result<void> StdioTransport::send(const JsonRpcMessage& message, const McpSendOptions& options) {
  const std::string line = encode(message) + "\n";
  const auto deadline = Clock::now() + options.patience;
  const NoSigpipe no_sigpipe;
  const WakeEvent wake;
  const std::stop_callback on_stop(options.stop, [&] { wake.set(); });
  const std::lock_guard lock(mutex_);
  std::string_view left = line;
  while (!left.empty()) {
    if (!input_) return Error(ErrorCode::closed, "Connection closed");
    const ssize_t wrote = ::write(input_.get(), left.data(), left.size());
    if (wrote >= 0) {
      left.remove_prefix(static_cast<std::size_t>(wrote));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return Error(ErrorCode::closed, "Connection closed");
    const bool begun = left.size() < line.size();
    pollfd fds[] = {{input_.get(), POLLOUT, 0}, {wake.fd(), POLLIN, 0}, {stop_.fd(), POLLIN, 0}};
    ::poll(fds, std::size(fds), poll_timeout(deadline));
    const bool stopped = fds[1].revents != 0;
    if (fds[2].revents == 0 && fds[0].revents != 0) continue;
    if (fds[2].revents == 0 && !stopped && Clock::now() < deadline) continue;
    // Half a message would spoil the next one: such a server is lost.
    if (begun) input_.reset();
    return stopped ? Error(ErrorCode::cancelled, "interrupted")
                   : Error(ErrorCode::timeout, "the server does not read what it is sent");
  }
  if (options.on_sent) options.on_sent();
  return {};
}

void StdioTransport::close() {
  const std::lock_guard lock(closing_);
  if (!thread_.joinable()) return;
  stop_.set();
  thread_.join();
}

}  // namespace parley::agent
