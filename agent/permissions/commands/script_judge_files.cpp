// The files that a script names, and whether it may touch them.
#include <algorithm>
#include <functional>
#include <system_error>
#include <utility>

#include "agent/permissions/commands/command_rules.hpp"
#include "agent/permissions/commands/command_verdicts.hpp"
#include "agent/permissions/commands/git_commands.hpp"
#include "agent/permissions/commands/script_judge.hpp"
#include "agent/permissions/shell/glob.hpp"

namespace parley::agent {

namespace fs = std::filesystem;
using shell::Command;
using shell::Redirect;

namespace {

/// Whether some entry of the tree, its root included, is `unwanted`; also if that takes too long to
/// find out. Links are entries, and not followed.
bool has_entry(const fs::path& root, int most,
               const std::function<bool(const fs::path& below, fs::file_type type)>& unwanted) {
  std::error_code error;
  const fs::path top = root.has_filename() ? root : root.parent_path();
  const auto type = fs::symlink_status(top, error).type();
  if (type == fs::file_type::not_found) return false;
  if (unwanted(top.filename(), type)) return true;
  if (type != fs::file_type::directory) return false;
  for (fs::recursive_directory_iterator entry(top, error), end; !error && entry != end;
       entry.increment(error)) {
    const auto below = entry->path().lexically_relative(top.parent_path());
    if (--most < 0 || unwanted(below, entry->symlink_status(error).type())) return true;
  }
  return static_cast<bool>(error);
}

/// Whether a file or folder can be put elsewhere without bringing more than files: a link would be
/// a way out for the next command, and names such as .git or .claude mean something wherever they
/// lie.
bool is_plain_tree(const fs::path& root) {
  return !has_entry(root, 5'000, [](const fs::path& below, fs::file_type type) {
    return type == fs::file_type::symlink || protection(Place{below, below}) != Protection::none;
  });
}

/// Whether a repository or the agent's own settings lie in a folder.
bool holds_more_than_files(const fs::path& root) {
  return has_entry(root, 200'000, [](const fs::path& below, fs::file_type /*type*/) {
    return below.filename() == ".git" || below.filename() == ".claude";
  });
}

/// Whether a folder holds a file that rules keep away.
bool holds_denied_files(const Scope& scope, const fs::path& root) {
  return has_entry(root, 200'000, [&](const fs::path& below, fs::file_type /*type*/) {
    const auto place = locate(root.parent_path() / below);
    const auto is_denied = [](const FileAccess& access) {
      return access.kind == FileAccess::Kind::denied || access.kind == FileAccess::Kind::ask_rule;
    };
    return !place || is_denied(scope.read_access(*place, "Bash")) ||
           is_denied(scope.edit_access(*place, "Bash"));
  });
}

/// What a word with braces becomes, each as a pattern. Too many of them, and ranges, count as `*`.
std::vector<std::string> without_braces(const std::string& text, std::size_t most = 64) {
  const auto open = text.find('{');
  if (open == std::string::npos) return {text};
  if (most == 0) return {"*"};
  std::vector<std::string> parts(1);
  std::size_t at = open + 1;
  for (int depth = 1; at < text.size(); ++at) {
    depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
    if (depth == 0) break;
    if (depth == 1 && text[at] == ',') {
      parts.emplace_back();
    } else {
      parts.back() += text[at];
    }
  }
  if (at == text.size()) return {text};
  if (parts.size() == 1) parts = {parts[0].find("..") == std::string::npos ? parts[0] : "*"};
  if (parts.size() > most) parts = {"*"};
  std::vector<std::string> out;
  for (const auto& part : parts) {
    for (auto& each : without_braces(text.substr(0, open) + part + text.substr(at + 1),
                                     (most - 1) / parts.size())) {
      out.push_back(std::move(each));
    }
  }
  return out;
}

}  // namespace

fs::path ScriptJudge::path_of(const FileWord& file, const fs::path& folder) const {
  if (!file.word.tilde) return folder / file.text;
  return scope_.home / fs::path(file.text.substr(1)).relative_path();
}

/// The folder in which the pattern of a word begins, and the pattern from there.
std::pair<fs::path, std::string_view> ScriptJudge::pattern_of(const FileWord& file,
                                                              const fs::path& folder) const {
  if (!file.word.tilde) return {folder, file.glob};
  return {scope_.home,
          std::string_view(file.glob).substr(std::min<std::size_t>(2, file.glob.size()))};
}

