// Writes a transcript, one line after the other, so that a crash at any moment leaves a file that
// every reader understands:
//
// - A line goes to the end of the file (O_APPEND) in one write. What a kill or a full disk cuts off
//   is the end of the last line; the next line begins behind a newline of its own, and readers
//   count one damaged line. What was written before is never touched.
// - One writer at a time: the file is locked (flock) for as long as the appender lives, and the
// lock
//   goes with the process, however it ends. Short notes of others (a title, a tag) need no lock.
// - Policy on fsync: a line survives the end of the process when append() returns, and a power
//   failure when sync() returns. Call sync() at the end of a turn; Durability::each_line does it
//   after every line.
//
// The lines are the caller's: it gives them their uuid, parentUuid, sessionId and timestamp, and
// goes on from the last uuid when it resumes a session.
#pragma once

#include <string>
#include <string_view>

#include "../listing/roots.hpp"

namespace parley::history {

enum class Durability { on_sync, each_line };

/// What the caller expects to find.
enum class Existing {
  allowed,   ///< Opens the transcript, or makes it.
  required,  ///< Goes on with a session: `not_found` if there is none.
  refused,   ///< Begins a session: `invalid` if its id is taken.
};

struct AppenderOptions {
  Durability durability = Durability::on_sync;
  Existing existing = Existing::allowed;
  /// Writes the transcript of this subagent of the session instead of its own. Letters, digits,
  /// '-' and '_'.
  std::string agent_id = {};
};

/// One thread at a time. Moving it keeps the lock; destroying it gives the lock back.
class Appender {
 public:
  /// Opens the transcript and takes the lock. The root must exist; the folders below it are made
  /// (mode 0700, the file 0600). `closed` if another writer has the file, in this process or
  /// another; `invalid` for an id that is none.
  static Result<Appender> open(const SessionPlace& place, const AppenderOptions& options = {});

  /// Appends one JSON object, given without its newline. `invalid` if it is none: a transcript
  /// never gets a line that cannot be read back. `not_found` if the transcript was deleted
  /// meanwhile: the line would be lost with it. After any other error the line may be there in
  /// part; the appender can be used on.
  [[nodiscard]] Result<void> append(std::string_view object);
  /// Returns when everything appended is on the disk.
  [[nodiscard]] Result<void> sync();

  [[nodiscard]] const SessionPlace& place() const { return place_; }
  /// Of the file.
  [[nodiscard]] const std::string& path() const { return file_.path(); }

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
