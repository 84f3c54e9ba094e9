// Files and folders that are gone with the object that made them. Only this user can look into
// them. Internal to Parley.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "unique_fd.hpp"

namespace parley {

/// A resource: the folder and all that is in it go with it. Links in it are removed, not followed.
class TemporaryFolder {
 public:
  /// Where the system keeps such things (TMPDIR); nothing, with errno set, if it cannot be made.
  [[nodiscard]] static std::optional<TemporaryFolder> make(std::string_view name_begins);

  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;  ///< Empty: nothing is owned.
};

/// A resource: the file goes with it.
class TemporaryFile {
 public:
  /// The end of the name tells programs what it is (".json").
  [[nodiscard]] static std::optional<TemporaryFile> make(std::string_view name_begins,
                                                         std::string_view name_ends);

  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile();

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Open for reading and writing.
  [[nodiscard]] int fd() const { return fd_.get(); }

 private:
  TemporaryFile(std::string path, UniqueFd fd) : path_(std::move(path)), fd_(std::move(fd)) {}

  std::string path_;
  UniqueFd fd_;  ///< None: nothing is owned.
};

}  // namespace parley