/// Every path that a word may stand for, from every folder the script may be in by then, as the
/// system gets it; `searched`: also the folders that the shell reads to find them. Nothing if that
/// cannot be told.
std::optional<std::vector<fs::path>> ScriptJudge::paths(const FileWord& file, bool searched) const {
  std::vector<fs::path> out;
  if (file.word.tilde && file.text != "~" && !file.text.starts_with("~/")) return std::nullopt;
  for (const auto& folder : folders_) {
    // Not made shorter by text: the system takes `..` from where the links before it lead.
    out.push_back(path_of(file, folder));
    if (!file.word.pattern) continue;
    const auto [base, glob] = pattern_of(file, folder);
    auto first = shell::searched_folder(base, glob);
    const auto start = locate(first);
    if (!start) return std::nullopt;
    // Only folders that may be read anyway are worth looking into.
    if (scope_.read_access(*start, "Bash").kind != FileAccess::Kind::allowed) {
      if (searched) out.push_back(std::move(first));
      continue;
    }
    const auto found = shell::possible_matches(base, glob);
    if (!found) return std::nullopt;
    out.insert(out.end(), found->paths.begin(), found->paths.end());
    if (searched) out.insert(out.end(), found->searched.begin(), found->searched.end());
  }
  return out;
}

/// The same as places, with the folders that are searched. Nothing also if one of them cannot be
/// resolved.
std::optional<std::vector<Place>> ScriptJudge::places(const FileWord& file) const {
  const auto all = paths(file, true);
  if (!all) return std::nullopt;
  std::vector<Place> out;
  for (const auto& each : *all) {
    auto place = locate(each);
    if (!place) return std::nullopt;
    out.push_back(std::move(*place));
  }
  return out;
}

/// A copy into a folder writes to the file of that name in it, which may be a link. False if a
/// whole tree would be copied over another one, or would bring more than files.
bool ScriptJudge::add_copies(const FileCall& call, std::vector<FileWord>& files) const {
  if (files.size() < 2) return true;
  const bool tree = call.takes_trees;
  // The target would be further sources, and the last of them the target.
  if (files.back().word.pattern) return false;
  std::error_code tree_error;
  if (tree) {
    for (std::size_t i = 0; i + 1 < files.size(); ++i) {
      const auto sources = paths(files[i], false);
      if (!sources || !std::all_of(sources->begin(), sources->end(), is_plain_tree)) return false;
      // Under another name a rule would not know them any more.
      const bool denied = scope_.keeps_files_away() &&
                          std::any_of(sources->begin(), sources->end(), [&](const fs::path& each) {
                            return fs::is_directory(each, tree_error);
                          });
      if (denied) return false;
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
    const auto copies = paths(copy, false);
    if (!copies) return false;
    if (tree && std::any_of(copies->begin(), copies->end(),
                            [&](const fs::path& path) { return fs::is_directory(path, error); })) {
      return false;
    }
    files.push_back(std::move(copy));
  }
  return true;
}

/// Whether a folder among the files has links in it, or may have some.
bool ScriptJudge::names_links(const std::vector<FileWord>& files) const {
  return std::any_of(files.begin(), files.end(), [&](const FileWord& file) {
    const auto found = places(file);
    return !found || std::any_of(found->begin(), found->end(), [](const Place& place) {
      return has_entry(place.real, 20'000, [](const fs::path& /*below*/, fs::file_type type) {
        return type == fs::file_type::symlink;
      });
    });
  });
}

bool ScriptJudge::is_denied(const FileWord& file, bool write) const {
  if (file.word.braces) {
    const auto all = without_braces(file.text);
    return std::any_of(all.begin(), all.end(), [&](const std::string& text) {
      FileWord each = file;
      each.word.braces = false;
      each.word.pattern = text.find_first_of("*?[") != std::string::npos;
      each.text = each.glob = text;
      return is_denied(each, write);
    });
  }
  const auto found = places(file);
  if (!found) return false;
  return std::any_of(found->begin(), found->end(), [&](const Place& place) {
    return scope_.read_access(place, "Bash").kind == FileAccess::Kind::denied ||
           (write && scope_.edit_access(place, "Bash").kind == FileAccess::Kind::denied);
  });
}

