// Files and folders that never lead out of their root: every step below a root is an openat() that
// refuses symbolic links, and only regular files are opened. Reading is pread(), not mmap(),
// because a transcript may shrink while it is read and a mapping would then raise SIGBUS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../../support/files/unique_fd.hpp"
#include "../../wire/error.hpp"

namespace parley::history {

struct FileState {
  std::uint64_t size = 0;
  std::int64_t modified_ms = 0;  ///< Milliseconds since 1970.
  bool deleted = false;          ///< No name leads to it any more.
};

/// An open regular file. Reads may come from several threads.
class File {
 public:
  File(UniqueFd descriptor, std::string path)
      : descriptor_(std::move(descriptor)), path_(std::move(path)) {}

  /// As it is now: the size may differ from one call to the next.
  [[nodiscard]] Result<FileState> state() const;
  /// Reads up to `size` bytes at `offset`; fewer only at the end of the file.
  [[nodiscard]] Result<std::size_t> read_at(std::uint64_t offset, char* to, std::size_t size) const;
  /// The same into a string, which is cut to what there was.
  [[nodiscard]] Result<std::string> read_at(std::uint64_t offset, std::size_t size) const;

  /// Takes the lock that writers of a transcript hold (flock); it is held until the file is closed.
  /// False if somebody else has it.
  [[nodiscard]] Result<bool> try_lock() const;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] int descriptor() const { return descriptor_.get(); }

 private:
  UniqueFd descriptor_;
  std::string path_;
};

enum class EntryKind { file, folder, link, other };

struct FolderEntry {
  std::string name;
  EntryKind kind;
};

/// An open folder. What is opened or changed through it is a direct child of it: a name with a
/// slash, "." or ".." is refused.
class Folder {
 public:
  /// Opens a folder by path; links in the path are followed, because the caller named it.
  static Result<Folder> open(const std::string& path);

  /// A child folder that is no symbolic link.
  [[nodiscard]] Result<Folder> folder(std::string_view name) const;
  /// The same, made (mode 0700) if it does not exist.
  [[nodiscard]] Result<Folder> make_folder(std::string_view name) const;
  /// A child that is a regular file, for reading.
  [[nodiscard]] Result<File> file(std::string_view name) const;
  /// The same with flags of open(2); new files get mode 0600.
  [[nodiscard]] Result<File> file(std::string_view name, int flags) const;
  /// All children in no particular order, "." and ".." left out.
  [[nodiscard]] Result<std::vector<FolderEntry>> entries() const;

  /// A small file in one go; too large is an error. No value if it does not exist.
  [[nodiscard]] Result<std::optional<std::string>> small_file(std::string_view name,
                                                              std::size_t limit) const;
  /// Writes a file so that it is, after a crash, either the old one or the new one.
  [[nodiscard]] Result<void> replace_file(std::string_view name, std::string_view content) const;
  /// Removes a file, or a link itself; what it points to stays.
  [[nodiscard]] Result<void> remove_file(std::string_view name) const;
  /// Removes a child folder and everything in it, without following any link.
  [[nodiscard]] Result<void> remove_tree(std::string_view name) const;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] int descriptor() const { return descriptor_.get(); }

 private:
  Folder(UniqueFd descriptor, std::string path)
      : descriptor_(std::move(descriptor)), path_(std::move(path)) {}

  [[nodiscard]] std::string path_of(std::string_view name) const;

  UniqueFd descriptor_;
  std::string path_;
};

/// What errno says about `path`, as an Error: `not_found`, `permission` for links, `invalid` for
/// what exists already, `io` for the rest.
[[nodiscard]] Error system_error(int number, std::string what, std::string path);

}  // namespace parley::history
