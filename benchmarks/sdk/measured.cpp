#include "benchmarks/sdk/measured.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <future>
#include <string_view>
#include <thread>

#include "client/observer.hpp"
#include "client/session.hpp"

extern "C" char** environ;

namespace parley::bench {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begun) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begun).count();
}

Options options_for(const std::string& cli) {
  Options options;
  options.cli.program = cli;
  return options;
}

/// The most memory this program has held. (ru_maxrss would include that of its parent.)
long peak_kilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::atol(line.c_str() + 6);
  }
  return 0;
}

void report(std::size_t messages, double milliseconds) {
  std::printf("{\"messages\":%zu,\"milliseconds\":%.3f,\"kilobytes\":%ld}\n", messages,
              milliseconds, peak_kilobytes());
}

/// Knows when the session has stopped reading.
struct Pause : Observer {
  std::promise<void> paused;
  bool told = false;
  void on_backpressure(bool stopped) override {
    if (stopped && !std::exchange(told, true)) paused.set_value();
  }
};

}  // namespace

int read_stream(const std::string& cli) {
  Session session(options_for(cli));
  session.connect().value();
  const auto begun = Clock::now();
  session.send("go").value();
  std::size_t messages = 0;
  while (const auto message = session.receive()) {
    ++messages;
    if (std::holds_alternative<ResultMessage>(*message)) break;
  }
  report(messages, since(begun));
  return 0;
}

int stall(const std::string& cli) {
  const auto pause = std::make_shared<Pause>();
  Options options = options_for(cli);
  options.delivery.observer = pause;
  Session session(options);
  session.connect().value();
  const auto begun = Clock::now();
  session.send("go").value();
  if (pause->paused.get_future().wait_for(std::chrono::seconds(60)) != std::future_status::ready) {
    std::fprintf(stderr, "the session never stopped reading\n");
    return 1;
  }
  std::this_thread::sleep_for(std::chrono::seconds(1));
  report(0, since(begun));
  return 0;
}

double connect_to_message(const std::string& cli) {
  Session session(options_for(cli));
  const auto begun = Clock::now();
  session.connect().value();
  session.send("go").value();
  (void)session.receive().value();
  return since(begun);
}

double bare_spawn_to_message(const std::string& cli) {
  constexpr std::string_view kInput =
      R"({"type":"control_request","request_id":"1","request":{"subtype":"initialize"}})"
      "\n"
      R"({"type":"user","message":{"role":"user","content":"go"}})"
      "\n";
  int in[2], out[2];
  if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) return 0;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  const auto begun = Clock::now();
  std::string program = cli;
  char* arguments[] = {program.data(), nullptr};
  pid_t pid = -1;
  const int failed = ::posix_spawn(&pid, cli.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(in[0]);
  ::close(out[1]);
  double milliseconds = 0;
  if (failed == 0 && ::write(in[1], kInput.data(), kInput.size()) > 0) {
    std::string read;
    char buffer[4096];
    while (read.find(R"({"type":"result")") == std::string::npos) {
      const ssize_t count = ::read(out[0], buffer, sizeof buffer);
      if (count <= 0) break;
      read.append(buffer, static_cast<std::size_t>(count));
    }
    milliseconds = since(begun);
  }
  ::close(in[1]);
  ::close(out[0]);
  if (failed == 0) ::waitpid(pid, nullptr, 0);
  return milliseconds;
}

}  // namespace parley::bench
