// The files that a script names, and whether it may touch them.
#include <algorithm>
#include <system_error>

#include "agent/permissions/command_rules.hpp"
#include "agent/permissions/command_verdicts.hpp"
#include "agent/permissions/git_commands.hpp"
#include "agent/permissions/script_judge.hpp"
#include "agent/permissions/shell_glob.hpp"

namespace parley::agent {

namespace fs = std::filesystem;
using shell::Command;
using shell::Redirect;
using shell::Word;

fs::path ScriptJudge::path_of(const FileWord& file, const fs::path& folder) const {
  if (!file.word.tilde) return folder / file.text;
  return scope_.home / fs::path(file.text.substr(1)).relative_path();
}

/// Every place that a word may name, from every folder the script may be in by then. Nothing if
/// that cannot be told.
std::optional<std::vector<Place>> ScriptJudge::places(const FileWord& file) const {
  std::vector<Place> out;
  if (file.word.tilde && file.text != "~" && !file.text.starts_with("~/")) return std::nullopt;
  for (const auto& folder : folders_) {
    // Not made shorter by text: the system takes `..` from where the links before it lead.
    const auto path = path_of(file, folder);
    std::vector<fs::path> paths{path};
    if (file.word.pattern) {
      const auto base = file.word.tilde ? scope_.home : folder;
      const auto glob = std::string_view(file.glob).substr(
          file.word.tilde ? std::min<std::size_t>(2, file.glob.size()) : 0);
      paths.push_back(shell::searched_folder(base, glob));
      const auto start = locate(paths.back());
      if (!start) return std::nullopt;
      // Only folders that may be read anyway are worth looking into.
      if (scope_.read_access(*start, "Bash").kind == FileAccess::Kind::kAllowed) {
        const auto found = shell::possible_matches(base, glob);
        if (!found) return std::nullopt;
        paths.insert(paths.end(), found->begin(), found->end());
      }
    }
    for (const auto& each : paths) {
      auto place = locate(each);
      if (!place) return std::nullopt;
      out.push_back(std::move(*place));
    }
  }
  return out;
}

/// Whether a file or folder can be put elsewhere without bringing more than files: a link would be
/// a way out for the next command, and names such as .git or .claude mean something wherever they
/// lie.
bool ScriptJudge::is_plain_tree(const fs::path& root) {
  constexpr int kMostEntries = 5000;
  std::error_code error;
  const auto is_plain = [&](const fs::path& path, fs::file_type type) {
    const auto below = path.lexically_relative(root.parent_path());
    return type != fs::file_type::symlink && protection(Place{below, below}) == Protection::kNone;
  };
  const auto type = fs::symlink_status(root, error).type();
  if (type == fs::file_type::not_found) return true;
  if (!is_plain(root, type)) return false;
  if (type != fs::file_type::directory) return true;
  int entries = 0;
  for (fs::recursive_directory_iterator entry(root, error), end; !error && entry != end;
       entry.increment(error)) {
    if (++entries > kMostEntries) return false;
    if (!is_plain(entry->path(), entry->symlink_status(error).type())) return false;
  }
  return !error;
}

/// A copy into a folder writes to the file of that name in it, which may be a link. False if a
/// whole tree would be copied over another one, or would bring more than files.
bool ScriptJudge::add_copies(const FileCall& call, std::vector<FileWord>& files) const {
  if (files.size() < 2) return true;
  const bool tree = call.takes_trees;
  if (tree) {
    for (std::size_t i = 0; i + 1 < files.size(); ++i) {
      const auto sources = places(files[i]);
      if (!sources) return false;
      if (!std::all_of(sources->begin(), sources->end(),
                       [](const Place& place) { return is_plain_tree(place.named); })) {
        return false;
      }
    }
  }
  const FileWord target = files.back();
  const auto found = places(target);
  if (!found) return false;
  std::error_code error;
  const bool folder = std::any_of(found->begin(), found->end(), [&](const Place& place) {
    return fs::is_directory(place.real, error);
  });
  if (!folder) return true;
  for (std::size_t i = 0, sources = files.size() - 1; i < sources; ++i) {
    const auto last_part = [](std::string_view path) {
      while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
      return std::string(path.substr(path.rfind('/') + 1));
    };
    FileWord copy = target;
    copy.text += "/" + last_part(files[i].text);
    copy.glob += "/" + last_part(files[i].glob);
    copy.word.pattern |= files[i].word.pattern;
    // What is in the folder goes there, not the folder.
    if (copy.text.ends_with("/.") || copy.text.ends_with("/..")) return false;
    const auto copies = places(copy);
    if (!copies) return false;
    if (tree && std::any_of(copies->begin(), copies->end(), [&](const Place& place) {
          return fs::is_directory(place.real, error);
        })) {
      return false;
    }
    files.push_back(std::move(copy));
  }
  return true;
}

bool ScriptJudge::is_denied(const FileWord& file, bool write) const {
  const auto found = places(file);
  if (!found) return false;
  return std::any_of(found->begin(), found->end(), [&](const Place& place) {
    return scope_.read_access(place, "Bash").kind == FileAccess::Kind::kDenied ||
           (write && scope_.edit_access(place, "Bash").kind == FileAccess::Kind::kDenied);
  });
}

/// `covered`: a rule or the mode allows the command, so that only where it works is in question.
std::optional<Verdict> ScriptJudge::judge_files(const std::vector<FileWord>& files,
                                                const Words& words, bool write, bool covered) {
  for (const auto& file : files) {
    const auto found = places(file);
    if (!found) {
      return ask_without_rule("A path in this command can't be checked before it runs");
    }
    for (const auto& place : *found) {
      if (auto decided = judge_file(place, write ? Blocked::By::kCommand : Blocked::By::kRead,
                                    covered, words[0].text)) {
        return decided;
      }
    }
  }
  return std::nullopt;
}

/// Nothing if the patterns stay operands, whatever they match.
std::optional<Verdict> ScriptJudge::judge_patterns(const std::vector<std::string>& globs) const {
  for (const auto& glob : globs) {
    const bool open =
        finds_changes() || std::any_of(folders_.begin(), folders_.end(), [&](const auto& each) {
          return shell::may_match_option(each, glob);
        });
    if (open) {
      return ask_without_rule(
          "A pattern in this command may match a name that is read as an option");
    }
  }
  return std::nullopt;
}

/// What git does is said by the repository that it finds.
std::optional<Verdict> ScriptJudge::judge_repository() const {
  const bool opened =
      !finds_changes() && std::all_of(folders_.begin(), folders_.end(), [&](const fs::path& each) {
        return is_opened_repository(each, scope_.folders);
      });
  if (opened) return std::nullopt;
  return ask("other",
             "This command runs a version-control command in a repository inside the working "
             "directory, or after changing files, which can pick up untrusted hooks or repository "
             "configuration. Approve only if you trust it.");
}

std::optional<Verdict> ScriptJudge::judge_file(const Place& place, Blocked::By by, bool covered,
                                               const std::string& program) {
  const bool write = by != Blocked::By::kRead;
  const auto access = write ? scope_.edit_access(place, "Bash") : scope_.read_access(place, "Bash");
  switch (access.kind) {
    case FileAccess::Kind::kAllowed: return std::nullopt;
    case FileAccess::Kind::kInside:
      if (covered) return std::nullopt;
      break;
    case FileAccess::Kind::kAskRule: return ask_by_rule("Bash", *access.rule);
    case FileAccess::Kind::kDenied:  // Is found before.
    case FileAccess::Kind::kProtected:
    case FileAccess::Kind::kOutside: break;
  }
  blocked_.push_back({by, place, access, program});
  return std::nullopt;
}

std::optional<Verdict> ScriptJudge::judge_redirects(const Command& command) {
  for (const auto& redirect : command.redirects) {
    const auto& target = redirect.target;
    if (redirect.kind == Redirect::Kind::kDuplicate || redirect.kind == Redirect::Kind::kText)
      continue;
    if (target.literal() && target.text == "/dev/null") continue;
    const auto found = target.literal() ? places(FileWord(target)) : std::nullopt;
    if (!found) {
      return ask_without_rule("A file redirect in this command can't be checked before it runs");
    }
    for (const auto& place : *found) {
      const bool write = redirect.kind == Redirect::Kind::kWrite;
      if (auto decided = judge_file(place, write ? Blocked::By::kRedirect : Blocked::By::kRead,
                                    false, command.words.empty() ? "" : command.words[0].text)) {
        return decided;
      }
    }
  }
  return std::nullopt;
}

/// Removing a working folder, one above it, or all that is in it, is never only an edit.
std::optional<Verdict> ScriptJudge::removes_too_much(const FileCall& call,
                                                     const Words& words) const {
  for (const auto& file : call.files) {
    for (const auto& folder : folders_) {
      auto path = path_of(file, folder);
      const auto shown = absolute_path(file.text, folder, scope_.home);
      const auto last = path.filename().string();
      if (file.word.pattern && last.find_first_not_of("*.?") == std::string::npos)
        path = path.parent_path();
      const auto place = locate(path);
      if (!place) continue;
      const bool above =
          is_within(scope_.home, place->real) || is_within(folder, place->real) ||
          std::any_of(scope_.folders.begin(), scope_.folders.end(),
                      [&](const Place& each) { return is_within(each.real, place->real); });
      if (!above) continue;
      auto verdict = ask_for_safety("Dangerous " + words[0].text +
                                    " operation on working directory or its ancestor: " +
                                    (shown.has_filename() ? shown : shown.parent_path()).string());
      verdict.suggestions.emplace();
      return verdict;
    }
  }
  return std::nullopt;
}

}  // namespace parley::agent
