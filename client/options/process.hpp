// Options::process: how the CLI runs as a program of the system.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../process/discovery.hpp"

namespace parley {

/// The process behind a session: its environment and user, and flags that are about the program
/// rather than the conversation. Which program it is says Options::cli, and where it works
/// Options::cwd. Without an effect on a session over another transport.
struct ProcessOptions {
  /// Variables for the CLI, laid over the environment of this process; the last of a name counts.
  /// CLAUDE_CODE_ENTRYPOINT and CLAUDE_AGENT_SDK_VERSION are added unless given here. CLAUDECODE,
  /// NODE_OPTIONS and DEBUG are not inherited, because they change what a CLI does.
  std::vector<std::pair<std::string, std::string>> environment;

  /// True makes `environment` all that the CLI gets: nothing is inherited. The two variables that
  /// are added, are added all the same.
  bool replace_environment = false;

  /// The user of the system that the CLI runs as; empty: this one. Needs the right to become
  /// another, as a rule root's, else connect() fails. HOME, USER and LOGNAME are that user's unless
  /// given in `environment`.
  std::string user;

  /// Flags this library has no member for, without their dashes: {"flag", "value"}, or
  /// {"flag", nullopt} for a bare one. They come last, so where the CLI takes the last of a flag,
  /// they win over other members.
  std::vector<std::pair<std::string, std::optional<std::string>>> extra_flags;

  /// Fails connect() if the CLI is older. Asking costs one more start of the program. Nothing: any
  /// version will do.
  std::optional<CliVersion> require_version;

  /// Who the program is, for the CLI's records: "name/1.0". Becomes CLAUDE_AGENT_SDK_CLIENT_APP,
  /// also if `environment` has that.
  std::string client_app;

  /// Has the CLI write a log of what it does (`--debug`). Where to, is its own matter without
  /// `debug_file`.
  bool debug = false;

  /// The file for that log (`--debug-file`), which is written even without `debug`.
  std::filesystem::path debug_file;
};

}  // namespace parley
