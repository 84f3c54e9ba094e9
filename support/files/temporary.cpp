#include "support/files/temporary.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace parley {
namespace {

namespace fs = std::filesystem;

/// Empty, with errno set, if there is no place for temporary files.
std::string name_pattern(std::string_view begins, std::string_view ends) {
  std::error_code failed;
  const fs::path folder = fs::temp_directory_path(failed);
  if (failed) {
    errno = failed.value();
    return {};
  }
  return (folder / begins).string() + "XXXXXX" + std::string(ends);
}

}  // namespace

std::optional<TemporaryFolder> TemporaryFolder::make(std::string_view name_begins) {
  std::string name = name_pattern(name_begins, {});
  if (name.empty() || ::mkdtemp(name.data()) == nullptr) return std::nullopt;
  return TemporaryFolder(fs::path(std::move(name)));
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, fs::path())) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

std::optional<TemporaryFile> TemporaryFile::make(std::string_view name_begins,
                                                 std::string_view name_ends) {
  std::string name = name_pattern(name_begins, name_ends);
  if (name.empty()) return std::nullopt;
  UniqueFd fd(::mkostemps(name.data(), static_cast<int>(name_ends.size()), O_CLOEXEC));
  if (!fd) return std::nullopt;
  return TemporaryFile(std::move(name), std::move(fd));
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::move(other.fd_)) {}

TemporaryFile::~TemporaryFile() {
  if (fd_) ::unlink(path_.c_str());
}

}  // namespace parley
