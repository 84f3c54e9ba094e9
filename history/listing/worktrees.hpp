// Finds the worktrees of a git repository from the small files git keeps about them. Not through
// git itself: it need not be installed, and in a folder that somebody else prepared it would run
// what the repository's settings say.
#pragma once

#include <string>
#include <vector>

namespace parley::history {

/// The worktrees of the repository that `folder` (an absolute path) lies in, as `git worktree list`
/// names them: the main one first, also those whose folder is gone. Empty outside of a repository.
[[nodiscard]] std::vector<std::string> git_worktrees(const std::string& folder);

}  // namespace parley::history
