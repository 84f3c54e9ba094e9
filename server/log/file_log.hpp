// The log on disk: a folder per session with append-only segments and a snapshot.
//
//   <folder>/lock                          held while the store is open
//   <folder>/sessions/<id>/<first>.log     records; <first> is the number of the first, 20 digits
//   <folder>/sessions/<id>/snapshot.json
//   .../*.new                              drafts; what a crash leaves of them is removed
//   <folder>/sessions/gone-*               sessions that are being removed
//
// A record is its length and CRC-32 (4 bytes each, little endian), then number, time, flags and the
// event. Segments that are not the last never change, except that compaction replaces one by a
// shorter one with rename(). Opening a log changes nothing in it: behind an end that is torn or
// damaged, or that a power cut may have taken something from, the next event begins a new segment,
// whose number leaves room for all that may have stood there.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

#include "server/log/log.hpp"

namespace parley::server {

struct FileLogOptions {
  std::size_t segment_bytes = std::size_t{4} << 20;  ///< A segment that is longer is sealed.
  /// Compaction seals the last segment early when it holds this many transient bytes.
  std::size_t transient_bytes = std::size_t{512} << 10;
  /// Beyond this the oldest segments of a session go. The agent's own transcript is kept elsewhere.
  std::size_t session_bytes = std::size_t{512} << 20;
  std::size_t record_bytes = std::size_t{64} << 20;  ///< Longer events are refused.
  OnDamage on_damage = [](const Damage&) { return std::string("{}"); };
};

/// Makes the folder if need be, only for this user; one that is there keeps its permissions, and
/// what is made in it is only for this user. `permission` if another process has it open.
[[nodiscard]] Result<std::unique_ptr<LogStore>> open_file_store(std::filesystem::path folder,
                                                                FileLogOptions options = {});

}  // namespace parley::server
