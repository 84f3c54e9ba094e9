// Reads a transcript in blocks of whole lines, or line by line, with bounded memory: a file that
// grows is read up to the size it had at first, one that shrinks ends early, and a line beyond the
// limit is stepped over and counted.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "file.hpp"

namespace parley::history {

/// Longer lines are not read. The longest that real agents write hold a few pictures: 10 to 50 MB.
inline constexpr std::size_t kMaxLineBytes = std::size_t{128} << 20;

struct Block {
  std::string_view text;     ///< Whole lines; only the last of the file may lack its newline.
  std::uint64_t offset = 0;  ///< Of the first byte, in the file.
};

/// One thread at a time. The file must outlive the reader; a block lives until the next call.
class BlockReader {
 public:
  /// Reads [from, to) as far as the file reaches; `from` must be the beginning of a line.
  explicit BlockReader(const File& file, std::uint64_t from = 0, std::uint64_t to = UINT64_MAX);

  /// False at the end, and on a read error.
  bool next(Block& block);

  [[nodiscard]] std::uint64_t oversized_lines() const { return oversized_; }
  /// Set when reading ended before the end of the file.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  bool fill();
  bool grow();

  const File& file_;
  std::uint64_t offset_;  ///< In the file, of buffer_[0].
  std::uint64_t end_;
  std::unique_ptr<char[]> buffer_;  // not a vector: zeroing it would cost as much as reading
  std::size_t capacity_;
  std::size_t used_ = 0;      ///< Bytes in the buffer.
  std::size_t consumed_ = 0;  ///< Of these, given out by the last call.
  bool at_end_ = false;
  bool skipping_ = false;  ///< Within a line that is too long.
  std::uint64_t oversized_ = 0;
  std::optional<Error> error_;
};

struct Line {
  std::string_view text;     ///< Without its newline.
  std::uint64_t offset = 0;  ///< Of the first byte, in the file.
};

/// One thread at a time; a line lives until the next call. Blank lines are left out.
class LineReader {
 public:
  explicit LineReader(const File& file, std::uint64_t from = 0, std::uint64_t to = UINT64_MAX)
      : blocks_(file, from, to) {}

  bool next(Line& line);

  [[nodiscard]] const BlockReader& blocks() const { return blocks_; }

 private:
  BlockReader blocks_;
  Block block_;
};

/// Takes the next line off the front of `block`, blank lines left out. False if there is none.
bool take_line(Block& block, Line& line);

}  // namespace parley::history
