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

/// The run with the median time of several; all must succeed, else the failed one.
Run median_run(int times, const std::vector<std::string>& command,
               const std::vector<std::string>& environment);

}  // namespace parley::bench
