#include "support/files/io.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "support/files/unique_fd.hpp"

namespace parley {
namespace {

constexpr std::size_t kChunk = 64 * 1024;

}  // namespace

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool read_all(int fd, std::string& to, std::size_t most) {
  for (std::size_t left = most; left > 0;) {
    const std::size_t have = to.size();
    const std::size_t chunk = std::min(kChunk, left);
    to.resize(have + chunk);
    ssize_t got = 0;
    do {
      got = ::read(fd, to.data() + have, chunk);
    } while (got < 0 && errno == EINTR);
    const auto count = static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    to.resize(have + count);
    if (got <= 0) return got == 0;
    left -= count;
  }
  return true;
}

std::optional<std::size_t> read_at(int fd, std::uint64_t offset, char* to, std::size_t size) {
  std::size_t have = 0;
  while (have < size) {
    const ssize_t got = ::pread(fd, to + have, size - have, static_cast<off_t>(offset + have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  return have;
}

std::optional<std::string> read_file(const std::filesystem::path& path, std::size_t most) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return std::nullopt;
  std::string bytes;
  // Its size is a hint only: it may grow, and files of /proc say 0.
  struct stat status {};
  if (::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode)) {
    bytes.reserve(std::min(static_cast<std::size_t>(status.st_size), most) + kChunk);
  }
  if (!read_all(file.get(), bytes, most)) return std::nullopt;
  return bytes;
}

}  // namespace parley
