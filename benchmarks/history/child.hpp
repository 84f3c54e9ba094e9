// Runs other programs and says what they cost.
#pragma once

#include <string>
#include <vector>

namespace parley::bench {

struct Run {
  double milliseconds = 0;
  long peak_kilobytes = 0;
  int exit_code = -1;
  std::string output;
};

/// Runs a program to its end with `environment` (NAME=value) and its standard error thrown away.
Run run_child(const std::vector<std::string>& command, const std::vector<std::string>& environment);

using Command = std::vector<std::string>;

/// Runs each of the commands so many times, in turns, so that whatever else the machine does slows
/// all of them. The run with the median time of each; all must succeed, else a failed one.
std::vector<Run> median_runs(int times, const std::vector<Command>& commands,
                             const std::vector<std::string>& environment);

}  // namespace parley::bench
