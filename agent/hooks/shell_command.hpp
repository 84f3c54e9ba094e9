// Runs a hook's command to its end, its timeout or a stop.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>

#include "../../wire/error.hpp"

namespace parley::agent {

struct ShellCommand {
  std::string command;  ///< For `sh -c`.
  std::string input;    ///< Its stdin.
  std::filesystem::path cwd;
  std::map<std::string, std::string> environment;  ///< All of it.
  std::chrono::milliseconds timeout{0};
};

struct ShellEnd {
  std::string output, errors;  ///< Cut where they become unreasonably long.
  int exit_code = 0;           ///< 1 if a signal ended it.
  bool timed_out = false;
  bool cancelled = false;
};

/// Blocks. At a timeout or a stop the command's process group is killed. What a command that ended
/// by itself leaves running is its own business, and not waited for. An error if it cannot start.
[[nodiscard]] Result<ShellEnd> run_shell_command(const ShellCommand& command,
                                                 const std::stop_token& stop);

}  // namespace parley::agent
