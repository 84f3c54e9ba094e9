#include "agent/session/config/notes.hpp"

#include <filesystem>

#include "agent/session/config/text_file.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

void add_note(std::string& notes, const fs::path& path, const char* kind,
              std::vector<NoteFile>& files) {
  if (!is_plain_file(path)) return;
  const std::string text = read_text_file(path);
  if (text.empty()) return;
  files.push_back({path.string(), kind, text.size()});
  notes += "\nContents of " + path.string() + ":\n\n" + text + "\n";
}

/// The folders from the root of the repository (or the first that has notes) down to `cwd`.
std::vector<fs::path> folders_down_to(const fs::path& cwd) {
  std::vector<fs::path> folders;
  for (fs::path folder = cwd;; folder = folder.parent_path()) {
    folders.insert(folders.begin(), folder);
    std::error_code ignored;
    if (fs::exists(folder / ".git", ignored) || folder == folder.parent_path()) break;
  }
  // Without a repository only the folder itself counts: what lies above is not the project.
  std::error_code ignored;
  if (!fs::exists(folders.front() / ".git", ignored)) return {cwd};
  return folders;
}

}  // namespace

std::string read_notes(const std::string& config_folder, const std::string& cwd, bool user,
                       bool project, std::vector<NoteFile>& files) {
  std::string notes;
  if (user) add_note(notes, fs::path(config_folder) / "CLAUDE.md", "User", files);
  if (!project) return notes;
  for (const fs::path& folder : folders_down_to(cwd)) {
    const fs::path claude = folder / "CLAUDE.md";
    add_note(notes, is_plain_file(claude) ? claude : folder / "AGENTS.md", "Project", files);
    add_note(notes, folder / ".claude" / "CLAUDE.md", "Project", files);
    add_note(notes, folder / "CLAUDE.local.md", "Local", files);
  }
  return notes;
}

}  // namespace parley::agent
