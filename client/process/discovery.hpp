// Finding the agent CLI.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../transport/process.hpp"
#include "../../wire/error.hpp"

namespace parley {

/// What to look for. The order is: `program`, the variable PARLEY_CLI, PATH, known folders, then,
/// only if asked for, `npx`, and last the programs in `fallbacks`.
struct CliSearch {
  /// A path or a name for PATH. If set, nothing else is tried.
  std::string program;
  /// The names to look for.
  std::vector<std::string> names = {"claude"};
  /// Arguments before all others, e.g. {"code"} for a router that is called as `ccr code`.
  std::vector<std::string> leading_arguments;
  /// Falls back to `npx -y <package>`, which may download it.
  bool allow_npx = false;
  std::string npx_package = "@anthropic-ai/claude-code";
  /// Paths of agents that do if there is no other, e.g. one that comes with the program.
  std::vector<std::filesystem::path> fallbacks;
  /// Prefers a router (`ccr code`) to the CLI itself.
  bool prefer_router = false;
};

/// How to start it.
struct CliCommand {
  std::filesystem::path program;
  std::vector<std::string> leading_arguments;
  std::string found_by;  ///< "PATH", "PARLEY_CLI", "fallback", …
};

/// One place that was looked at.
struct CliCandidate {
  std::string source;  ///< "PATH", "known folder", …
  std::filesystem::path path;
  std::string verdict;  ///< "found", "does not exist", "is not executable", …
};

using Getenv = std::function<std::optional<std::string>(const std::string&)>;

/// All places in order, with what was found there. `getenv` is that of the process if left out.
[[nodiscard]] std::vector<CliCandidate> list_cli_candidates(const CliSearch& search,
                                                            const Getenv& getenv = {});
/// The first usable one. The error (kNotFound) lists every place and why it was not taken.
/// A script (.js, .mjs, .cjs) is started with `node`.
[[nodiscard]] Result<CliCommand> find_cli(const CliSearch& search, const Getenv& getenv = {});

/// "2.1.325" out of "2.1.325 (Claude Code)".
struct CliVersion {
  int major = 0, minor = 0, patch = 0;
  auto operator<=>(const CliVersion&) const = default;
  static std::optional<CliVersion> parse(std::string_view text);
  [[nodiscard]] std::string to_string() const;
};
/// Asks the CLI for its version; blocks at most that long.
[[nodiscard]] Result<CliVersion> ask_version(
    const CliCommand& cli, std::chrono::milliseconds timeout = std::chrono::seconds(5),
    const std::vector<std::pair<std::string, std::string>>& environment = current_environment());

}  // namespace parley
