// The parts of git that look at a repository, and which repositories may be looked at unasked: git
// runs what their configuration says (core.fsmonitor, diff drivers, pagers).
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "../paths.hpp"
#include "read_only.hpp"

namespace parley::agent {

/// `words` begin with "git".
[[nodiscard]] ReadOnlyCall git_call(const Words& words);

/// The word by which git runs a command that the line itself gives, or takes its configuration from
/// elsewhere than the repository (`-c`, `--git-dir`, `bisect run`); empty if there is none. A rule
/// for git does not cover that.
[[nodiscard]] std::string_view git_runs(const Words& words);

/// Whether the subcommand is one that looks at the files it is given.
[[nodiscard]] bool git_looks(const Words& words);

/// Where git works when it is started in `folder`: `-C` leads elsewhere. Nothing if that is not
/// known.
[[nodiscard]] std::optional<std::filesystem::path> git_folder(const Words& words,
                                                              const std::filesystem::path& folder,
                                                              const std::filesystem::path& home);

/// Whether the repository that git finds from `cwd` is the one that the user opened: that of a
/// working folder or of one above it. One that lies inside a working folder may have come with its
/// files, or been written there.
[[nodiscard]] bool is_opened_repository(const std::filesystem::path& cwd,
                                        const std::vector<Place>& folders);

/// Whether the configuration of that repository names programs, or other files of configuration,
/// which may lie where the agent edits unasked. Also if that cannot be told.
[[nodiscard]] bool names_programs(const std::filesystem::path& cwd);

}  // namespace parley::agent
