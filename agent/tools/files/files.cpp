#include "agent/tools/files/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "support/files/io.hpp"
#include "support/files/replace_file.hpp"
#include "support/files/unique_fd.hpp"
#include "support/text/utf8.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

/// "EACCES: permission denied, open '/x'"
Error system_error(int number, std::string_view call, const std::string& path) {
  struct Name {
    int number;
    std::string_view text;
  };
  static constexpr std::array kNames{
      Name{EACCES, "EACCES: permission denied"},
      Name{EPERM, "EPERM: operation not permitted"},
      Name{EISDIR, "EISDIR: illegal operation on a directory"},
      Name{ENOTDIR, "ENOTDIR: not a directory"},
      Name{ELOOP, "ELOOP: too many symbolic links encountered"},
      Name{ENAMETOOLONG, "ENAMETOOLONG: name too long"},
      Name{ENOSPC, "ENOSPC: no space left on device"},
      Name{EROFS, "EROFS: read-only file system"},
      Name{EEXIST, "EEXIST: file already exists"},
      Name{ENOENT, "ENOENT: no such file or directory"},
  };
  std::string text = std::string("EIO: ") + std::strerror(number);
  for (const Name& name : kNames) {
    if (name.number == number) text = name.text;
  }
  const ErrorCode code = number == ENOENT                      ? ErrorCode::not_found
                         : number == EACCES || number == EPERM ? ErrorCode::permission
                                                               : ErrorCode::io;
  return {code, text + ", " + std::string(call) + " '" + path + "'"};
}

std::string from_utf16(std::string_view bytes) {
  std::string text;
  char buffer[4];
  const auto unit = [&](std::size_t i) {
    return static_cast<unsigned>(static_cast<unsigned char>(bytes[i])) |
           static_cast<unsigned>(static_cast<unsigned char>(bytes[i + 1])) << 8;
  };
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    unsigned point = unit(i);
    if (point >= 0xD800 && point < 0xDC00 && i + 3 < bytes.size() && unit(i + 2) >= 0xDC00 &&
        unit(i + 2) < 0xE000) {
      point = 0x10000 + ((point - 0xD800) << 10) + (unit(i + 2) - 0xDC00);
      i += 2;
    } else if (point >= 0xD800 && point < 0xE000) {
      point = 0xFFFD;
    }
    text.append(buffer, detail::put_utf8(point, buffer));
  }
  return text;
}

std::string to_utf16(std::string_view text) {
  std::string bytes = "\xFF\xFE";
  const auto put = [&](unsigned unit) {
    bytes += static_cast<char>(unit & 0xFF);
    bytes += static_cast<char>(unit >> 8);
  };
  const char* p = text.data();
  const char* end = p + text.size();
  while (p < end) {
    const int length = std::max(1, detail::utf8_length(p, end));
    const unsigned point = detail::utf8_code_point(p, length);
    p += length;
    if (point >= 0x10000) {
      put(0xD800 + ((point - 0x10000) >> 10));
      put(0xDC00 + ((point - 0x10000) & 0x3FF));
    } else {
      put(point);
    }
  }
  return bytes;
}

}  // namespace

std::string size_text(std::uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " bytes";
  const char* unit = "KB";
  double value = static_cast<double>(bytes) / 1024;
  if (value >= 1024) value /= 1024, unit = "MB";
  if (value >= 1024) value /= 1024, unit = "GB";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  std::string number = text;
  if (number.ends_with(".0")) number.resize(number.size() - 2);
  return number + unit;
}

std::string_view prefix(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return text;
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) --limit;
  return text.substr(0, limit);
}

std::string_view suffix(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return text;
  std::size_t begin = text.size() - limit;
  while (begin < text.size() && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) ++begin;
  return text.substr(begin);
}

bool is_device_path(const fs::path& path) {
  const std::string text = path.lexically_normal().string();
  if (text == "/dev/null") return false;
  if (text.starts_with("/dev/")) return true;
  if (!text.starts_with("/proc/")) return false;
  const std::string_view rest = std::string_view(text).substr(6);
  const bool of_process = rest.starts_with("self/") || rest.starts_with("thread-self/") ||
                          (!rest.empty() && rest[0] >= '0' && rest[0] <= '9');
  return of_process || rest == "kcore" || rest == "kmsg" || rest == "sysrq-trigger";
}

std::string device_refusal(const std::string& shown) {
  return "Cannot read '" + shown +
         "': this path names a device or process file that this tool does not read.";
}

