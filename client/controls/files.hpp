// session.files(): files as the agent sees them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../session.hpp"

namespace parley {

// Whoever calls what gives these back includes wire/control/control.hpp.
namespace control {
struct FileSuggestion;
struct ReadFileReply;
struct RewindFilesReply;
}  // namespace control

class FileControls : public SessionView {
 public:
  using SessionView::SessionView;

  /// What a file holds, read by the agent where it runs.
  Result<control::ReadFileReply> read(std::string path);
  /// Files that a person might mean who has typed this much after an `@`.
  Result<std::vector<control::FileSuggestion>> suggest(std::string query);
  /// Puts files back to before a user message, or only says what that would change. Needs
  /// TranscriptOptions::file_checkpoints.
  Result<control::RewindFilesReply> rewind(std::string user_message_uuid, bool dry_run = false);
  /// Tells the agent that it has read a file, as it was at this time in milliseconds since 1970, so
  /// that it may edit it.
  Result<void> seed_read_state(std::string path, std::int64_t mtime_ms);
  /// Tells the agent of a folder that is the root of a repository.
  Result<void> register_repo_root(std::string directory);
};

}  // namespace parley
