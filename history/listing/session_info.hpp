// What is known of a session from the first and the last 64 KiB of its transcript: enough for a
// list of thousands of sessions without reading any file whole. Spelled and chosen as the official
// SDK does it, so that both show the same titles.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "../../wire/codec/fields.hpp"
#include "roots.hpp"

namespace parley::history {

/// A value. Members are spelled as in the official SDK's session lists; the last five are ours.
struct SessionInfo {
  std::string sessionId;
  std::string summary;            ///< What to show: title, last prompt or first prompt.
  std::int64_t lastModified = 0;  ///< Milliseconds since 1970.
  std::int64_t fileSize = 0;      ///< Bytes.
  std::optional<std::string> customTitle;
  std::optional<std::string> firstPrompt;
  std::optional<std::string> gitBranch;
  std::optional<std::string> cwd;
  std::optional<std::string> tag;
  std::optional<std::int64_t> createdAt;  ///< Milliseconds since 1970.
  std::optional<bool> archived;           ///< Missing if it never was.
  std::string root;
  std::string project;                   ///< Folder below projects/.
  std::optional<double> costUSD;         ///< As the agent noted it, or computed: see ListOptions.
  std::optional<std::int64_t> messages;  ///< User and assistant lines; only with details.
  std::optional<bool> programmatic;      ///< True if a program, not a person, ran it.

  [[nodiscard]] SessionPlace place() const { return {root, project, sessionId}; }

  bool operator==(const SessionInfo&) const = default;
};

/// Reads the info of one session. No value if the transcript is empty, belongs to a subagent, holds
/// nothing that could name it, or was continued in another session. An error if it cannot be read.
/// With `has_folder` false nothing is looked for in the session's own folder.
[[nodiscard]] Result<std::optional<SessionInfo>> read_session_info(const Folder& project,
                                                                   const SessionPlace& place,
                                                                   bool has_folder = true);

/// Where the session of a transcript runs; no value if it does not say, or cannot be read.
[[nodiscard]] std::optional<std::string> read_working_folder(const Folder& project,
                                                             const std::string& file_name);

}  // namespace parley::history

namespace parley {
PARLEY_CODEC(history::SessionInfo)
}
