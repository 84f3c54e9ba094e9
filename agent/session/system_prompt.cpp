#include "agent/session/system_prompt.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "support/files/io.hpp"
#include "support/text/utf8.hpp"
#include "support/time.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestNote = 200 * 1024;

constexpr const char* kInstructions =
    R"(You are a coding agent. You work in a folder on the user's machine and use tools to read, change and run things there.

How to work
- Look before you change: read the files that matter, search for names, find out how the project is built and tested.
- Do what was asked, no more. Keep to the style of the code around you. Add no files, comments or dependencies that nobody wanted.
- Change files with the editing tools, not with shell commands, so that the user can see and approve each change.
- Check your work by building, running or testing it whenever that is possible.
- When several tool calls do not depend on each other, make them at once.
- If a tool call is refused, do not try to get the same by another way. Ask, or do without.
- Never expose keys or passwords. Never commit, push or delete on a large scale unless the user asked for it.

How to answer
- Be short and plain. Say what you did and what you found; leave out what the user can see.
- Name places in files as path:line.
- If something failed or was left out, say so.
- When you need a decision, ask one clear question.
)";

std::string first_bytes(const fs::path& path) {
  std::string text = read_file(path, kLongestNote + 1).value_or("");
  if (text.size() > kLongestNote) {
    text.resize(kLongestNote);
    text += "\n[cut here: the file is longer]\n";
  }
  return to_utf8(text);
}

bool is_plain_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

void add_note(std::string& notes, const fs::path& path, const char* kind,
              std::vector<NoteFile>& files) {
  if (!is_plain_file(path)) return;
  const std::string text = first_bytes(path);
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

std::string surroundings(const Session& session) {
  utsname system{};
  ::uname(&system);
  std::error_code ignored;
  std::ostringstream text;
  text << "Working folder: " << session.cwd << "\n";
  for (const auto& folder : session.permissions->folders()) {
    if (folder != session.cwd) text << "Also allowed: " << folder.string() << "\n";
  }
  text << "Git repository: " << (fs::exists(fs::path(session.cwd) / ".git", ignored) ? "yes" : "no")
       << "\n"
       << "System: " << system.sysname << " " << system.release << "\n"
       << "Date: " << timestamp().substr(0, 10) << "\n";
  return text.str();
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

namespace {

/// The styles of a folder: `name` of the head of a file, or its file name, and what follows.
void add_styles(const fs::path& folder, std::vector<OutputStyle>& styles) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".md" || !is_plain_file(entry.path())) continue;
    OutputStyle style{entry.path().stem().string(), first_bytes(entry.path())};
    constexpr std::string_view kFence = "---\n";
    const std::size_t end = style.text.find("\n---\n");
    if (style.text.starts_with(kFence) && end != std::string::npos) {
      std::istringstream head(style.text.substr(kFence.size(), end + 1 - kFence.size()));
      for (std::string line; std::getline(head, line);) {
        if (line.starts_with("name: ")) style.name = line.substr(6);
      }
      style.text.erase(0, end + 5);
    }
    std::erase_if(styles, [&](const OutputStyle& other) { return other.name == style.name; });
    styles.push_back(std::move(style));
  }
}

std::vector<OutputStyle> read_output_styles(const Session& session) {
  std::vector<OutputStyle> styles;
  const Settings::Sources& sources = session.setting_sources;
  if (sources.user) add_styles(sources.config_folder / "output-styles", styles);
  if (sources.project) add_styles(sources.start_folder / ".claude" / "output-styles", styles);
  std::sort(styles.begin(), styles.end(),
            [](const OutputStyle& a, const OutputStyle& b) { return a.name < b.name; });
  return styles;
}

}  // namespace

OutputStyle find_output_style(const Session& session) {
  const std::string wanted = session.settings.output_style.value_or("default");
  if (wanted == "default") return {};
  for (OutputStyle& style : read_output_styles(session)) {
    if (style.name == wanted) return std::move(style);
  }
  complain("Settings: there is no output style " + wanted);
  return {};
}

std::vector<std::string> output_style_names(const Session& session) {
  std::vector<std::string> names{"default"};
  for (const OutputStyle& style : read_output_styles(session)) names.push_back(style.name);
  return names;
}

std::vector<std::string> system_prompt(const Session& session) {
  const Wishes wishes = session.wishes();
  std::vector<std::string> blocks;
  if (wishes.system_prompt) {
    if (!wishes.system_prompt->empty()) blocks.push_back(*wishes.system_prompt);
  } else {
    blocks.emplace_back(kInstructions);
    blocks.push_back(surroundings(session));
  }
  if (!session.output_style.text.empty()) {
    blocks.push_back("How the user wants to be answered:\n" + session.output_style.text);
  }
  // Notes count whoever wrote the instructions.
  if (!session.notes.empty()) {
    blocks.push_back(
        "Notes that the user keeps for agents. They come before the instructions "
        "above where the two disagree.\n" +
        session.notes);
  }
  if (session.permissions->mode() == PermissionMode::plan) {
    blocks.emplace_back(
        "Plan mode is on: look and think, but change nothing. When the plan is ready, present it "
        "with ExitPlanMode and wait for the user.");
  }
  if (wishes.append_system_prompt) blocks.push_back(*wishes.append_system_prompt);
  return blocks;
}

}  // namespace parley::agent
