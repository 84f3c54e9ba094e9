// The files below a folder. Links to folders are not followed, so the walk ends.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

namespace parley::agent {

struct WalkEnd {
  bool complete = true;  ///< False: stopped, or out of time.
};

struct WalkLimits {
  std::stop_token stop;
  std::chrono::milliseconds time{20'000};
  bool skip_repositories = false;  ///< Leave out .git and its like.
};

/// Calls `visit` for every file that is no folder, with its path relative to `root`. Folders that
/// cannot be read are passed over.
WalkEnd walk_files(const std::filesystem::path& root, const WalkLimits& limits,
                   const std::function<void(const std::filesystem::directory_entry&,
                                            const std::string& relative)>& visit);

}  // namespace parley::agent
