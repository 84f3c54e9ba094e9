// One file of a log: a row of records. Internal to the log and its test.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "server/log/log.hpp"

namespace parley::server {

/// CRC-32 as zip and PNG have it.
[[nodiscard]] std::uint32_t crc32(std::string_view bytes);

/// Appends the bytes of a record in a file.
void append_record(std::string& out, std::uint64_t seq, std::int64_t time, bool transient,
                   std::string_view event);

/// What a record costs beyond its event.
inline constexpr std::size_t kRecordOverhead = 8 + 17;

/// Numbers are below this, so that JavaScript can count them.
inline constexpr std::uint64_t kNumbersEnd = std::uint64_t{1} << 53;

/// The numbers that records at a place can have: between the two.
struct NumberRange {
  std::uint64_t after = 0;
  std::uint64_t before = kNumbersEnd;
};

/// Bytes of a segment in which no record can be found.
struct Broken {
  std::size_t at = 0;
  std::size_t bytes = 0;
  std::uint64_t seq = 0;  ///< The first number that may be lost with them.
  std::int64_t time = 0;  ///< Of the record before it, or else behind it; 0 if there is none.
};

/// Shows what stands in bytes that begin where a record should, until it is told to stop (false).
/// Behind broken bytes it goes on where the next record begins. A record that is torn off at the
/// end is not shown: whoever wrote it never came to speak of it. Returns the end of the last
/// record.
std::size_t scan_records(std::string_view bytes, NumberRange numbers,
                         const std::function<bool(Record&&, std::size_t at)>& on_record,
                         const std::function<bool(const Broken&)>& on_broken);

/// A segment and what is known of it without reading it.
struct Segment {
  std::uint64_t first = 0;  ///< By the name of the file: no record in it has a lower number.
  std::filesystem::path path;
  std::size_t bytes = 0;

  static std::string file_name(std::uint64_t first);
  /// 0 if it is no name of a segment.
  static std::uint64_t parse_name(std::string_view name);
};

/// Where records stand in a segment, every few of them, so that reading need not start at its head.
class SegmentIndex {
 public:
  struct Mark {
    std::uint64_t seq = 0;
    std::size_t at = 0;
  };

  void note(std::uint64_t seq, std::size_t at);
  /// A record at or before the first one after `seq`; {0, 0} is the head of the segment.
  [[nodiscard]] Mark place_after(std::uint64_t seq) const;
  void clear() { marks_.clear(), count_ = 0; }

 private:
  static constexpr std::size_t kEvery = 32;
  std::vector<Mark> marks_;
  std::size_t count_ = 0;
};

}  // namespace parley::server
