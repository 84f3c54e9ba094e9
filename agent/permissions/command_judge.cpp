#include "agent/permissions/command_judge.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <system_error>

#include "agent/permissions/command_rules.hpp"
#include "agent/permissions/file_commands.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;
using shell::Command;
using shell::Obstacle;
using shell::Redirect;
using shell::Script;
using shell::Word;

/// A file that keeps a command from running unasked.
struct Blocked {
  enum class By { kRead, kCommand, kRedirect } by = By::kRead;
  Place place;
  FileAccess access;
  std::string program;
};

Verdict allow() {
  Verdict verdict;
  verdict.kind = Verdict::Kind::kAllow;
  return verdict;
}

Verdict ask(std::string type, std::string reason) {
  Verdict verdict;
  verdict.reason_type = std::move(type);
  verdict.message = reason;
  verdict.reason = std::move(reason);
  return verdict;
}

/// Nothing that a rule could cover.
Verdict ask_without_rule(std::string reason) {
  auto verdict = ask("other", std::move(reason));
  verdict.suggestions.emplace();
  return verdict;
}

Verdict ask_for_safety(std::string reason) {
  auto verdict = ask("safetyCheck", std::move(reason));
  verdict.classifier_approvable = false;
  verdict.suppress_always_allow_rule = true;
  return verdict;
}

Verdict ask_about(const Script& script) {
  const auto unchecked = [](const char* what) {
    return ask_without_rule(std::string(what) + " in this command can't be checked before it runs");
  };
  switch (script.obstacle) {
    case Obstacle::kVariable: return unchecked("A variable");
    case Obstacle::kAssignedVariable:
      return ask_without_rule("A variable set in this command can't be checked before it runs");
    case Obstacle::kSubstitution: return unchecked("A nested command");
    case Obstacle::kProcess: return unchecked("A command used as a file");
    case Obstacle::kGroup: return unchecked("A group in braces or double parentheses");
    case Obstacle::kCase: return unchecked("A case statement");
    case Obstacle::kFunction: return unchecked("A function definition");
    case Obstacle::kEscapes: return unchecked("Text with escape codes");
    case Obstacle::kHereDocument:
      return ask_without_rule("Heredoc with unquoted delimiter undergoes shell expansion");
    case Obstacle::kBraces: return ask_without_rule("Brace expansion");
    case Obstacle::kSubshell:
      return ask("other", "This command uses shell operators that require approval for safety");
    case Obstacle::kBackground:
      return ask_for_safety(
          "This command uses the `&` background operator, which defers execution past "
          "approval-time safety checks. Approve only if you trust it.");
    case Obstacle::kLoopSubstitution: {
      auto verdict = ask("subcommandResults", "");
      verdict.message = "A nested command in this command can't be checked before it runs";
      return verdict;
    }
    case Obstacle::kNotRead:
    case Obstacle::kNone: break;
  }
  return ask_without_rule("This command can't be checked before it runs: " + script.not_read);
}

/// Judges the commands of one script in their order.
class Judge {
 public:
  Judge(const Scope& scope, const Script& script, std::string_view text, const fs::path& cwd)
      : scope_(scope), script_(script), text_(text), folders_{cwd} {}

  /// A file that a rule keeps away, named by any command in any spelling.
  bool touches_denied_file() {
    for (const auto& command : script_.commands) {
      for (const auto& redirect : command.redirects) {
        const bool write = redirect.kind == Redirect::Kind::kWrite;
        if (write || redirect.kind == Redirect::Kind::kRead) {
          if (is_denied({redirect.target, redirect.target.text}, write)) return true;
        }
      }
      const auto words = without_wrappers(command.words);
      if (!words.empty() && words[0].text != "echo" && words[0].text != "printf") {
        const bool write = file_call(words).known;
        for (const auto& file : file_words(words, 1)) {
          if (is_denied(file, write)) return true;
        }
      }
      note_folder_change(command);
    }
    folders_.resize(1);
    return false;
  }

  Verdict verdict() {
    if (const auto combined = changes_folder_first()) return *combined;
    for (const auto& command : script_.commands) {
      if (auto decided = judge(command)) return *decided;
      note_folder_change(command);
    }
    if (!blocked_.empty()) return ask_about_file(blocked_.front());
    if (!uncovered_.empty()) return ask_about_commands();
    return allow();
  }

