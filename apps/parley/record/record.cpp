// `parley record`: stands between a client and an agent CLI, passes everything on unchanged, and
// writes down what it passes. One thread per direction, each with plain blocking calls, because a
// slow side then slows down exactly the side it should.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>
#include <ctime>
#include <iostream>
#include <memory>
#include <thread>

#include "apps/parley/commands.hpp"
#include "apps/parley/record/record_log.hpp"
#include "apps/parley/record/stdio.hpp"

namespace parley::app {
namespace {

constexpr std::size_t kChunk = 64 * 1024;
/// Passed on to the CLI. SIGKILL and SIGSTOP cannot be caught; when this process is killed, the
/// kernel kills the CLI as well.
constexpr int kForwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

struct Pipe {
  UniqueFd read, write;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return Error(ErrorCode::kIo, ::strerror(errno), "pipe");
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

/// Passes bytes on until either side ends, then closes both ends. `stop` becomes readable when
/// there is no more use in it; -1 if that cannot be. What is read is recorded before it is passed
/// on, so that no reaction to a line can stand before it in the recording.
void pump(UniqueFd from, UniqueFd to, int stop, RecordLog& log, RecordLog::Direction direction) {
  std::array<char, kChunk> buffer{};
  for (;;) {
    std::array<pollfd, 2> ready{{{from.get(), POLLIN, 0}, {stop, POLLIN, 0}}};
    if (::poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR) return;
    if (ready[1].revents != 0) return;
    if (ready[0].revents == 0) continue;
    const ssize_t count = ::read(from.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(count));
    log.bytes(direction, bytes);
    if (!write_all(to.get(), bytes)) return;
  }
  log.end(direction);
}

/// In the child: never returns. `failed` tells the parent why there is no program.
[[noreturn]] void become(const std::vector<std::string>& command, const std::array<int, 3>& stdio,
                         int failed, pid_t parent, const sigset_t& signals) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  for (int i = 0; i < 3; ++i) ::dup2(stdio[static_cast<std::size_t>(i)], i);
  // A group of its own: a Ctrl-C of the terminal would otherwise arrive twice.
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kFailure);
  ::signal(SIGPIPE, SIG_DFL);
  ::sigprocmask(SIG_SETMASK, &signals, nullptr);
  ::execvp(arguments[0], arguments.data());
  const int reason = errno;
  (void)!::write(failed, &reason, sizeof reason);
  ::_exit(kFailure);
}

ExitStatus status_of(int wait_status) {
  ExitStatus status;
  if (WIFSIGNALED(wait_status)) {
    status.signal = WTERMSIG(wait_status);
  } else {
    status.code = WEXITSTATUS(wait_status);
  }
  return status;
}

/// Waits for the end of the child and passes signals on meanwhile. `signals` are blocked.
ExitStatus wait_for(pid_t child, const sigset_t& signals, RecordLog& log) {
  for (;;) {
    int status = 0;
    if (::waitpid(child, &status, WNOHANG) == child) return status_of(status);
    int number = 0;
    if (::sigwait(&signals, &number) != 0 || number == SIGCHLD) continue;
    log.signal(signal_name(number));
    ::kill(child, number);
  }
}

int fail(const std::string& what) {
  std::cerr << "parley record: " << what << '\n';
  return kFailure;
}

std::string default_file() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  std::array<char, 48> name{};
  return {name.data(),
          std::strftime(name.data(), name.size(), "recording-%Y%m%d-%H%M%S.jsonl", &local)};
}

int record(const std::string& file, const std::vector<std::string>& command) {
  auto opened = RecordLog::open(file.empty() ? default_file() : file);
  if (!opened) return fail(opened.error().what());
  RecordLog log = *std::move(opened);
  auto in = make_pipe(), out = make_pipe(), err = make_pipe(), failed = make_pipe(),
       over = make_pipe();
  for (const auto* pipe : {&in, &out, &err, &failed, &over}) {
    if (!*pipe) return fail(pipe->error().what());
  }

  // Blocked before the first thread and before the child, so that none is lost or kills us.
  sigset_t signals, before;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  for (const int number : kForwarded) sigaddset(&signals, number);
  ::sigprocmask(SIG_BLOCK, &signals, &before);
  ::signal(SIGPIPE, SIG_IGN);

  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return fail("cannot start a process: " + std::string(::strerror(errno)));
  if (child == 0) {
    become(command, {in->read.get(), out->write.get(), err->write.get()}, failed->write.get(),
           parent, before);
  }
  in->read.reset();
  out->write.reset();
  err->write.reset();
  failed->write.reset();
  int reason = 0;
  if (::read(failed->read.get(), &reason, sizeof reason) == sizeof reason) {
    ::waitpid(child, nullptr, 0);
    (void)fail(command[0] + ": " + ::strerror(reason));
    return reason == ENOENT ? kNotFound : kNotExecutable;
  }

  log.start(command);
  using Direction = RecordLog::Direction;
  std::jthread to_cli(pump, UniqueFd(STDIN_FILENO), std::move(in->write), over->read.get(),
                      std::ref(log), Direction::kIn);
  std::jthread from_cli(pump, std::move(out->read), UniqueFd(STDOUT_FILENO), -1, std::ref(log),
                        Direction::kOut);
  std::jthread errors(pump, std::move(err->read), UniqueFd(::dup(STDERR_FILENO)), -1, std::ref(log),
                      Direction::kErr);
  const ExitStatus status = wait_for(child, signals, log);
  over->write.reset();
  from_cli.join();
  errors.join();
  to_cli.join();
  log.exit(status);
  return end_like(status);
}

}  // namespace

void add_record(CLI::App& app, int& exit_code) {
  struct Options {
    std::string file;
    std::vector<std::string> command;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("record", "Run an agent CLI and record what goes in and out");
  command->add_option("-o,--output", options->file,
                      "The recording; a further run is added if there is one "
                      "(default: recording-<time>.jsonl)");
  command->add_option("command", options->command, "The CLI and its arguments, after --")
      ->required();
  command->footer(
      "parley record [-o FILE] -- CLI [ARGUMENT...]\n"
      "Everything is passed on unchanged: bytes, signals, the ends of streams, the exit code.");
  command->callback([options, &exit_code] { exit_code = record(options->file, options->command); });
}

}  // namespace parley::app
