// Changes sessions: title, tag, archive, delete, fork, import. Nothing here follows a link out of a
// root, and nothing changes a line that is already written.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "../listing/roots.hpp"

namespace parley::history {

/// White space at both ends is cut; an empty title is `invalid`.
[[nodiscard]] Result<void> rename_session(const SessionPlace& place, std::string_view title);
/// No value takes the tag away; an empty one is `invalid`.
[[nodiscard]] Result<void> tag_session(const SessionPlace& place,
                                       std::optional<std::string_view> tag);
/// An archived session stays where it is and is marked in lists until somebody prompts it again.
[[nodiscard]] Result<void> archive_session(const SessionPlace& place, bool archived);
/// Removes the transcript and the session's own folder. Refused if that folder is a link, or if an
/// Appender has the transcript (`closed`).
[[nodiscard]] Result<void> delete_session(const SessionPlace& place);

struct ForkOptions {
  /// The last message to take over, by uuid; empty for all.
  std::string up_to = {};
  /// Empty for the old title and " (fork)".
  std::string title = {};
  std::stop_token stop = {};
};

/// Copies a conversation into a new session of the same project, under fresh uuids.
[[nodiscard]] Result<SessionPlace> fork_session(const SessionPlace& place,
                                                const ForkOptions& options = {});

struct ImportResult {
  SessionPlace place;
  std::size_t lines = 0;
  std::size_t damaged_lines = 0;  ///< Left out.
};

/// Makes a session of a JSONL transcript: under its own id if that is free, else under a new one.
/// `path` is any readable file; `project` is the name of a folder below projects/.
/// After an error, and when stopped, nothing of it is left.
[[nodiscard]] Result<ImportResult> import_session(const std::string& path, const std::string& root,
                                                  const std::string& project,
                                                  std::stop_token stop = {});

}  // namespace parley::history
