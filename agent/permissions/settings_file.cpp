#include "agent/permissions/settings_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "support/files/io.hpp"
#include "support/files/replace_file.hpp"
#include "support/files/unique_fd.hpp"
#include "support/text/text.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

constexpr off_t kMaxSize = 16 * 1024 * 1024;

Error io_error(const char* what, const fs::path& file) {
  return {ErrorCode::io, std::string(what) + ": " + std::strerror(errno), file.string()};
}

/// A repository could bring a link that makes a change here a change elsewhere.
bool is_link(const fs::path& path) {
  std::error_code error;
  return fs::is_symlink(fs::symlink_status(path, error));
}

Error link_error(const fs::path& path) {
  return {ErrorCode::permission, "a settings file is not used through a link", path.string()};
}

}  // namespace

Result<Json> read_settings_file(const fs::path& file) {
  const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) {
    if (errno == ENOENT || errno == ENOTDIR) return Json::object();
    return io_error("cannot open the settings", file);
  }
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return io_error("cannot read the settings", file);
  if (!S_ISREG(info.st_mode)) {
    return Error(ErrorCode::permission, "the settings are not a plain file", file.string());
  }
  if (info.st_size > kMaxSize) {
    return Error(ErrorCode::too_large, "the settings are larger than 16 MB", file.string());
  }
  std::string text;
  if (!read_all(fd.get(), text, static_cast<std::size_t>(kMaxSize) + 1)) {
    return io_error("cannot read the settings", file);
  }
  if (is_blank(text)) return Json::object();
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  auto json = Json::parse(text);
  if (!json.ok()) return Error(json.error().code(), json.error().what(), file.string());
  if (!json->is_object()) {
    return Error(ErrorCode::unexpected, "the settings are not a JSON object", file.string());
  }
  return json;
}

Result<void> write_settings_file(const fs::path& file, const Json& content) {
  if (is_link(file)) return link_error(file);
  if (is_link(file.parent_path())) return link_error(file.parent_path());
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error)
    return Error(ErrorCode::io, "cannot make the folder: " + error.message(), file.string());
  struct stat old {};
  Replacement how;
  how.mode = ::stat(file.c_str(), &old) == 0 ? old.st_mode & 07777 : 0644;
  how.exact_mode = true;
  how.durable = true;
  const Replaced done = replace_file(file.string(), content.dump(2) + "\n", how);
  if (done) return {};
  errno = done.error;
  return io_error("cannot write the settings", file);
}

}  // namespace parley::agent
