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
/// only if asked for, `npx`, and last the programs in `fallbacks`; with `prefer_npx` or
/// `prefer_router`, those before PATH.
struct CliSearch {
  /// A path or a name for PATH. If set, nothing else is tried.
  std::string program;
  /// The names to look for.
  std::vector<std::string> names = {"claude"};
  /// Arguments before all others, e.g. {"code"} for a router that is called as `ccr code`.
  std::vector<std::string> leading_arguments;
  /// Falls back to `npx -y <npx_package>@<npx_version> <npx_arguments>`, which may download it.
  bool allow_npx = false;
  /// Starts that before any CLI that is installed. Needs npx in PATH, as allow_npx does.
  bool prefer_npx = false;
  /// The name of a package, without a version: nothing but letters, digits and `-._~`, below a
  /// scope or not. A router is "@musistudio/claude-code-router".
  std::string npx_package = "@anthropic-ai/claude-code";
  /// "2.1.325", or a tag such as "latest". Empty: what npx has, or else the newest.
  std::string npx_version;
  /// Words after the package and before all others: {"code"} for the router. `leading_arguments` do
  /// not go with npx.
  std::vector<std::string> npx_arguments;
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
/// The first usable one. The error (`not_found`) lists every place and why it was not taken; it is
/// `invalid` for a package or version that npx might take for something else, such as a URL.
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
