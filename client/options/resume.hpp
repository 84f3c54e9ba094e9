// Options::resume: the conversation that a session goes on with.
#pragma once

#include <optional>
#include <string>

namespace parley {

/// Goes on with an earlier conversation. Left as it is, a new one begins.
struct ResumeOptions {
  /// The id of the session to go on with (`--resume`). With TranscriptOptions::store, it is looked
  /// for there.
  std::string id;

  /// Goes on with the newest session of the folder (`--continue`). Not together with `id`, nor with
  /// a store, which does not know which one is the newest.
  bool latest = false;

  /// Goes on under a new id and leaves the old transcript as it is (`--fork-session`). Needs `id`
  /// or `latest`. TranscriptOptions::session_id names the new one.
  bool fork = false;

  /// Rolls back to this message uuid: what came after it is forgotten (`--resume-session-at`).
  /// Needs `id`.
  std::string at;

  /// The turn of this id is left out (`--resume-drops-turn`). An empty one is passed on, too;
  /// nothing is not. Only newer CLIs know it.
  std::optional<std::string> drops_turn;
};

}  // namespace parley