Result<std::string> read_bytes(const fs::path& path, std::uint64_t limit,
                               const std::stop_token& stop) {
  const std::string shown = path.string();
  // A file may be called harmless and be a link to a device.
  std::error_code ignored;
  const fs::path real = fs::canonical(path, ignored);
  if (!real.empty() && is_device_path(real)) {
    return Error(ErrorCode::permission, device_refusal(shown));
  }
  if (shown.find('\0') != std::string::npos) {
    return Error(ErrorCode::invalid, "The path contains a null byte.");
  }
  // O_NONBLOCK: opening a FIFO without a writer must not wait for one.
  const UniqueFd file(::open(shown.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.get() < 0) return system_error(errno, "open", shown);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return system_error(errno, "fstat", shown);
  if (S_ISDIR(status.st_mode)) return system_error(EISDIR, "read", shown);
  if (!S_ISREG(status.st_mode)) {
    if (real == "/dev/null") return std::string();
    return Error(ErrorCode::permission, device_refusal(shown));
  }
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > limit) {
    return Error(ErrorCode::too_large, "the file is too large", std::to_string(size));
  }
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(size));
  // To the end rather than to the size: the file may grow, and those of /proc say 0.
  std::string chunk(std::size_t{256} << 10, '\0');
  for (;;) {
    if (stop.stop_requested()) return Error(ErrorCode::cancelled, "the call was stopped");
    const ssize_t got = ::read(file.get(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error(errno, "read", shown);
    if (got == 0) return bytes;
    bytes.append(chunk, 0, static_cast<std::size_t>(got));
    if (bytes.size() > limit) {
      return Error(ErrorCode::too_large, "the file is too large", std::to_string(bytes.size()));
    }
  }
}

FileText decode_text(std::string bytes) {
  FileText out;
  if (bytes.starts_with("\xFF\xFE")) {
    out.form.encoding = TextForm::Encoding::utf16;
    bytes = from_utf16(std::string_view(bytes).substr(2));
  } else if (bytes.starts_with("\xEF\xBB\xBF")) {
    out.form.encoding = TextForm::Encoding::utf8_bom;
    bytes.erase(0, 3);
  }
  if (!is_utf8(bytes)) bytes = to_utf8(bytes);
  if (bytes.find("\r\n") != std::string::npos) {
    out.form.crlf = true;
    std::size_t to = 0;
    for (std::size_t from = 0; from < bytes.size(); ++from) {
      if (bytes[from] == '\r' && from + 1 < bytes.size() && bytes[from + 1] == '\n') continue;
      bytes[to++] = bytes[from];
    }
    bytes.resize(to);
  }
  out.text = std::move(bytes);
  return out;
}

std::string encode_text(std::string_view text, const TextForm& form) {
  std::string out;
  for (const char c : text) {
    if (c == '\n' && form.crlf && (out.empty() || out.back() != '\r')) out += '\r';
    out += c;
  }
  switch (form.encoding) {
    case TextForm::Encoding::utf8: return out;
    case TextForm::Encoding::utf8_bom: return "\xEF\xBB\xBF" + out;
    case TextForm::Encoding::utf16: return to_utf16(out);
  }
  return out;
}

Result<FileText> read_text(const fs::path& path, std::uint64_t limit, const std::stop_token& stop) {
  std::error_code error;
  const fs::file_time_type modified = fs::last_write_time(path, error);
  Result<std::string> bytes = read_bytes(path, limit, stop);
  if (!bytes) return bytes.error();
  FileText text = decode_text(std::move(*bytes));
  text.modified = modified;
  return text;
}

Result<void> write_bytes(const fs::path& path, std::string_view bytes) {
  const std::string shown = path.string();
  std::error_code error;
  struct stat status {};
  const bool exists = ::lstat(shown.c_str(), &status) == 0;
  if (exists && S_ISLNK(status.st_mode)) {
    const fs::path target = fs::weakly_canonical(path, error);
    return Error(ErrorCode::permission,
                 "Refusing to write " + shown +
                     ": it is a symbolic link. Write to the link's target path instead: " +
                     target.string() + ".");
  }
  if (exists && S_ISDIR(status.st_mode)) return system_error(EISDIR, "open", shown);
  if (exists && !S_ISREG(status.st_mode)) {
    return Error(ErrorCode::permission,
                 "Refusing to write " + shown + ": it is a device, pipe or socket.");
  }
  fs::create_directories(path.parent_path(), error);
  if (error) return system_error(error.value(), "mkdir", path.parent_path().string());

  Replacement how;
  how.mode = exists ? status.st_mode & 07777 : 0644;
  how.exact_mode = exists;
  if (exists) how.owner = {status.st_uid, status.st_gid};
  const Replaced done = replace_file(shown, bytes, how);
  if (done) return {};
  if (!done.refused) return system_error(done.error, "write", shown);
  // No new file may be made in the folder, but the old one may be writable.
  if (!exists) return system_error(done.error, "open", shown);
  const UniqueFd file(::open(shown.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW));
  if (file.get() < 0) return system_error(errno, "open", shown);
  if (!write_all(file.get(), bytes)) return system_error(errno, "write", shown);
  return {};
}

}  // namespace parley::agent
