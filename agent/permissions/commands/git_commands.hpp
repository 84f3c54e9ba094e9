// The parts of git that look at a repository, and which repositories may be looked at unasked: git
// runs what their configuration says (core.fsmonitor, diff drivers, pagers).
#pragma once

#include <filesystem>
#include <vector>

#include "../paths.hpp"
#include "read_only.hpp"

namespace parley::agent {

/// `words` begin with "git".
[[nodiscard]] ReadOnlyCall git_call(const Words& words);

/// Whether the repository that git finds from `cwd` is the one that the user opened: that of a
/// working folder or of one above it. One that lies inside a working folder may have come with its
/// files, or been written there.
[[nodiscard]] bool is_opened_repository(const std::filesystem::path& cwd,
                                        const std::vector<Place>& folders);

/// Whether the configuration of that repository names programs, or other files of configuration,
/// which may lie where the agent edits unasked. Also if that cannot be told.
[[nodiscard]] bool names_programs(const std::filesystem::path& cwd);

}  // namespace parley::agent
