// Writes to a descriptor that may take less than it is given. Internal to Parley.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace parley {

/// Blocks until all bytes are written; false on an error, with errno set.
inline bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace parley