 private:
  /// A verdict on the whole script, or nothing: the command is covered, or noted for later.
  std::optional<Verdict> judge(const Command& command) {
    const auto words = without_wrappers(command.words);
    if (const auto name = evaluator(words); !name.empty()) {
      return ask_without_rule("'" + std::string(name) + "' evaluates arguments as shell code");
    }
    for (const auto& word : words) {
      if (word.text.find("/proc/") != std::string::npos &&
          word.text.find("environ") != std::string::npos) {
        return ask_without_rule("Accesses /proc/*/environ which may expose secrets");
      }
    }
    if (auto decided = judge_redirects(command)) return decided;
    if (words.empty()) {
      const bool harmless = command.assignments.empty() || script_.commands.size() == 1 ||
                            has_safe_variables(command);
      if (!harmless) uncovered_.push_back(&command);
      return std::nullopt;
    }
    if (!words[0].literal()) {
      return ask_without_rule(
          "The name of a program in this command can't be checked before it runs");
    }
    const auto look = read_only_call(words);
    if (!look.refusal.empty()) return ask_without_rule(look.refusal);
    if (look.read_only && has_safe_variables(command) && !may_hide_commands(scope_, script_)) {
      if (!look.wide || !scope_.hides_files() || allows_command(scope_, command)) {
        return judge_files(look.files, words, false, true);
      }
      uncovered_.push_back(&command);
      return std::nullopt;
    }
    return judge_other(command, words);
  }

  std::optional<Verdict> judge_other(const Command& command, const Words& words) {
    const bool covered = allows_command(scope_, command) && !may_hide_commands(scope_, script_);
    const auto call = file_call(words);
    const bool wrapped = words.size() != command.words.size() || !command.assignments.empty();
    if (call.known && (!wrapped || covered)) {
      if (call.removes) {
        if (auto danger = removes_too_much(call, words)) return danger;
      }
      const bool accepted = call.simple && call.edits && scope_.mode == PermissionMode::acceptEdits;
      if (call.simple || covered) {
        const auto before = blocked_.size();
        auto files = call.simple ? call.files : file_words(words, 1);
        if (words[0].text == "cp" && !add_copies(files, words)) {
          return ask_without_rule("A path in this command can't be checked before it runs");
        }
        auto decided = judge_files(files, words, true, covered || accepted);
        if (decided || blocked_.size() > before || covered || accepted) return decided;
      }
    }
    if (!covered) uncovered_.push_back(&command);
    return std::nullopt;
  }

  bool has_safe_variables(const Command& command) const {
    return std::all_of(
        command.assignments.begin(), command.assignments.end(),
        [](const auto& each) { return is_safe_variable(each.name) && each.value.literal(); });
  }

  // ---- files ----

