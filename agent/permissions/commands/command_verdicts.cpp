#include "agent/permissions/commands/command_verdicts.hpp"

#include <utility>

namespace parley::agent {

using shell::Obstacle;
using shell::Script;

Verdict allow() {
  Verdict verdict;
  verdict.kind = Verdict::Kind::allow;
  return verdict;
}

Verdict ask(std::string type, std::string reason) {
  Verdict verdict;
  verdict.reason_type = std::move(type);
  verdict.message = reason;
  verdict.reason = std::move(reason);
  return verdict;
}

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
    case Obstacle::variable: return unchecked("A variable");
    case Obstacle::assigned_variable:
      return ask_without_rule("A variable set in this command can't be checked before it runs");
    case Obstacle::substitution: return unchecked("A nested command");
    case Obstacle::process: return unchecked("A command used as a file");
    case Obstacle::group: return unchecked("A group in braces or double parentheses");
    case Obstacle::case_: return unchecked("A case statement");
    case Obstacle::function: return unchecked("A function definition");
    case Obstacle::escapes: return unchecked("Text with escape codes");
    case Obstacle::here_document:
      return ask_without_rule("Heredoc with unquoted delimiter undergoes shell expansion");
    case Obstacle::braces: return ask_without_rule("Brace expansion");
    case Obstacle::subshell:
      return ask("other", "This command uses shell operators that require approval for safety");
    case Obstacle::background:
      return ask_for_safety(
          "This command uses the `&` background operator, which defers execution past "
          "approval-time safety checks. Approve only if you trust it.");
    case Obstacle::loop_substitution: {
      auto verdict = ask("subcommandResults", "");
      verdict.message = "A nested command in this command can't be checked before it runs";
      return verdict;
    }
    case Obstacle::not_read:
    case Obstacle::none: break;
  }
  return ask_without_rule("This command can't be checked before it runs: " + script.not_read);
}

}  // namespace parley::agent
