#include "benchmarks/history/child.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "support/files/io.hpp"
#include "support/process/environment.hpp"
#include "support/process/spawn.hpp"

namespace parley::bench {
Run run_child(const std::vector<std::string>& command,
              const std::vector<std::string>& environment) {
  Run run;
  auto pipe = make_pipe();
  const UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  const std::string& name = command.front();
  const auto found = name.find('/') == std::string::npos
                         ? find_program(name, environment_variable("PATH"), PathFolders::all)
                         : std::optional<std::filesystem::path>(name);
  if (!pipe || !found) return run;
  SpawnSpec wanted;
  wanted.program = found->string();
  wanted.arguments = command;
  wanted.environment = environment;
  wanted.stdio = {STDIN_FILENO, pipe->write.get(), nothing.get()};
  const auto begun = std::chrono::steady_clock::now();
  const Spawned child = spawn(wanted);
  pipe->write.reset();
  if (child) {
    (void)!read_all(pipe->read.get(), run.output);
    int status = 0;
    rusage usage{};
    ::wait4(child.pid, &status, 0, &usage);
    run.peak_kilobytes = usage.ru_maxrss;
    run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
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
