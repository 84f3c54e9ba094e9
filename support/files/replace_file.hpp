// Writes a file so that whoever reads it, whenever, sees the old one or the new one as a whole: the
// new one is written beside it and takes its name at the end. Internal to Parley.
#pragma once

#include <fcntl.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace parley {

struct Replacement {
  /// Of the new file.
  mode_t mode = 0600;
  /// Exactly so; else the umask takes its part, as of every new file. A file system that knows no
  /// modes is no failure.
  bool exact_mode = false;
  /// Given to the new file if that can be done; an owner that cannot be kept is no failure.
  struct Owner {
    uid_t user;
    gid_t group;
  };
  std::optional<Owner> owner = std::nullopt;
  /// Its bytes are on the disk before it gets its name, and then its name: a power cut leaves one
  /// of the two files as well.
  bool durable = false;
  /// The name under which it is written, in the same folder. Empty: one that nobody else has, so
  /// that several may replace the file at a time. A name of their own is for those who are alone: a
  /// process that is killed leaves one such file at the most.
  std::string draft = {};
};

/// How a replacement went.
struct Replaced {
  int error = 0;  ///< What errno said; 0: it is done.
  /// Nothing was begun: the folder takes no new file.
  bool refused = false;

  explicit operator bool() const { return error == 0; }
};

/// `path` is seen from `folder`, an open descriptor, or from the working folder. What stands there,
/// a link as well, is replaced and never followed.
[[nodiscard]] Replaced replace_file(int folder, const std::string& path, std::string_view bytes,
                                    const Replacement& how);
[[nodiscard]] inline Replaced replace_file(const std::string& path, std::string_view bytes,
                                           const Replacement& how) {
  return replace_file(AT_FDCWD, path, bytes, how);
}

}  // namespace parley
