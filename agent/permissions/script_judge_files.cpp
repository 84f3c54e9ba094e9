// The files that a script names, and whether it may touch them.
#include <algorithm>
#include <system_error>

#include "agent/permissions/command_rules.hpp"
#include "agent/permissions/command_verdicts.hpp"
#include "agent/permissions/script_judge.hpp"

namespace parley::agent {

namespace fs = std::filesystem;
using shell::Command;
using shell::Redirect;
using shell::Word;

/// Every place that a word may name, from every folder the script may be in by then. Nothing if
/// that cannot be told.
std::optional<std::vector<Place>> ScriptJudge::places(const FileWord& file) const {
  std::vector<Place> out;
  if (file.word.tilde && file.text != "~" && !file.text.starts_with("~/")) return std::nullopt;
  for (const auto& folder : folders_) {
    // Not made shorter by text: the system takes `..` from where the links before it lead.
    const auto path = file.word.tilde ? scope_.home / fs::path(file.text.substr(1)).relative_path()
                                      : folder / file.text;
    std::vector<fs::path> paths{path};
    if (file.word.pattern) {
      auto fixed = path;
      while (fixed.string().find_first_of("*?[") != std::string::npos) fixed = fixed.parent_path();
      paths.push_back(fixed);
      const auto start = locate(fixed);
      if (!start) return std::nullopt;
      // Only folders that may be read anyway are worth looking into.
      if (scope_.read_access(*start, "Bash").kind == FileAccess::Kind::kAllowed) {
        const auto found = matches(path);
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

/// A copy into a folder writes to the file of that name in it, which may be a link. False if a
/// whole tree would be copied over another one.
bool ScriptJudge::add_copies(std::vector<FileWord>& files, const Words& words) const {
  if (files.size() < 2) return true;
  const bool tree = std::any_of(words.begin(), words.end(), [](const Word& word) {
    return word.text.starts_with("--r") || word.text.starts_with("--a") ||
           (word.text.starts_with('-') && !word.text.starts_with("--") &&
            word.text.find_first_of("rRa") != std::string::npos);
  });
  const FileWord target = files.back();
  const auto found = places(target);
  if (!found) return false;
  std::error_code error;
  const bool folder = std::any_of(found->begin(), found->end(), [&](const Place& place) {
    return fs::is_directory(place.real, error);
  });
  if (!folder) return true;
  for (std::size_t i = 0, sources = files.size() - 1; i < sources; ++i) {
    auto name = fs::path(files[i].text).lexically_normal();
    if (!name.has_filename()) name = name.parent_path();
    FileWord copy{target.word, target.text + "/" + name.filename().string()};
    copy.word.pattern |= files[i].word.pattern;
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
    const auto found = target.literal() ? places({target, target.text}) : std::nullopt;
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
      auto path = file.word.tilde ? scope_.home / fs::path(file.text.substr(1)).relative_path()
                                  : folder / file.text;
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
