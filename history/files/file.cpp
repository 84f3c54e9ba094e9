#include "history/files/file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <memory>

#include "support/files/io.hpp"
#include "support/files/replace_file.hpp"

namespace parley::history {
namespace {

constexpr int kSafe = O_NOFOLLOW | O_CLOEXEC;
/// Folders nest a few levels; deeper than this is a hostile tree.
constexpr int kMaxTreeDepth = 64;

bool is_child_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

Error bad_name(std::string_view name, const std::string& folder) {
  return Error(ErrorCode::permission, "not the name of a file in this folder: " + std::string(name),
               folder);
}

int open_retrying(int folder, const char* name, int flags, mode_t mode = 0) {
  int fd = -1;
  do {
    fd = ::openat(folder, name, flags, mode);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

EntryKind kind_of(int folder, const dirent& entry) {
  switch (entry.d_type) {
    case DT_REG: return EntryKind::file;
    case DT_DIR: return EntryKind::folder;
    case DT_LNK: return EntryKind::link;
    case DT_UNKNOWN: break;
    default: return EntryKind::other;
  }
  struct stat status {};  // some file systems do not say
  if (::fstatat(folder, entry.d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) return EntryKind::other;
  if (S_ISREG(status.st_mode)) return EntryKind::file;
  if (S_ISDIR(status.st_mode)) return EntryKind::folder;
  return S_ISLNK(status.st_mode) ? EntryKind::link : EntryKind::other;
}

Result<void> remove_below(const Folder& parent, std::string_view name, int depth) {
  if (depth > kMaxTreeDepth) {
    return Error(ErrorCode::too_large, "folders nest too deeply", parent.path());
  }
  {
    auto folder = parent.folder(name);
    if (!folder) return folder.error();
    auto entries = folder->entries();
    if (!entries) return entries.error();
    for (const FolderEntry& entry : *entries) {
      auto removed = entry.kind == EntryKind::folder ? remove_below(*folder, entry.name, depth + 1)
                                                     : folder->remove_file(entry.name);
      if (!removed) return removed;
    }
  }
  if (::unlinkat(parent.descriptor(), std::string(name).c_str(), AT_REMOVEDIR) != 0) {
    return system_error(errno, "cannot remove the folder", parent.path() + "/" + std::string(name));
  }
  return {};
}

}  // namespace

Error system_error(int number, std::string what, std::string path) {
  ErrorCode code = ErrorCode::io;
  std::string why = std::strerror(number);
  if (number == ENOENT || number == ENOTDIR) code = ErrorCode::not_found;
  if (number == EEXIST) code = ErrorCode::invalid;
  if (number == ELOOP) {
    code = ErrorCode::permission;
    why = "it is a symbolic link, which is not followed";
  }
  return Error(code, std::move(what) + ": " + why, std::move(path));
}

Result<FileState> File::state() const {
  struct stat status {};
  if (::fstat(descriptor_.get(), &status) != 0) return system_error(errno, "cannot stat", path_);
  // Rounded, not cut, and with the digits of a double: so do JavaScript peers, and lists must be in
  // the same order.
  return FileState{static_cast<std::uint64_t>(status.st_size),
                   static_cast<std::int64_t>(
                       std::floor(static_cast<double>(status.st_mtim.tv_sec) * 1000 +
                                  static_cast<double>(status.st_mtim.tv_nsec) / 1e6 + 0.5)),
                   status.st_nlink == 0};
}

Result<bool> File::try_lock() const {
  int failed = 0;
  do {
    failed = ::flock(descriptor_.get(), LOCK_EX | LOCK_NB);
  } while (failed != 0 && errno == EINTR);
  if (failed == 0) return true;
  if (errno == EWOULDBLOCK) return false;
  return system_error(errno, "cannot lock", path_);
}

Result<std::size_t> File::read_at(std::uint64_t offset, char* to, std::size_t size) const {
  const auto got = parley::read_at(descriptor_.get(), offset, to, size);
  if (!got) return system_error(errno, "cannot read", path_);
  return *got;
}

Result<std::string> File::read_at(std::uint64_t offset, std::size_t size) const {
  std::string text(size, '\0');
  auto got = read_at(offset, text.data(), size);
  if (!got) return got.error();
  text.resize(*got);
  return text;
}

Result<Folder> Folder::open(const std::string& path) {
  const int fd = open_retrying(AT_FDCWD, path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return system_error(errno, "cannot open the folder", path);
  return Folder(UniqueFd(fd), path);
}

std::string Folder::path_of(std::string_view name) const {
  std::string path = path_;
  if (!path.ends_with('/')) path += '/';
  return path += name;
}

Result<Folder> Folder::folder(std::string_view name) const {
  if (!is_child_name(name)) return bad_name(name, path_);
  std::string path = path_of(name);
  const int fd =
      open_retrying(descriptor_.get(), std::string(name).c_str(), O_RDONLY | O_DIRECTORY | kSafe);
  // With O_DIRECTORY a link is ENOTDIR; say what it really is.
  if (fd < 0 && errno == ENOTDIR) {
    struct stat status {};
    if (::fstatat(descriptor_.get(), std::string(name).c_str(), &status, AT_SYMLINK_NOFOLLOW) ==
            0 &&
        S_ISLNK(status.st_mode)) {
      errno = ELOOP;
    }
  }
  if (fd < 0) return system_error(errno, "cannot open the folder", std::move(path));
  return Folder(UniqueFd(fd), std::move(path));
}

Result<Folder> Folder::make_folder(std::string_view name) const {
  if (!is_child_name(name)) return bad_name(name, path_);
  if (::mkdirat(descriptor_.get(), std::string(name).c_str(), 0700) != 0 && errno != EEXIST) {
    return system_error(errno, "cannot make the folder", path_of(name));
  }
  return folder(name);
}

Result<File> Folder::file(std::string_view name) const { return file(name, O_RDONLY); }

Result<File> Folder::file(std::string_view name, int flags) const {
  if (!is_child_name(name)) return bad_name(name, path_);
  std::string path = path_of(name);
  // O_NONBLOCK: a named pipe must not hold us up before we see what it is.
  const int fd =
      open_retrying(descriptor_.get(), std::string(name).c_str(), flags | O_NONBLOCK | kSafe, 0600);
  if (fd < 0) return system_error(errno, "cannot open", std::move(path));
  UniqueFd descriptor(fd);
  struct stat status {};
  if (::fstat(fd, &status) != 0) return system_error(errno, "cannot stat", std::move(path));
  if (!S_ISREG(status.st_mode)) {
    return Error(ErrorCode::invalid, "not a regular file", std::move(path));
  }
  return File(std::move(descriptor), std::move(path));
}

Result<std::vector<FolderEntry>> Folder::entries() const {
  // A second descriptor: fdopendir() takes over what it is given.
  const int fd = open_retrying(descriptor_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return system_error(errno, "cannot list the folder", path_);
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(fd), &::closedir);
  if (!stream) {
    const int number = errno;
    ::close(fd);
    return system_error(number, "cannot list the folder", path_);
  }
  std::vector<FolderEntry> entries;
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(stream.get());
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    entries.push_back({std::string(name), kind_of(fd, *entry)});
  }
  if (errno != 0) return system_error(errno, "cannot list the folder", path_);
  return entries;
}

Result<std::optional<std::string>> Folder::small_file(std::string_view name,
                                                      std::size_t limit) const {
  auto opened = file(name);
  if (!opened) {
    if (opened.error().code() == ErrorCode::not_found) return std::optional<std::string>();
    return opened.error();
  }
  auto text = opened->read_at(0, limit + 1);
  if (!text) return text.error();
  if (text->size() > limit) {
    return Error(ErrorCode::too_large, "larger than " + std::to_string(limit) + " bytes",
                 path_of(name));
  }
  return std::optional<std::string>(std::move(*text));
}

Result<void> Folder::replace_file(std::string_view name, std::string_view content) const {
  if (!is_child_name(name)) return bad_name(name, path_);
  const Replaced done =
      parley::replace_file(descriptor_.get(), std::string(name), content, {.durable = true});
  if (!done) return system_error(done.error, "cannot write", path_of(name));
  return {};
}

Result<void> Folder::remove_file(std::string_view name) const {
  if (!is_child_name(name)) return bad_name(name, path_);
  if (::unlinkat(descriptor_.get(), std::string(name).c_str(), 0) != 0) {
    return system_error(errno, "cannot remove", path_of(name));
  }
  return {};
}

Result<void> Folder::remove_tree(std::string_view name) const {
  if (!is_child_name(name)) return bad_name(name, path_);
  return remove_below(*this, name, 0);
}

}  // namespace parley::history
