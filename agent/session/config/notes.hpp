// The notes that users keep for agents: CLAUDE.md, AGENTS.md and their like.
#pragma once

#include <string>
#include <vector>

namespace parley::agent {

/// A file with notes for agents.
struct NoteFile {
  std::string path;
  std::string kind;  ///< "User", "Project" or "Local".
  std::size_t bytes = 0;
};

/// The notes that count in a folder: the user's own, then from the root of the repository down to
/// the folder. Files larger than a few hundred kilobytes are cut. `files` names them.
[[nodiscard]] std::string read_notes(const std::string& config_folder, const std::string& cwd,
                                     bool user, bool project, std::vector<NoteFile>& files);

}  // namespace parley::agent
