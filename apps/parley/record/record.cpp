// `parley record`: stands between a client and an agent CLI, passes everything on unchanged, and
// writes down what it passes. One thread per direction, each with plain blocking calls, because a
// slow side then slows down exactly the side it should.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
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
#include "support/files/io.hpp"
#include "support/process/environment.hpp"
#include "support/process/spawn.hpp"

namespace parley::app {
namespace {

/// Passed on to the CLI. SIGKILL and SIGSTOP cannot be caught; when this process is killed, the
/// kernel kills the CLI as well.
constexpr int kForwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

/// Passes bytes on until either side ends, then closes both ends. `stop` becomes readable when
/// there is no more use in it; -1 if that cannot be. What is read is recorded before it is passed
/// on, so that no reaction to a line can stand before it in the recording.
void pump(UniqueFd from, UniqueFd to, int stop, RecordLog& log, RecordLog::Direction direction) {
  std::array<char, kPipeBytes> buffer{};
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

/// A group of its own: a Ctrl-C of the terminal would otherwise arrive twice. When this process is
/// killed, the kernel kills the CLI as well.
Spawned start(const std::vector<std::string>& command, const std::array<int, 3>& stdio) {
  SpawnSpec wanted;
  wanted.program = command[0];
  if (command[0].find('/') == std::string::npos) {
    const char* path = std::getenv("PATH");
    const auto found =
        find_program(command[0], path != nullptr ? path : "/usr/bin:/bin", PathFolders::all);
    Spawned nobody;
    nobody.error = ENOENT;
    if (!found) return nobody;
    wanted.program = found->string();
  }
  wanted.arguments = command;
  wanted.environment = environment_texts(current_environment());
  wanted.stdio = stdio;
  wanted.ends_with_thread = true;
  Spawned child = spawn(wanted);
  if (child.error != ENOEXEC) return child;
  // A script that does not say what runs it is one of the shell's.
  wanted.arguments[0] = std::exchange(wanted.program, "/bin/sh");
  wanted.arguments.insert(wanted.arguments.begin(), "sh");
  return spawn(wanted);
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
  auto in = make_pipe(), out = make_pipe(), err = make_pipe(), over = make_pipe();
  if (!in || !out || !err || !over) return fail("pipe: " + std::string(::strerror(errno)));

  // Blocked before the first thread and before the child, so that none is lost or kills us.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  for (const int number : kForwarded) sigaddset(&signals, number);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  ::signal(SIGPIPE, SIG_IGN);

  const Spawned child = start(command, {in->read.get(), out->write.get(), err->write.get()});
  if (!child) {
    (void)fail(command[0] + ": " + ::strerror(child.error));
    return child.error == ENOENT ? kNotFound : kNotExecutable;
  }
  in->read.reset();
  out->write.reset();
  err->write.reset();

  log.start(command);
  using Direction = RecordLog::Direction;
  std::jthread to_cli(pump, UniqueFd(STDIN_FILENO), std::move(in->write), over->read.get(),
                      std::ref(log), Direction::in);
  std::jthread from_cli(pump, std::move(out->read), UniqueFd(STDOUT_FILENO), -1, std::ref(log),
                        Direction::out);
  std::jthread errors(pump, std::move(err->read), UniqueFd(::dup(STDERR_FILENO)), -1, std::ref(log),
                      Direction::err);
  const ExitStatus status = wait_for(child.pid, signals, log);
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
