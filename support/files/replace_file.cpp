#include "support/files/replace_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "support/files/io.hpp"
#include "support/files/unique_fd.hpp"
#include "support/random.hpp"

namespace parley {
namespace {

/// With its slash; empty for a bare name.
std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

bool fill(UniqueFd& file, std::string_view bytes, const Replacement& how) {
  if (!write_all(file.get(), bytes)) return false;
  // Where either cannot be, the file is private and ours, which is better than no file.
  if (how.exact_mode) (void)!::fchmod(file.get(), how.mode);
  if (how.owner) (void)!::fchown(file.get(), how.owner->user, how.owner->group);
  return (!how.durable || ::fsync(file.get()) == 0) && file.close();
}

/// A new name in a folder lasts when the folder does.
void keep_name(int folder, const std::string& path) {
  const std::string above = folder_of(path);
  const UniqueFd opened(
      ::openat(folder, above.empty() ? "." : above.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened) (void)::fsync(opened.get());
}

}  // namespace

Replaced replace_file(int folder, const std::string& path, std::string_view bytes,
                      const Replacement& how) {
  const bool own_name = how.draft.empty();
  const std::string draft =
      folder_of(path) + (own_name ? ".parley-" + random_text(12, kLettersAndDigits) : how.draft);
  const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (own_name ? O_EXCL : O_TRUNC);
  const mode_t first_mode = how.exact_mode ? how.mode & 0600 : how.mode;
  UniqueFd file(::openat(folder, draft.c_str(), flags, first_mode));
  if (!file) return {errno, true};
  if (fill(file, bytes, how) && ::renameat(folder, draft.c_str(), folder, path.c_str()) == 0) {
    if (how.durable) keep_name(folder, path);
    return {};
  }
  const int error = errno;
  ::unlinkat(folder, draft.c_str(), 0);
  return {error, false};
}

}  // namespace parley
