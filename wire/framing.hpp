// Splits a byte stream into lines. Sans-IO: bytes go in as they arrive, lines come out.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace parley {

/// One line of the stream, or the news that one was too long.
struct Frame {
  enum class Kind {
    line,        ///< `text` is the line, without its end.
    unfinished,  ///< The stream ended without a newline; `text` is what there was.
    too_long,    ///< A line passed the limit and is being dropped; `text` is its beginning.
  };
  Kind kind = Kind::line;
  std::string_view text;
};

/// Lines end in \n or \r\n. Blank lines are stepped over. A line beyond the limit costs that line
/// and nothing else: it is reported once, its bytes are dropped as they arrive, and the next line
/// is read as usual. Memory stays below the limit plus one read.
///
///   framer.push(bytes);
///   while (auto frame = framer.next()) { ... }
class LineFramer {
 public:
  static constexpr std::size_t kDefaultLimit = std::size_t{256} << 20;

  /// `limit`: the longest line that is accepted, in bytes without its end.
  explicit LineFramer(std::size_t limit = kDefaultLimit) : limit_(limit) {}

  /// Takes bytes in any portions.
  void push(std::string_view bytes);
  /// The same without a copy: read up to `size` bytes into the span, then commit what came.
  std::span<char> prepare(std::size_t size);
  void commit(std::size_t size);

  /// The next frame, if one is complete. Its text is valid until bytes are added or next() is
  /// called again.
  std::optional<Frame> next();
  /// Says that no more bytes will come; next() then also gives what stood without a newline.
  void finish() { finished_ = true; }

  /// Bytes held back because their line is not complete.
  [[nodiscard]] std::size_t pending() const { return end_ - begin_; }

 private:
  Frame too_long(std::size_t end);
  void consume_to(std::size_t position);

  std::size_t limit_;
  std::string buffer_;
  std::size_t begin_ = 0;    ///< Where the unread bytes start.
  std::size_t end_ = 0;      ///< Where they end; beyond is room.
  std::size_t scanned_ = 0;  ///< No newline between begin_ and here.
  bool dropping_ = false;    ///< Inside a line that was too long.
  bool finished_ = false;
};

}  // namespace parley
