#include "agent/permissions/commands/command_rules.hpp"

#include <algorithm>
#include <functional>

#include "agent/permissions/commands/git_commands.hpp"

namespace parley::agent {
namespace {

using shell::Command;
using shell::Obstacle;
using shell::Script;

constexpr int kMaxInner = 4;

/// The words as a program gets them, without the quotes that `command_text` keeps.
std::string bare_text(const Words& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : " ") + word.text;
  return out;
}

bool meets(std::string_view content, const Words& words) {
  const auto readings = all_readings(words);
  return std::any_of(readings.begin(), readings.end(), [&](const Words& reading) {
    return matches_command(content, command_text(reading)) ||
           matches_command(content, bare_text(reading));
  });
}

/// Variables whose value programs run.
bool names_command(std::string_view variable) {
  const auto ends = [&](std::string_view end) { return variable.ends_with(end); };
  return ends("EDITOR") || ends("PAGER") || ends("_COMMAND") || ends("_DIFF") || ends("_ASKPASS") ||
         ends("_SSH");
}

/// Those that a shell reads its commands from, or evaluates.
bool is_evaluated(std::string_view variable) {
  return variable == "BASH_ENV" || variable == "ENV" || variable == "PS4" ||
         variable == "PROMPT_COMMAND";
}

bool meets(std::string_view content, const Script& script, int depth) {
  const auto inside = [&](std::string_view text) {
    return depth < kMaxInner && meets(content, shell::analyse(text), depth + 1);
  };
  bool runs_texts = false;
  for (const auto& command : script.commands) {
    if (command.source == content || meets(content, command.words)) return true;
    for (const auto& reading : all_readings(command.words)) {
      runs_texts |= is_shell(reading) || runs_input(reading);
      const auto scripts = inner_scripts(reading);
      if (std::any_of(scripts.begin(), scripts.end(), inside)) return true;
    }
  }
  for (const auto& command : script.commands) {
    for (const auto& each : command.assignments) {
      if (names_command(each.name) && inside(each.value.text)) return true;
    }
  }
  // `bash <<END` and `echo '...' | sh` run what is written for them to read.
  if (!runs_texts) return false;
  if (std::any_of(script.texts.begin(), script.texts.end(), inside)) return true;
  for (const auto& command : script.commands) {
    for (const auto& word : command.words) {
      if (word.quoted && word.text.find(' ') != std::string::npos && inside(word.text)) return true;
    }
  }
  return false;
}

/// Whether the words make a shell or git run what stands in them.
bool evaluates(const Words& words) {
  static constexpr std::string_view kAlways =
      " alias hash compgen complete bind mapfile readarray coproc builtin ";
  const auto name = evaluator(words);
  const auto has = [&](std::string_view text) {
    return std::any_of(words.begin() + 1, words.end(),
                       [&](const auto& word) { return word.text.find(text) != std::string::npos; });
  };
  if (words[0].text == "git") return has("alias.") || !git_runs(words).empty();
  if (name.empty()) return false;
  if (kAlways.find(" " + std::string(name) + " ") != std::string_view::npos) return true;
  return name != "eval" && name != "exec" && name != "trap" && (has("[") || has("$(") || has("`"));
}

/// Whether a word that decides what is run is known only when it runs. `concerns` tells whether a
/// rule speaks of a program.
bool hides_commands(const std::function<bool(std::string_view)>& concerns, const Script& script,
                    int depth) {
  if (script.obstacle == Obstacle::not_read || depth > kMaxInner) return true;
  for (const auto& command : script.commands) {
    if (has_too_many_readings(command.words)) return true;
    if (std::any_of(command.assignments.begin(), command.assignments.end(),
                    [](const auto& each) { return is_evaluated(each.name); })) {
      return true;
    }
    for (const auto& reading : all_readings(command.words)) {
      if (!reading[0].literal()) return true;
      const auto is_literal = [](const auto& word) { return word.literal(); };
      const bool open = !std::all_of(reading.begin() + 1, reading.end(), is_literal);
      if (evaluates(reading)) return true;
      if (runs_what_xargs_reads(reading)) return true;
      const bool asks_input = is_shell(reading) || evaluator(reading) == reading[0].text;
      if (asks_input && runs_input(reading) && script.texts.empty()) return true;
      auto scripts = inner_scripts(reading);
      if (is_shell(reading))
        scripts.insert(scripts.end(), script.texts.begin(), script.texts.end());
      if (open && (!scripts.empty() || concerns(reading[0].text))) return true;
      if (std::any_of(scripts.begin(), scripts.end(), [&](const std::string& text) {
            return hides_commands(concerns, shell::analyse(text), depth + 1);
          })) {
        return true;
      }
    }
  }
  return false;
}

bool is_bash(const Rule& rule, PermissionBehavior behavior) {
  return rule.behavior == behavior && rule.rule.toolName == "Bash";
}

}  // namespace

const Rule* rule_against(const Scope& scope, PermissionBehavior behavior, const Script& script,
                         std::string_view text) {
  for (const auto& rule : scope.rules) {
    if (!is_bash(rule, behavior)) continue;
    if (rule.whole_tool() || rule.content() == text || meets(rule.content(), script, 0))
      return &rule;
  }
  return nullptr;
}

bool may_hide_commands(const Scope& scope, const Script& script) {
  const auto concerns = [&](std::string_view name) {
    return std::any_of(scope.rules.begin(), scope.rules.end(), [&](const Rule& rule) {
      return rule.rule.toolName == "Bash" && rule.behavior != PermissionBehavior::allow &&
             (name.empty() || rule.content().starts_with(name) || rule.content().starts_with('*'));
    });
  };
  return concerns("") && hides_commands(concerns, script, 0);
}

bool allows_text(const Scope& scope, std::string_view text) {
  return std::any_of(scope.rules.begin(), scope.rules.end(), [&](const Rule& rule) {
    return is_bash(rule, PermissionBehavior::allow) &&
           (rule.whole_tool() || (is_exact(rule.content()) && rule.content() == text));
  });
}

bool allows_command(const Scope& scope, const Command& command) {
  if (command.words.empty()) return false;
  const bool safe = std::all_of(command.assignments.begin(), command.assignments.end(),
                                [](const auto& each) { return is_safe_assignment(each); });
  const auto inner = command_text(without_wrappers(command.words));
  const auto outer = command_text(command.words);
  return std::any_of(scope.rules.begin(), scope.rules.end(), [&](const Rule& rule) {
    if (!is_bash(rule, PermissionBehavior::allow) || rule.whole_tool()) return false;
    if (is_exact(rule.content()) && rule.content() == command.source) return true;
    return safe &&
           (matches_command(rule.content(), inner) || matches_command(rule.content(), outer));
  });
}

std::string rule_for(const Command& command) {
  static constexpr std::string_view kNoPrefix =
      " bash sh zsh dash ksh fish env sudo doas su nohup xargs timeout nice time stdbuf command "
      "exec "
      "eval source setsid ssh-agent kill cd ";
  const auto& words = command.words;
  const auto is_word = [](std::string_view text) {
    return !text.empty() && text[0] >= 'a' && text[0] <= 'z' && !text.ends_with('-') &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") ==
               std::string_view::npos;
  };
  const bool prefix = command.assignments.empty() && words.size() >= 2 && words[0].literal() &&
                      words[1].literal() && is_word(words[1].text) &&
                      kNoPrefix.find(" " + words[0].text + " ") == std::string_view::npos;
  return prefix ? words[0].source + " " + words[1].text + " *" : command.source;
}

}  // namespace parley::agent
