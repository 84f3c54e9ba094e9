// Options::transcript: what is kept of the conversation, and under which name.
#pragma once

#include <memory>
#include <string>

namespace parley {

class SessionStore;

/// What the CLI writes down of a conversation, so that it can be resumed.
struct TranscriptOptions {
  /// The id of a new session: a UUID, as make_uuid() gives one (`--session-id`). Empty: the CLI
  /// makes one up. A resumed session keeps its id, so this needs ResumeOptions::fork there.
  std::string session_id;

  /// What lists of sessions show for it. Empty: what the CLI thinks of. Session::rename() changes
  /// it.
  std::string title;

  /// False leaves no transcript on disk (`--no-session-persistence`): the session cannot be
  /// resumed, and has none of the following three.
  bool persist = true;

  /// Keeps copies of files before they are edited, so that session.files().rewind() can put them
  /// back. Sets CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING.
  bool file_checkpoints = false;

  /// Delivers the lines of the transcript as TranscriptMirror messages (`--session-mirror`).
  bool mirror = false;

  /// Keeps the transcript elsewhere, too, and resumes from there (store/session_store.hpp). Close
  /// waits for what it has still to write (Deadlines::store).
  std::shared_ptr<SessionStore> store;
};

}  // namespace parley
