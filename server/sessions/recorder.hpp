// The record of one session: its log, the state that follows from it, and those who follow it.
// Everything that happens is recorded first and told to subscribers after that.
//
// Thread rule: all of it on the hub's loop.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "server/events/session_state.hpp"
#include "server/log/log.hpp"
#include "server/sessions/hub_context.hpp"
#include "server/sessions/subscriber.hpp"

namespace parley::server {

class Recorder : public std::enable_shared_from_this<Recorder> {
 public:
  Recorder(HubContext& context, std::unique_ptr<SessionLog> log, SessionState state)
      : context_(context), log_(std::move(log)), state_(std::move(state)) {}
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  [[nodiscard]] const SessionState& state() const { return state_; }
  [[nodiscard]] SessionLog& log() { return *log_; }
  /// Why the last event could not be recorded, until one can be.
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }

  /// Derives the state from what is in the log already.
  Result<void> load();
  /// Records an event, and returns its number. `message` is what an event of the agent says, if
  /// that is known already.
  Result<std::uint64_t> record(std::string event, bool transient = false,
                               const Message* message = nullptr);
  Result<void> record_settings(const Json& settings);
  /// All requests that wait for an answer will get none.
  void resolve_all(std::string_view reason);
  /// The turn of all events so far is over. The log is compacted when there is time for it.
  void end_turn();
  /// Saves the state, so that opening the session again is quick.
  void save();
  /// Nothing is recorded any more: the session was deleted.
  void retire() { retired_ = true; }
  [[nodiscard]] bool retired() const { return retired_; }

  void subscribe(Subscriber& subscriber) { subscribers_.insert(&subscriber); }
  void unsubscribe(Subscriber& subscriber) { subscribers_.erase(&subscriber); }

 private:
  void note_change();
  void tidy_later();
  void tidy();

  HubContext& context_;
  const std::unique_ptr<SessionLog> log_;
  SessionState state_;
  std::optional<Error> failure_;
  bool retired_ = false;
  std::set<Subscriber*> subscribers_;
  std::uint64_t saved_seq_ = 0;
  std::uint64_t turn_over_seq_ = 0;  ///< Up to there all turns are over.
  bool tidy_due_ = false;            ///< tidy() will be called.
  std::string headline_;             ///< The last one that clients were told of.
};

/// Why nothing happens in a session any more.
[[nodiscard]] Error session_deleted();

}  // namespace parley::server
