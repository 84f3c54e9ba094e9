// The agent as a program: flags and environment in, exit code out.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace parley::agent {

/// Runs until the conversation is over. Uses stdin, stdout and stderr, and takes over the signals
/// of the process; once per process.
int run_agent(const std::vector<std::string>& arguments,
              const std::map<std::string, std::string>& environment);

}  // namespace parley::agent
