#include "benchmarks/history/child.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace parley::bench {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (const std::string& text : texts) list.push_back(const_cast<char*>(text.c_str()));
  list.push_back(nullptr);
  return list;
}

}  // namespace

Run run_child(const std::vector<std::string>& command,
              const std::vector<std::string>& environment) {
  Run run;
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) return run;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const auto begun = std::chrono::steady_clock::now();
  pid_t pid = -1;
  const int failed = ::posix_spawnp(&pid, command.front().c_str(), &actions, nullptr,
                                    pointers(command).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  ::close(pipe[1]);
  if (failed == 0) {
    std::array<char, 65536> buffer;
    for (ssize_t n = 0; (n = ::read(pipe[0], buffer.data(), buffer.size())) > 0;) {
      run.output.append(buffer.data(), static_cast<std::size_t>(n));
    }
    int status = 0;
    rusage usage{};
    ::wait4(pid, &status, 0, &usage);
    run.peak_kilobytes = usage.ru_maxrss;
    run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  ::close(pipe[0]);
  run.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
  return run;
}

std::vector<Run> median_runs(int times, const std::vector<Command>& commands,
                             const std::vector<std::string>& environment) {
  std::vector<std::vector<Run>> runs(commands.size());
  for (int i = 0; i < times; ++i) {
    for (std::size_t k = 0; k < commands.size(); ++k) {
      runs[k].push_back(run_child(commands[k], environment));
    }
  }
  std::vector<Run> medians;
  for (std::vector<Run>& list : runs) {
    std::sort(list.begin(), list.end(),
              [](const Run& a, const Run& b) { return a.milliseconds < b.milliseconds; });
    const auto failed =
        std::find_if(list.begin(), list.end(), [](const Run& run) { return run.exit_code != 0; });
    const auto middle = list.begin() + times / 2;
    medians.push_back(failed == list.end() ? *middle : *failed);
  }
  return medians;
}

}  // namespace parley::bench