/// `covered`: a rule or the mode allows the command, so that only where it works is in question.
std::optional<Verdict> ScriptJudge::judge_files(const std::vector<FileWord>& files,
                                                const Words& words, bool write, bool covered) {
  for (const auto& file : files) {
    const auto found = places(file);
    if (!found || follows_replaced_links(file)) {
      return ask_without_rule("A path in this command can't be checked before it runs");
    }
    for (const auto& place : *found) {
      if (auto decided = judge_file(place, write ? Blocked::By::command : Blocked::By::read,
                                    covered, words[0].text)) {
        return decided;
      }
    }
  }
  return std::nullopt;
}

/// In a script that writes, a link may be a folder by the time that the path is used, and `..`
/// behind it another place.
bool ScriptJudge::follows_replaced_links(const FileWord& file) const {
  if (!writes_) return false;
  const auto all = paths(file, false);
  return !all || std::any_of(all->begin(), all->end(), leads_elsewhere);
}

Verdict ScriptJudge::ask_about_option() {
  return ask_without_rule("A pattern in this command may match a name that is read as an option");
}

/// Nothing if the patterns stay operands, whatever they match.
std::optional<Verdict> ScriptJudge::judge_patterns(const std::vector<std::string>& globs) const {
  for (const auto& glob : globs) {
    const bool open =
        finds_changes() || std::any_of(folders_.begin(), folders_.end(), [&](const auto& each) {
          return shell::may_match_option(each, glob);
        });
    if (open) return ask_about_option();
  }
  return std::nullopt;
}

/// What git does is said by the repository that it finds.
std::optional<Verdict> ScriptJudge::judge_repository(const Words& words) const {
  const bool opened =
      !finds_changes() && std::all_of(folders_.begin(), folders_.end(), [&](const fs::path& each) {
        const auto folder = git_folder(words, each, scope_.home);
        return folder && is_opened_repository(*folder, scope_.folders) &&
               (scope_.mode != PermissionMode::acceptEdits || !names_programs(*folder));
      });
  if (opened) return std::nullopt;
  return ask("other",
             "This command runs a version-control command in a repository inside the working "
             "directory, or after changing files, which can pick up untrusted hooks or repository "
             "configuration. Approve only if you trust it.");
}

std::optional<Verdict> ScriptJudge::judge_file(const Place& place, Blocked::By by, bool covered,
                                               const std::string& program) {
  const bool write = by != Blocked::By::read;
  const auto access = write ? scope_.edit_access(place, "Bash") : scope_.read_access(place, "Bash");
  switch (access.kind) {
    case FileAccess::Kind::allowed: return std::nullopt;
    case FileAccess::Kind::inside:
      if (covered) return std::nullopt;
      break;
    case FileAccess::Kind::ask_rule: return ask_by_rule("Bash", *access.rule);
    case FileAccess::Kind::denied:  // Is found before.
    case FileAccess::Kind::protected_:
    case FileAccess::Kind::outside: break;
  }
  blocked_.push_back({by, place, access, program});
  return std::nullopt;
}

std::optional<Verdict> ScriptJudge::judge_redirects(const Command& command) {
  for (const auto& redirect : command.redirects) {
    const auto& target = redirect.target;
    if (redirect.kind == Redirect::Kind::duplicate || redirect.kind == Redirect::Kind::text)
      continue;
    if (target.literal() && target.text == "/dev/null") continue;
    const auto found = target.literal() ? places(FileWord(target)) : std::nullopt;
    if (!found || follows_replaced_links(FileWord(target))) {
      return ask_without_rule("A file redirect in this command can't be checked before it runs");
    }
    for (const auto& place : *found) {
      const bool write = redirect.kind == Redirect::Kind::write;
      if (auto decided = judge_file(place, write ? Blocked::By::redirect : Blocked::By::read, false,
                                    command.words.empty() ? "" : command.words[0].text)) {
        return decided;
      }
    }
  }
  return std::nullopt;
}

/// Removing a working folder, one above it, all that is in it, or a repository, is never only an
/// edit.
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
    const auto removed = paths(file, false);
    if (removed && scope_.keeps_files_away() &&
        std::any_of(removed->begin(), removed->end(),
                    [&](const fs::path& each) { return holds_denied_files(scope_, each); })) {
      return ask_without_rule("Removing '" + file.text +
                              "' would remove files that a rule keeps away");
    }
    if (removed && std::any_of(removed->begin(), removed->end(), holds_more_than_files)) {
      return ask_for_safety("Removing '" + file.text +
                            "' would remove a repository or settings of the agent that lie in it");
    }
  }
  return std::nullopt;
}

}  // namespace parley::agent
