#include "agent/tools/search/file_walk.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace parley::agent {

namespace fs = std::filesystem;

WalkEnd walk_files(
    const fs::path& root, const WalkLimits& limits,
    const std::function<void(const fs::directory_entry&, const std::string&)>& visit) {
  static constexpr std::array<std::string_view, 6> kRepositories{".git", ".svn", ".hg",
                                                                 ".bzr", ".jj",  ".sl"};
  const auto deadline = std::chrono::steady_clock::now() + limits.time;
  std::vector<std::string> folders{""};
  while (!folders.empty()) {
    const std::string folder = std::move(folders.back());
    folders.pop_back();
    std::error_code error;
    for (fs::directory_iterator
             at(root / folder, fs::directory_options::skip_permission_denied, error),
         end;
         !error && at != end; at.increment(error)) {
      if (limits.stop.stop_requested() || std::chrono::steady_clock::now() > deadline) {
        return {false};
      }
      const std::string name = at->path().filename().string();
      const std::string relative = folder.empty() ? name : folder + "/" + name;
      std::error_code ignored;
      if (at->symlink_status(ignored).type() != fs::file_type::directory) {
        visit(*at, relative);
      } else if (!limits.skip_repositories || std::find(kRepositories.begin(), kRepositories.end(),
                                                        name) == kRepositories.end()) {
        folders.push_back(relative);
      }
    }
  }
  return {};
}

}  // namespace parley::agent
