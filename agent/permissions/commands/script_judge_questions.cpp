// What a person is asked about a script, with the rules that would answer it for good.
#include <algorithm>

#include "agent/permissions/commands/command_rules.hpp"
#include "agent/permissions/commands/command_verdicts.hpp"
#include "agent/permissions/commands/script_judge.hpp"

namespace parley::agent {

Verdict ScriptJudge::ask_about_file(const Blocked& blocked) const {
  const bool read = blocked.by == Blocked::By::read;
  const auto& path = blocked.place.named;
  Verdict verdict;
  verdict.suggestions.emplace();
  if (blocked.access.kind == FileAccess::Kind::protected_) {
    verdict = ask("safetyCheck", protection_text(blocked.place, blocked.access.protection));
    verdict.classifier_approvable = true;
    verdict.suggestions.emplace();
  } else {
    const auto rule = script_.commands.size() == 1 || script_.pipes ? rule_for(script_.commands[0])
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
    if (blocked.by == Blocked::By::command && scope_.mode != PermissionMode::acceptEdits) {
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

std::string ScriptJudge::file_message(const Blocked& blocked) const {
  const auto what =
      blocked.by == Blocked::By::redirect ? "Output redirection to '" : blocked.program + " in '";
  const auto named = what + blocked.place.named.string() + "' ";
  if (blocked.access.kind == FileAccess::Kind::inside) {
    return named + "needs approval. The path is inside the working directories for this session (" +
           scope_.folder_list() +
           "), and Claude Code asks before a shell command creates, changes or removes files "
           "there.";
  }
  const char* verb = blocked.program == "cat"              ? "concatenate files from"
                     : blocked.by == Blocked::By::read     ? "read files from"
                     : blocked.by == Blocked::By::redirect ? "write to files in"
                                                           : "change files in";
  return named + "was blocked. For security, Claude Code may only " + verb +
         " the allowed working directories for this session: " + scope_.folder_list() + ".";
}

Verdict ScriptJudge::ask_about_commands() const {
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

}  // namespace parley::agent