  /// Every place that a word may name, from every folder the script may be in by then. Nothing if
  /// that cannot be told.
  std::optional<std::vector<Place>> places(const FileWord& file) const {
    std::vector<Place> out;
    if (file.word.tilde && file.text != "~" && !file.text.starts_with("~/")) return std::nullopt;
    for (const auto& folder : folders_) {
      // Not made shorter by text: the system takes `..` from where the links before it lead.
      const auto path = file.word.tilde
                            ? scope_.home / fs::path(file.text.substr(1)).relative_path()
                            : folder / file.text;
      std::vector<fs::path> paths{path};
      if (file.word.pattern) {
        auto fixed = path;
        while (fixed.string().find_first_of("*?[") != std::string::npos)
          fixed = fixed.parent_path();
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
  bool add_copies(std::vector<FileWord>& files, const Words& words) const {
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

  bool is_denied(const FileWord& file, bool write) const {
    const auto found = places(file);
    if (!found) return false;
    return std::any_of(found->begin(), found->end(), [&](const Place& place) {
      return scope_.read_access(place, "Bash").kind == FileAccess::Kind::kDenied ||
             (write && scope_.edit_access(place, "Bash").kind == FileAccess::Kind::kDenied);
    });
  }

  /// `covered`: a rule or the mode allows the command, so that only where it works is in question.
  std::optional<Verdict> judge_files(const std::vector<FileWord>& files, const Words& words,
                                     bool write, bool covered) {
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

  std::optional<Verdict> judge_file(const Place& place, Blocked::By by, bool covered,
                                    const std::string& program) {
    const bool write = by != Blocked::By::kRead;
    const auto access =
        write ? scope_.edit_access(place, "Bash") : scope_.read_access(place, "Bash");
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

  std::optional<Verdict> judge_redirects(const Command& command) {
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
  std::optional<Verdict> removes_too_much(const FileCall& call, const Words& words) const {
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
        auto verdict = ask_for_safety(
            "Dangerous " + words[0].text + " operation on working directory or its ancestor: " +
            (shown.has_filename() ? shown : shown.parent_path()).string());
        verdict.suggestions.emplace();
        return verdict;
      }
    }
    return std::nullopt;
  }

  // ---- folders ----

  static bool changes_folder(const Command& command) {
    const auto words = without_wrappers(command.words);
    return !words.empty() && words[0].text == "cd";
  }

  /// After a `cd` the script may be where it leads or, if it failed, where it was.
  void note_folder_change(const Command& command) {
    if (!changes_folder(command)) return;
    const auto words = without_wrappers(command.words);
    const bool home = words.size() < 2;
    const Word target = home ? Word{.text = "~", .source = "~", .tilde = true} : words.back();
    auto next = folders_;
    for (const auto& folder : folders_) {
      const auto path = target.tilde ? absolute_path(target.text, folder, scope_.home)
                                     : (folder / target.text).lexically_normal();
      if (std::find(next.begin(), next.end(), path) == next.end()) next.push_back(path);
    }
    folders_ = std::move(next);
  }

  /// What a change of folder does to later commands is followed only for those that look.
  std::optional<Verdict> changes_folder_first() {
    const auto cd = std::count_if(script_.commands.begin(), script_.commands.end(), changes_folder);
    if (cd == 0) return std::nullopt;
    for (const auto& command : script_.commands) {
      const auto words = without_wrappers(command.words);
      if (changes_folder(command)) {
        const bool plain =
            words.size() <= 2 && command.redirects.empty() &&
            (words.size() < 2 || (words[1].literal() && !words[1].text.starts_with('-')));
        if (!plain || command.in_loop || cd > 4) {
          return ask_without_rule(
              "A change of folder in this command can't be checked before it runs");
        }
        if (words.size() < 2) {
          judge_files({{Word{.text = "~", .source = "~", .tilde = true}, "~"}}, words, false, true);
        }
        continue;
      }
      const auto readings = all_readings(words);
      if (std::any_of(readings.begin(), readings.end(),
                      [](const Words& each) { return each[0].text == "git"; })) {
        return ask("other",
                   "This command changes directory before running a version-control command, which "
                   "can pick up untrusted hooks or repository configuration from the target "
                   "directory. Approve only if you trust it.");
      }
      const bool redirects =
          std::any_of(command.redirects.begin(), command.redirects.end(), [](const auto& each) {
            return each.kind == Redirect::Kind::kWrite && each.target.text != "/dev/null";
          });
      if (redirects || (file_call(words).known && !read_only_call(words).read_only)) {
        auto verdict = ask("subcommandResults", "");
        verdict.message =
            "This command changes directory before it writes files, which requires approval";
        return verdict;
      }
    }
    return std::nullopt;
  }

  // ---- what a person is told ----

  Verdict ask_about_file(const Blocked& blocked) const {
    const bool read = blocked.by == Blocked::By::kRead;
    const auto& path = blocked.place.named;
    Verdict verdict;
    verdict.suggestions.emplace();
    if (blocked.access.kind == FileAccess::Kind::kProtected) {
      verdict = ask("safetyCheck", protection_text(blocked.place, blocked.access.protection));
      verdict.classifier_approvable = true;
      verdict.suggestions.emplace();
    } else {
      const auto rule = script_.commands.size() == 1 || script_.pipes
                            ? rule_for(script_.commands[0])
                            : std::string(text_);
      verdict.suggestions->push_back(
          suggest_rule("Bash", rule, PermissionDestination::localSettings));
      verdict.message = file_message(blocked);
    }
    if (read) {
      verdict.suggestions->push_back(suggest_rule("Read", "/" + (folder_for(path) / "**").string(),
                                                  PermissionDestination::session));
    } else {
      verdict.suggestions->push_back(suggest_folder(folder_for(path)));
      if (blocked.by == Blocked::By::kCommand && scope_.mode != PermissionMode::acceptEdits) {
        verdict.suggestions->push_back(suggest_accept_edits());
      }
    }
    if (script_.pipes && verdict.reason_type.empty()) {
      verdict.reason_type = "subcommandResults";
    } else {
      verdict.blocked_path = path.string();
    }
    return verdict;
  }

  std::string file_message(const Blocked& blocked) const {
    const auto what = blocked.by == Blocked::By::kRedirect ? "Output redirection to '"
                                                           : blocked.program + " in '";
    const auto named = what + blocked.place.named.string() + "' ";
    if (blocked.access.kind == FileAccess::Kind::kInside) {
      return named +
             "needs approval. The path is inside the working directories for this session (" +
             scope_.folder_list() +
             "), and Claude Code asks before a shell command creates, changes or removes files "
             "there.";
    }
    const char* verb = blocked.program == "cat"               ? "concatenate files from"
                       : blocked.by == Blocked::By::kRead     ? "read files from"
                       : blocked.by == Blocked::By::kRedirect ? "write to files in"
                                                              : "change files in";
    return named + "was blocked. For security, Claude Code may only " + verb +
           " the allowed working directories for this session: " + scope_.folder_list() + ".";
  }

  Verdict ask_about_commands() const {
    AddRules add;
    add.behavior = PermissionBehavior::allow;
    add.destination = PermissionDestination::localSettings;
    std::string parts;
    for (const auto* command : uncovered_) {
      PermissionRule rule{"Bash", rule_for(*command), {}};
      if (std::find(add.rules.begin(), add.rules.end(), rule) == add.rules.end()) {
        add.rules.push_back(std::move(rule));
      }
      parts += (parts.empty() ? "" : ", ") + command->source;
    }
    auto verdict = ask("other", "This command requires approval");
    if (script_.commands.size() > 1) {
      verdict = ask("subcommandResults", "");
      verdict.message =
          "This Bash command contains multiple operations. The following parts require approval: " +
          parts;
    }
    verdict.suggestions.emplace().push_back(std::move(add));
    return verdict;
  }

  const Scope& scope_;
  const Script& script_;
  std::string_view text_;
  std::vector<fs::path> folders_;  ///< Where the script may be by now; the first is where it began.
  std::vector<Blocked> blocked_;
  std::vector<const Command*> uncovered_;
};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

Verdict deny(std::string_view text, const Script& script) {
  Verdict verdict;
  verdict.kind = Verdict::Kind::kDeny;
  verdict.message =
      "Permission to use Bash with command " + std::string(text) + " has been denied.";
  const bool whole = script.obstacle != Obstacle::kNone ||
                     (script.commands.size() == 1 && script.commands[0].words.size() == 1);
  verdict.reason_type = whole ? "rule" : "subcommandResults";
  return verdict;
}

}  // namespace

Verdict judge_command(const Scope& scope, std::string_view whole_text, const fs::path& cwd) {
  const auto text = trimmed(whole_text);
  const auto script = shell::analyse(text, scope.home.string());
  Judge judge(scope, script, text, cwd);
  if (rule_against(scope, PermissionBehavior::deny, script, text) || judge.touches_denied_file()) {
    return deny(text, script);
  }
  if (const auto* rule = rule_against(scope, PermissionBehavior::ask, script, text)) {
    return ask_by_rule("Bash", *rule);
  }
  if (scope.mode == PermissionMode::bypassPermissions || allows_text(scope, text)) {
    // Who forbade some commands is asked about what may be one of them.
    if (!may_hide_commands(scope, script)) return allow();
    return ask_without_rule("This command can't be checked against the rules before it runs");
  }
  if (script.obstacle != Obstacle::kNone) return ask_about(script);
  return judge.verdict();
}

}  // namespace parley::agent
