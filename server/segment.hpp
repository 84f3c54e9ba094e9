// One file of a log: a row of records. Internal to file_log.cpp and its test.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/log.hpp"

namespace parley::server {

/// CRC-32 as zip and PNG have it.
[[nodiscard]] std::uint32_t crc32(std::string_view bytes);

/// Appends the bytes of a record in a file.
void append_record(std::string& out, std::uint64_t seq, std::int64_t time, bool transient,
                   std::string_view event);

/// What a record costs beyond its event.
inline constexpr std::size_t kRecordOverhead = 8 + 17;

/// Reads records from bytes that begin with one. `consumed` is where the first one stood that is
/// torn or broken, or the end. `take` gets the place of each, and says whether to go on.
void scan_records(std::string_view bytes, std::size_t& consumed,
                  const std::function<bool(Record&&, std::size_t at)>& take);

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
  void note(std::uint64_t seq, std::size_t at);
  /// A place at or before the first record after `seq`.
  [[nodiscard]] std::size_t place_after(std::uint64_t seq) const;
  void clear() { marks_.clear(), count_ = 0; }

 private:
  static constexpr std::size_t kEvery = 32;
  std::vector<std::pair<std::uint64_t, std::size_t>> marks_;
  std::size_t count_ = 0;
};

}  // namespace parley::server
