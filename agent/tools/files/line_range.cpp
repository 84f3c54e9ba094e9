#include "agent/tools/files/line_range.hpp"

#include <algorithm>
#include <fstream>

#include "agent/tools/files/files.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

/// Smaller files are read at once.
constexpr std::uint64_t kSmall = std::uint64_t{4} << 20;
/// Where a NUL says that a file is no text.
constexpr std::size_t kLookedAt = 8192;

bool looks_binary(std::string_view bytes) {
  if (bytes.starts_with("\xFF\xFE")) return false;
  return bytes.substr(0, kLookedAt).find('\0') != std::string_view::npos;
}

Error too_large(std::uint64_t size) {
  return {ErrorCode::too_large, "too many bytes", std::to_string(size)};
}

/// Of a text in memory.
Result<Lines> pick(const std::string& text, std::uint64_t file_size, const LineRange& range) {
  Lines lines;
  lines.total = 1 + std::count(text.begin(), text.end(), '\n');
  if (range.first > lines.total) return lines;
  std::size_t begin = 0;
  for (std::int64_t i = 1; i < range.first; ++i) begin = text.find('\n', begin) + 1;
  const std::int64_t left = lines.total - range.first + 1;
  lines.count = std::min(range.count.value_or(left), left);
  std::size_t end = text.size();
  if (lines.count < left) {
    end = begin;
    for (std::int64_t i = 0; i < lines.count; ++i) end = text.find('\n', end) + 1;
    --end;
  }
  std::string_view part = std::string_view(text).substr(begin, end - begin);
  // Without a number of lines it is the size of the file that counts.
  if (part.size() > range.most_bytes || (!range.count && file_size > range.most_bytes)) {
    if (!range.cut) return too_large(file_size);
    part = prefix(part, static_cast<std::size_t>(range.most_bytes));
    lines.count = 1 + std::count(part.begin(), part.end(), '\n');
    lines.was_cut = true;
  }
  lines.text = part;
  return lines;
}

/// Of a file that is better not read whole.
Result<Lines> scan(const fs::path& file, std::uint64_t file_size, const LineRange& range,
                   const std::stop_token& stop) {
  std::ifstream in(file, std::ios::binary);
  std::string chunk(std::size_t{256} << 10, '\0'), text;
  Lines lines;
  std::int64_t number = 1;
  bool full = false, started = false, looked = false;
  while (in.read(chunk.data(), static_cast<std::streamsize>(chunk.size())), in.gcount() > 0) {
    if (stop.stop_requested()) return Error(ErrorCode::cancelled, "the call was stopped");
    std::string_view bytes(chunk.data(), static_cast<std::size_t>(in.gcount()));
    if (!looked && looks_binary(bytes)) return Error(ErrorCode::unexpected, "no text");
    looked = true;
    while (!bytes.empty()) {
      const std::size_t end = bytes.find('\n');
      const std::string_view piece = bytes.substr(0, end);
      const bool wanted =
          number >= range.first && (!range.count || number < range.first + *range.count);
      if (wanted && !full) {
        started = true;
        text += piece;
        if (end != std::string_view::npos) text += '\n';
        if (text.size() > range.most_bytes + 1) {
          if (!range.cut) return too_large(file_size);
          full = true;
        }
      }
      if (end == std::string_view::npos) break;
      ++number;
      bytes.remove_prefix(end + 1);
    }
  }
  lines.total = number;
  if (!started) return lines;
  const bool to_the_end = !range.count || range.first + *range.count > lines.total;
  if (full) {
    text.resize(prefix(text, static_cast<std::size_t>(range.most_bytes)).size());
    lines.was_cut = true;
  } else if (!to_the_end && text.ends_with('\n')) {
    text.pop_back();
  }
  lines.text = decode_text(std::move(text)).text;
  lines.count = 1 + std::count(lines.text.begin(), lines.text.end(), '\n');
  return lines;
}

}  // namespace

Result<Lines> read_lines(const fs::path& file, const LineRange& range,
                         const std::stop_token& stop) {
  Result<std::string> bytes = read_bytes(file, kSmall, stop);
  if (!bytes && bytes.error().code() == ErrorCode::too_large) {
    const std::uint64_t size = std::stoull(bytes.error().context());
    if (!range.count && !range.cut) return too_large(size);
    return scan(file, size, range, stop);
  }
  if (!bytes) return bytes.error();
  if (looks_binary(*bytes)) return Error(ErrorCode::unexpected, "no text");
  const std::uint64_t size = bytes->size();
  return pick(decode_text(std::move(*bytes)).text, size, range);
}

}  // namespace parley::agent
