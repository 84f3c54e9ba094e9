#include "agent/permissions/commands/command_judge.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "agent/permissions/commands/command_rules.hpp"
#include "agent/permissions/commands/command_verdicts.hpp"
#include "agent/permissions/commands/script_judge.hpp"
#include "support/text/text.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;
using shell::Obstacle;
using shell::Script;

/// Without the blanks around it. One behind a backslash at the end belongs to the last word.
std::string_view without_outer_blanks(std::string_view text) {
  const std::string_view inner = trimmed(text, " \t\n");
  const bool escaped = inner.ends_with('\\') && inner.end() != text.end();
  return escaped ? std::string_view(inner.data(), inner.size() + 1) : inner;
}

/// Whether bash takes the text for the characters that we do.
bool is_plain_here(std::string_view text) {
  if (std::all_of(text.begin(), text.end(),
                  [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
    return true;
  for (const auto* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return is_plain_locale(value);
  }
  return true;
}

Verdict deny(std::string_view text, const Script& script) {
  Verdict verdict;
  verdict.kind = Verdict::Kind::deny;
  verdict.message =
      "Permission to use Bash with command " + std::string(text) + " has been denied.";
  const bool whole = script.obstacle != Obstacle::none ||
                     (script.commands.size() == 1 && script.commands[0].words.size() == 1);
  verdict.reason_type = whole ? "rule" : "subcommandResults";
  return verdict;
}

}  // namespace

Verdict judge_command(const Scope& scope, std::string_view whole_text, const fs::path& cwd) {
  const auto text = without_outer_blanks(whole_text);
  const auto script = shell::analyse(text, scope.home.string());
  ScriptJudge judge(scope, script, text, cwd);
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
  if (script.obstacle != Obstacle::none) return ask_about(script);
  if (!is_plain_here(text)) {
    return ask_without_rule("In the locale of this machine the command may read otherwise");
  }
  return judge.verdict();
}

}  // namespace parley::agent
