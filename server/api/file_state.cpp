#include "server/api/file_state.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "support/text/utf8.hpp"

namespace parley::server {
namespace {

namespace fs = std::filesystem;

Error outside(const std::string& path) {
  return {ErrorCode::permission, "is not within the folder of this session", path};
}

bool is_within(const std::string& folder, const std::string& path) {
  if (folder == "/") return path.starts_with('/');
  return path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/';
}

/// As people count them: a newline at the end begins no other line.
std::optional<std::uint64_t> count_lines(int file) {
  std::array<char, 65'536> chunk;
  std::uint64_t lines = 0, bytes = 0;
  char last = '\n';
  while (true) {
    const ssize_t count = ::read(file, chunk.data(), chunk.size());
    if (count < 0) return std::nullopt;
    if (count == 0) return lines + (last == '\n' ? 0 : 1);
    bytes += static_cast<std::uint64_t>(count);
    // It may grow while it is read.
    if (bytes > kMostCounted) return std::nullopt;
    lines += static_cast<std::uint64_t>(std::count(chunk.begin(), chunk.begin() + count, '\n'));
    last = chunk[static_cast<std::size_t>(count) - 1];
  }
}

Result<FileState> look_at(int file, const std::string& folder, const std::string& path) {
  // What was resolved may have been exchanged for a link since: what counts is what was opened.
  std::error_code error;
  const std::string opened =
      fs::read_symlink("/proc/self/fd/" + std::to_string(file), error).string();
  if (error || !is_within(folder, opened)) return outside(path);
  struct stat about {};
  if (::fstat(file, &about) != 0) return Error(ErrorCode::io, "cannot be looked at", path);
  FileState state;
  state.kind = S_ISREG(about.st_mode)   ? FileState::Kind::file
               : S_ISDIR(about.st_mode) ? FileState::Kind::folder
                                        : FileState::Kind::other;
  if (state.kind != FileState::Kind::file) return state;
  state.bytes = static_cast<std::uint64_t>(about.st_size);
  if (state.bytes <= kMostCounted) state.lines = count_lines(file);
  return state;
}

/// What a name within the folder stands for, with links resolved.
struct Place {
  std::string folder;
  std::string path;
};

Result<Place> resolve(const std::string& folder, const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos) {
    return Error(ErrorCode::invalid, "must be a path", "path");
  }
  std::error_code error;
  Place place;
  place.folder = fs::canonical(folder, error).string();
  if (error) return outside(path);
  place.path = fs::weakly_canonical(fs::path(place.folder) / path, error).string();
  if (error || !is_within(place.folder, place.path)) return outside(path);
  return place;
}

/// Not to wait for the other end of a pipe.
int open_to_read(const std::string& path) {
  return ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

/// Everything up to `most` bytes, and one more if there are more.
std::optional<std::string> read_up_to(int file, std::uint64_t most) {
  std::string text;
  std::array<char, 65'536> chunk;
  while (text.size() <= most) {
    const ssize_t count = ::read(file, chunk.data(), chunk.size());
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    text.append(chunk.data(), static_cast<std::size_t>(count));
  }
  return text;
}

}  // namespace

Result<std::string> file_text(const std::string& folder, const std::string& path) {
  const auto place = resolve(folder, path);
  if (!place) return place.error();
  const int file = open_to_read(place->path);
  if (file < 0) return Error(ErrorCode::not_found, "cannot be read", path);
  const auto state = look_at(file, place->folder, path);
  auto text = state && state->kind == FileState::Kind::file
                  ? (::lseek(file, 0, SEEK_SET), read_up_to(file, kMostShownText))
                  : std::nullopt;
  ::close(file);
  if (!state) return state.error();
  if (!text) return Error(ErrorCode::not_found, "is no file that can be read", path);
  if (text->size() > kMostShownText) return Error(ErrorCode::too_large, "is too long", path);
  if (!is_utf8(*text)) return Error(ErrorCode::unexpected, "is no text", path);
  return *std::move(text);
}

Result<FileState> file_state(const std::string& folder, const std::string& path) {
  const auto place = resolve(folder, path);
  if (!place) return place.error();
  const int file = open_to_read(place->path);
  if (file >= 0) {
    auto state = look_at(file, place->folder, path);
    ::close(file);
    return state;
  }
  if (errno == ENOENT) return FileState{};
  // A link to nowhere, a socket, a file that we may not read: there is something.
  FileState state;
  state.kind = FileState::Kind::other;
  struct stat about {};
  if (::lstat(place->path.c_str(), &about) == 0 && S_ISREG(about.st_mode)) {
    state.kind = FileState::Kind::file;
    state.bytes = static_cast<std::uint64_t>(about.st_size);
  }
  return state;
}

}  // namespace parley::server
