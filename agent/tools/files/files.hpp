// Files as the tools read and write them: only regular ones, within bounds, with errors in the
// words that the model knows from Node.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>

#include "../../../wire/error.hpp"

namespace parley::agent {

/// How the text of a file was stored; kept when it is written back.
struct TextForm {
  bool crlf = false;
  enum class Encoding { utf8, utf8_bom, utf16 } encoding = Encoding::utf8;
  bool operator==(const TextForm&) const = default;
};

/// A text in UTF-8 with \n at the ends of its lines.
struct FileText {
  std::string text;
  TextForm form;
  std::filesystem::file_time_type modified;
};

/// "106.3KB", "332KB", "17 bytes".
[[nodiscard]] std::string size_text(std::uint64_t bytes);

/// The first bytes of `text`, at most `limit`, without half a character at the end.
[[nodiscard]] std::string_view prefix(std::string_view text, std::size_t limit);
/// The last bytes likewise.
[[nodiscard]] std::string_view suffix(std::string_view text, std::size_t limit);

/// Devices and the files of processes: reading them may never end, or tell secrets.
[[nodiscard]] bool is_device_path(const std::filesystem::path& path);
/// What is said about those.
[[nodiscard]] std::string device_refusal(const std::string& shown);

/// Errors: `not_found` if there is no such file; `too_large` beyond `limit` bytes, the size in the
/// context; `cancelled`; else `io` or `permission` with the text for the model. Never waits: a FIFO
/// or device is refused, except /dev/null, which is empty.
[[nodiscard]] Result<std::string> read_bytes(const std::filesystem::path& path, std::uint64_t limit,
                                             const std::stop_token& stop = {});

/// Bytes of a text file in any of the known encodings, as text.
[[nodiscard]] FileText decode_text(std::string bytes);
[[nodiscard]] std::string encode_text(std::string_view text, const TextForm& form);
[[nodiscard]] Result<FileText> read_text(const std::filesystem::path& path, std::uint64_t limit,
                                         const std::stop_token& stop = {});

/// Puts the whole content in place at once, folders made as needed, mode kept. Links are not
/// followed, and only regular files are replaced.
[[nodiscard]] Result<void> write_bytes(const std::filesystem::path& path, std::string_view bytes);

}  // namespace parley::agent
