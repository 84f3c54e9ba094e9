// The durable record of what happened in sessions: one numbered list of events per session. The hub
// derives everything from it and keeps nothing else, so whoever can read the log can take over.
//
// An interface, because a cluster will want another store than the files of file_log.hpp. Nothing
// outside an implementation may assume that a session is appended to by this process alone for
// ever: a number is what append() says it is, and records may be missing between two numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/error.hpp"

namespace parley::server {

/// One event as it was recorded. A value.
struct Record {
  std::uint64_t seq = 0;  ///< From 1, growing, with gaps. Never given twice, whatever is lost.
  std::int64_t time = 0;  ///< Milliseconds since 1970.
  /// Worth nothing once its turn is over (a piece of an answer that is there as a whole by then).
  bool transient = false;
  std::string event;  ///< JSON, see docs/server.md.

  bool operator==(const Record&) const = default;
};

/// What a fold over the events came to, so that opening a session need not read all of it.
struct Snapshot {
  std::uint64_t seq = 0;  ///< The last event that is in it.
  std::string state;      ///< JSON of whoever folded.
};

/// A part of a log that cannot be read any more. What stands before and behind it can.
struct Damage {
  std::uint64_t seq = 0;  ///< The first number that may be lost.
  std::size_t bytes = 0;
  std::string where;  ///< For the owner of the store.
  /// Numbers that are known to have been given at the end of the log, of which there is no byte.
  std::uint64_t missing = 0;
};

/// Told of damage when somebody comes upon it, on the thread that reads, once for each while a log
/// is open. What it returns is the event that stands in its place: readers get it with the number
/// of the damage.
using OnDamage = std::function<std::string(const Damage&)>;

/// The log of one session. Not thread-safe: one thread at a time.
class SessionLog {
 public:
  virtual ~SessionLog() = default;

  /// Records an event and returns its number. When this returns, the event survives the death of
  /// the process. After an error nothing was recorded.
  virtual Result<std::uint64_t> append(std::int64_t time, bool transient,
                                       std::string_view event) = 0;
  /// The number of the last event, 0 if there is none.
  [[nodiscard]] virtual std::uint64_t last() const = 0;

  /// The events after a number, in order: at least one if there is any, then as many as fit.
  virtual Result<std::vector<Record>> read_after(std::uint64_t seq, std::size_t most_bytes) = 0;
  /// The last events before a number, in order.
  virtual Result<std::vector<Record>> read_before(std::uint64_t seq, std::size_t most_records,
                                                  std::size_t most_bytes) = 0;

  /// The turn of all events up to this number is over: transient ones may go when it is worth it.
  /// Does a little, and what has to wait for a disk elsewhere. True if there is more to do: then
  /// `again`, of this call or of one before, is called on any thread when it is time for the next
  /// one. It must not own the log.
  virtual Result<bool> compact(std::uint64_t upto, std::function<void()> again) = 0;
  virtual Result<void> save(const Snapshot& snapshot) = 0;
  /// The last one saved; nothing if there is none that can be used.
  virtual std::optional<Snapshot> snapshot() = 0;
  /// Lets go of descriptors and caches; the next call takes them again.
  virtual void rest() = 0;
};

/// All logs. A resource: while it lives, no other process can open the same store. It outlives the
/// logs that it has opened. Thread-safe, as long as one id is used by one thread at a time.
class LogStore {
 public:
  virtual ~LogStore() = default;

  /// The ids of all sessions, in no order.
  virtual Result<std::vector<std::string>> list() = 0;
  /// Opens a log, or makes a new one. Ids are UUIDs; anything else is `invalid`.
  virtual Result<std::unique_ptr<SessionLog>> open(const std::string& id) = 0;
  /// Forgets all of a session. Its log must not be in use.
  virtual Result<void> remove(const std::string& id) = 0;

  /// Sessions of elsewhere that are not to be listed, and since when (milliseconds since 1970).
  virtual Result<std::map<std::string, std::int64_t>> hidden() = 0;
  virtual Result<void> hide(const std::string& id, std::int64_t time) = 0;
};

}  // namespace parley::server
