// Any text: the analyser ends within its bounds, and what it says about one text fits together. A
// command in front of a text that is read is found too, and so is one behind it; a text inside
// quotes never becomes a command.
#include <cstdint>
#include <string>
#include <string_view>

#include "agent/permissions/commands/command_rules.hpp"
#include "agent/permissions/shell/shell.hpp"
#include "tests/fuzz/require.hpp"

namespace {

using namespace parley::agent;

bool runs(const shell::Script& script, std::string_view name) {
  for (const auto& command : script.commands) {
    if (!command.words.empty() && command.words[0].text == name) return true;
  }
  return false;
}

Scope scope_that_denies() {
  Scope scope;
  scope.rules.push_back({parse_rule("Bash(forbidden:*)"), parley::PermissionBehavior::deny,
                         parley::PermissionDestination::userSettings});
  return scope;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto script = shell::analyse(text, "/home/me");
  const bool is_read = script.obstacle != shell::Obstacle::not_read;
  require(is_read == script.not_read.empty());
  require(script.commands.size() <= 500);
  for (const auto& command : script.commands) {
    require(!command.words.empty() || !command.assignments.empty() || !command.redirects.empty());
    const auto inner = without_wrappers(command.words);
    require(command.words.empty() == inner.empty());
    for (const auto& reading : all_readings(command.words)) require(!reading.empty());
    (void)command_text(command.words);
    (void)rule_for(command);
  }

  static const Scope scope = scope_that_denies();
  const auto denied = [&](const std::string& line) {
    return rule_against(scope, parley::PermissionBehavior::deny, shell::analyse(line), line) !=
           nullptr;
  };
  const auto behind = "forbidden x\n" + text;
  if (runs(shell::analyse(behind), "forbidden")) require(denied(behind));
  if (is_read && size < 60000 && script.commands.size() < 499) {
    require(denied(text + "\nforbidden x"));
  }

  if (text.find('\'') == text.npos && is_read && size < 60000) {
    const auto quoted = shell::analyse("echo '" + text + "'");
    require(quoted.commands.size() == 1 && quoted.obstacle == shell::Obstacle::none);
    require(quoted.commands[0].words.size() == 2 && quoted.commands[0].words[1].text == text);
  }
  return 0;
}
