// Writes a transcript, one line after the other, so that a crash at any moment leaves a file that
// every reader understands:
//
// - A line is handed to the system in one write at the end of the file (O_APPEND). What a kill cuts
//   off is the end of the last line; the next writer puts a newline behind it, and readers count
//   one damaged line.
// - One writer at a time: the file is locked (flock) for as long as the appender lives, and the
// lock
//   goes with the process. Short notes of others (a title, a tag) do not need the lock.
// - Policy on fsync: a line survives the end of the process when append() returns, and a power
//   failure when sync() returns. Call sync() at the end of a turn; Durability::kEachLine does it
//   after every line.
#pragma once

#include <string_view>

#include "roots.hpp"

namespace parley::history {

enum class Durability { kOnSync, kEachLine };

/// One thread at a time.
class Appender {
 public:
  /// Opens or makes the transcript (and its project folder, mode 0700; the file 0600). The root
  /// must exist. kClosed if another writer has it.
  static Result<Appender> open(const SessionPlace& place,
                               Durability durability = Durability::kOnSync);

  /// Appends one JSON object, given without its newline. kInvalid if it is none: a transcript never
  /// gets a line that cannot be read back.
  [[nodiscard]] Result<void> append(std::string_view object);
  /// Returns when everything appended is on the disk.
  [[nodiscard]] Result<void> sync();

  [[nodiscard]] const SessionPlace& place() const { return place_; }

 private:
  Appender(File file, SessionPlace place, Durability durability)
      : file_(std::move(file)), place_(std::move(place)), durability_(durability) {}

  File file_;
  SessionPlace place_;
  Durability durability_;
};

/// Appends one line to a transcript that exists, without the lock: for short notes.
[[nodiscard]] Result<void> append_note(const SessionPlace& place, std::string_view object);

}  // namespace parley::history
