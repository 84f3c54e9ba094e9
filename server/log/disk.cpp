#include "server/log/disk.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <vector>

#include "support/files/io.hpp"
#include "support/files/unique_fd.hpp"

namespace parley::server {

namespace fs = std::filesystem;

Error io_error(const std::string& what, const fs::path& path) {
  return {ErrorCode::io, what + ": " + std::strerror(errno), path.string()};
}

Result<void> write_all(int fd, std::string_view bytes, const fs::path& path) {
  if (!parley::write_all(fd, bytes)) return io_error("cannot write", path);
  return {};
}

Result<std::string> read_range(const fs::path& path, std::size_t from, std::size_t most) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return io_error("cannot open", path);
  std::string bytes(most, '\0');
  const auto got = read_at(file.get(), from, bytes.data(), most);
  if (!got) return io_error("cannot read", path);
  bytes.resize(*got);
  return bytes;
}

Result<void> write_durably(const fs::path& path, std::string_view bytes) {
  const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!file.valid()) return io_error("cannot create", path);
  auto done = write_all(file.get(), bytes, path);
  if (done && ::fsync(file.get()) != 0) {
    done = io_error("cannot write", path);
  }
  if (!done) ::unlink(path.c_str());
  return done;
}

Result<void> make_private_folder(const fs::path& folder) {
  int made = ::mkdir(folder.c_str(), S_IRWXU);
  if (made != 0 && errno == ENOENT && folder.has_relative_path() && folder.has_parent_path()) {
    if (auto above = make_private_folder(folder.parent_path()); !above) return above;
    made = ::mkdir(folder.c_str(), S_IRWXU);
  }
  if (made == 0) return {};
  const Error failure = io_error("cannot make the folder", folder);
  std::error_code error;
  if (fs::is_directory(folder, error)) return {};
  return failure;
}

bool written_before_boot(const fs::path& path) {
  struct stat about {};
  timespec now{}, up{};
  if (::stat(path.c_str(), &about) != 0 || ::clock_gettime(CLOCK_REALTIME, &now) != 0 ||
      ::clock_gettime(CLOCK_BOOTTIME, &up) != 0) {
    return false;
  }
  return about.st_mtim.tv_sec < now.tv_sec - up.tv_sec;
}

bool has_free_descriptors(std::size_t count) {
  std::vector<UniqueFd> tried;
  while (tried.size() < count) {
    tried.emplace_back(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (tried.back().get() < 0) return errno != EMFILE && errno != ENFILE;
  }
  return true;
}

}  // namespace parley::server
