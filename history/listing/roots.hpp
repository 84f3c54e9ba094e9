// Where transcripts live: <root>/projects/<project>/<session>.jsonl, and beside it the folder
// <session>/ with the transcripts of subagents, stored tool results and small notes.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "../files/file.hpp"
#include "../files/report.hpp"

namespace parley::history {

inline constexpr std::string_view kTranscriptExtension = ".jsonl";

/// The roots of this user: CLAUDE_CONFIG_DIR, else $HOME/.claude. `environment` answers like
/// getenv(). Empty if neither is set.
[[nodiscard]] std::vector<std::string> default_roots(
    const std::function<const char*(const char*)>& environment);

/// One session on disk, named by its place. A value: that the file exists is not promised.
struct SessionPlace {
  std::string root;
  std::string project;     ///< Name of the folder below projects/.
  std::string session_id;  ///< A UUID.

  [[nodiscard]] std::string path() const;
  [[nodiscard]] std::string file_name() const {
    return session_id + std::string(kTranscriptExtension);
  }

  bool operator==(const SessionPlace&) const = default;
};

/// <root>/projects, or `not_found`. A link in its place is not followed, as anywhere below a root.
[[nodiscard]] Result<Folder> open_projects(const std::string& root);
/// The folder of a session's project.
[[nodiscard]] Result<Folder> open_project(const SessionPlace& place);
/// The transcript itself.
[[nodiscard]] Result<File> open_transcript(const SessionPlace& place);

/// Which places to look at.
struct Scope {
  std::vector<std::string> roots;
  /// Only this working folder (an absolute path); empty for all projects.
  std::string working_folder = {};
  /// With it those of the other worktrees of its git repository.
  bool worktrees = true;

  /// The working folder with its links resolved, then the worktrees; empty for all projects.
  [[nodiscard]] std::vector<std::string> working_folders() const;
};

/// A project folder below a root.
struct ProjectPlace {
  std::string root;
  std::string project;
  std::string working_folder = {};  ///< Of the scope's, the one it belongs to; empty without.

  [[nodiscard]] std::string path() const;
};

/// All project folders within the scope. What cannot be listed goes to `report`; a root that does
/// not exist has none.
[[nodiscard]] std::vector<ProjectPlace> find_projects(const Scope& scope, Report& report);

/// The sessions of one project by their files, in no particular order.
struct ProjectSessions {
  struct Entry {
    std::string session_id;
    bool has_folder = false;  ///< Whether something called <session> lies beside the transcript.
  };
  ProjectPlace place;
  std::vector<Entry> entries;
};

/// All sessions within the scope. What cannot be listed goes to `report`.
[[nodiscard]] std::vector<ProjectSessions> find_sessions(const Scope& scope, Report& report);

/// The place of one session: the id, or an unambiguous beginning of it of at least four characters.
/// If several projects hold the same id, the transcript written last. `not_found`, or `invalid` if
/// several ids begin like this.
[[nodiscard]] Result<SessionPlace> find_session(const Scope& scope, std::string_view id);

}  // namespace parley::history
