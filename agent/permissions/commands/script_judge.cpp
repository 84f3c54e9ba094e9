#include "agent/permissions/commands/script_judge.hpp"

#include <algorithm>

#include "agent/permissions/commands/command_rules.hpp"
#include "agent/permissions/commands/command_verdicts.hpp"
#include "agent/permissions/commands/git_commands.hpp"

namespace parley::agent {

using shell::Command;
using shell::Redirect;
using shell::Word;

namespace {

/// Where `cd` goes without a word.
Word home_word() { return Word{.text = "~", .source = "~", .glob = "~", .tilde = true}; }

}  // namespace

bool ScriptJudge::touches_denied_file() {
  for (const auto& command : script_.commands) {
    for (const auto& redirect : command.redirects) {
      const bool write = redirect.kind == Redirect::Kind::write;
      if (write || redirect.kind == Redirect::Kind::read) {
        if (is_denied(FileWord(redirect.target), write)) return true;
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

Verdict ScriptJudge::verdict() {
  if (const auto combined = changes_folder_first()) return *combined;
  for (const auto& command : script_.commands) {
    if (auto decided = judge(command)) return *decided;
    note_folder_change(command);
    wrote_ = wrote_ || writes(command) ||
             (scope_.mode == PermissionMode::acceptEdits && takes_time(command));
  }
  if (!blocked_.empty()) return ask_about_file(blocked_.front());
  if (!uncovered_.empty()) return ask_about_commands();
  return allow();
}

/// A verdict on the whole script, or nothing: the command is covered, or noted for later.
std::optional<Verdict> ScriptJudge::judge(const Command& command) {
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
    const bool harmless =
        has_safe_variables(command) ||
        (script_.commands.size() == 1 &&
         std::all_of(command.assignments.begin(), command.assignments.end(),
                     [](const auto& each) { return shell::is_own_variable(each.name); }));
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
    // Who allows git means what is in its repository, too.
    const bool meant = look.uses_repository && allows_command(scope_, command);
    if (!look.wide || !scope_.hides_files() || meant) {
      return judge_look(look, words);
    }
    uncovered_.push_back(&command);
    return std::nullopt;
  }
  return judge_other(command, words);
}

std::optional<Verdict> ScriptJudge::judge_look(const ReadOnlyCall& look, const Words& words) {
  if (look.uses_repository) {
    if (auto decided = judge_repository(words)) return decided;
  }
  if (auto decided = judge_patterns(look.open_patterns)) return decided;
  if (look.files_only) {
    for (const auto& file : look.files) {
      std::error_code error;
      const auto found = places(file);
      const bool folder =
          !found || std::any_of(found->begin(), found->end(), [&](const auto& each) {
            return std::filesystem::is_directory(each.real, error);
          });
      if (folder) {
        return ask_without_rule(
            "What is in a folder can't be compared without following its links");
      }
    }
  }
  return judge_files(look.files, words, false, true);
}

/// Whether the command makes, changes or removes files.
bool ScriptJudge::writes(const Command& command) {
  const auto words = without_wrappers(command.words);
  return (file_call(words).known && !read_only_call(words).read_only) ||
         std::any_of(command.redirects.begin(), command.redirects.end(), [](const auto& each) {
           return each.kind == Redirect::Kind::write && each.target.text != "/dev/null";
         });
}

/// Whether other tools may well have changed files until the next command begins: then it can run
/// long in the background.
bool ScriptJudge::takes_time(const Command& command) {
  static constexpr std::string_view kQuick =
      " cd echo printf pwd ls git true false : head wc date whoami id uname which type test [ [[ ";
  const auto words = without_wrappers(command.words);
  return !words.empty() && kQuick.find(" " + words[0].text + " ") == std::string_view::npos;
}

bool ScriptJudge::writes(const shell::Script& script) {
  return std::any_of(script.commands.begin(), script.commands.end(),
                     [](const Command& command) { return writes(command); });
}

std::optional<Verdict> ScriptJudge::judge_other(const Command& command, const Words& words) {
  const bool covered = allows_command(scope_, command) && !may_hide_commands(scope_, script_);
  const auto call = file_call(words);
  if (covered) {
    for (const auto& reading : all_readings(words)) {
      if (reading[0].text != "git") continue;
      if (auto decided = judge_repository(reading)) return decided;
      if (!git_looks(reading)) continue;
      // Its options may name files elsewhere (blame --contents, ls-files -X).
      if (auto decided = judge_files(file_words(reading, 1), reading, false, true)) return decided;
    }
  }
  if (covered && is_read_only_program(words[0].text) && !call.known) {
    // More than a look, but a rule allows it: as with an edit, where it works is in question.
    static constexpr std::string_view kReadsTrees = " grep egrep fgrep rg diff ";
    const bool trees = kReadsTrees.find(" " + words[0].text + " ") != std::string_view::npos;
    if (trees && scope_.hides_files()) {
      uncovered_.push_back(&command);
      return std::nullopt;
    }
    if (words[0].text == "diff" && names_links(file_words(words, 1))) {
      return ask_without_rule("What is in a folder can't be compared without following its links");
    }
    for (const auto& word : words) {
      if (word.pattern && word.text.starts_with('-')) return ask_about_option();
      if (!word.pattern || word.fixed > 0) continue;
      if (auto decided = judge_patterns({word.glob})) return decided;
    }
    return judge_files(file_words(words, 1), words, true, true);
  }
  if (covered && words[0].text == "sed" && !call.simple) {
    return ask_without_rule(
        "A script of sed can run commands: a rule for sed does not cover this one");
  }
  if (covered && call.places_files && !call.simple) {
    return ask_without_rule("Where '" + words[0].text +
                            "' writes depends on an option that is not read: a rule does not cover "
                            "this one");
  }
  const bool wrapped = words.size() != command.words.size() || !command.assignments.empty();
  if (call.known && (!wrapped || covered)) {
    if (call.removes) {
      if (auto danger = removes_too_much(call, words)) return danger;
    }
    const bool accepted = call.simple && call.edits && scope_.mode == PermissionMode::acceptEdits;
    if (call.simple || covered) {
      const auto before = blocked_.size();
      auto files = call.simple ? call.files : file_words(words, 1);
      if (auto open = judge_patterns(call.open_patterns)) return open;
      if (call.places_files && !add_copies(call, files)) {
        return ask_without_rule("A path in this command can't be checked before it runs");
      }
      auto decided = judge_files(files, words, true, covered || accepted);
      if (decided || blocked_.size() > before || covered || accepted) return decided;
    }
  }
  if (!covered) uncovered_.push_back(&command);
  return std::nullopt;
}

bool ScriptJudge::has_safe_variables(const Command& command) {
  return std::all_of(command.assignments.begin(), command.assignments.end(),
                     [](const auto& each) { return is_safe_assignment(each); });
}

bool ScriptJudge::changes_folder(const Command& command) {
  const auto words = without_wrappers(command.words);
  return !words.empty() && words[0].text == "cd";
}

/// After a `cd` the script may be where it leads or, if it failed, where it was.
void ScriptJudge::note_folder_change(const Command& command) {
  if (!changes_folder(command)) return;
  const auto words = without_wrappers(command.words);
  const bool home = words.size() < 2;
  const Word target = home ? home_word() : words.back();
  auto next = folders_;
  for (const auto& folder : folders_) {
    const auto path = target.tilde ? absolute_path(target.text, folder, scope_.home)
                                   : (folder / target.text).lexically_normal();
    if (std::find(next.begin(), next.end(), path) == next.end()) next.push_back(path);
  }
  folders_ = std::move(next);
}

/// Whether bash, which takes `..` by the text first, and the system lead `cd` to different folders.
bool ScriptJudge::depends_on_links(const Words& words) const {
  if (words.size() < 2 || words[1].tilde) return false;
  return std::any_of(folders_.begin(), folders_.end(), [&](const std::filesystem::path& folder) {
    return leads_elsewhere(folder / words[1].text);
  });
}

/// What a change of folder does to later commands is followed only for those that look.
std::optional<Verdict> ScriptJudge::changes_folder_first() {
  const auto cd = std::count_if(script_.commands.begin(), script_.commands.end(), changes_folder);
  if (cd == 0) return std::nullopt;
  for (const auto& command : script_.commands) {
    const auto words = without_wrappers(command.words);
    if (changes_folder(command)) {
      const bool plain =
          words.size() <= 2 && !writes(command) &&
          (words.size() < 2 || (words[1].literal() && !words[1].text.starts_with('-')));
      if (!plain || command.in_loop || cd > 4 || depends_on_links(words)) {
        return ask_without_rule(
            "A change of folder in this command can't be checked before it runs");
      }
      if (words.size() < 2) {
        judge_files({FileWord(home_word())}, words, false, true);
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
    if (writes_) {
      auto verdict = ask("subcommandResults", "");
      verdict.message =
          "This command changes directory before it writes files, which requires approval";
      return verdict;
    }
  }
  return std::nullopt;
}

}  // namespace parley::agent
