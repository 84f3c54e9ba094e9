// Which folders sessions may be started in and listed: the roots and what is below them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "wire/error.hpp"

namespace parley::server {

struct FolderPage {
  std::string path;
  std::string parent;  ///< Empty if it is outside the roots.
  std::vector<std::string> folders;
};

/// Thread-safe after construction. Links are resolved before anything is decided, so a link that
/// leads out of the roots is outside.
class Folders {
 public:
  /// `not_found` or `invalid`, naming the root that is no folder.
  static Result<Folders> make(const std::vector<std::filesystem::path>& roots);

  [[nodiscard]] const std::vector<std::string>& roots() const { return roots_; }
  /// The folder with its links resolved. `permission` if it is outside, also if it does not exist:
  /// nobody learns what lies there.
  [[nodiscard]] Result<std::string> resolve(const std::string& path) const;
  /// Whether a resolved path is within.
  [[nodiscard]] bool contains(const std::string& path) const;
  /// The folders in a folder, sorted; hidden ones are left out.
  [[nodiscard]] Result<FolderPage> list(const std::string& path) const;

 private:
  std::vector<std::string> roots_;
};

}  // namespace parley::server
