// Which Bash rules speak of a script: rules that forbid or ask are met by any command in it,
// however it is wrapped or spelled; rules that allow cover one command each.
#pragma once

#include "../scope.hpp"
#include "invocation.hpp"

namespace parley::agent {

/// A deny or ask rule that some command of the script meets, scripts inside the script included.
[[nodiscard]] const Rule* rule_against(const Scope& scope, PermissionBehavior behavior,
                                       const shell::Script& script, std::string_view text);
/// Whether the script may hide a command from `rule_against`: it is not read, or a word that
/// decides is known only when it runs.
[[nodiscard]] bool may_hide_commands(const Scope& scope, const shell::Script& script);

/// Whether an allow rule covers exactly this text, or everything.
[[nodiscard]] bool allows_text(const Scope& scope, std::string_view text);
/// Whether an allow rule covers the command, its redirects and files aside.
[[nodiscard]] bool allows_command(const Scope& scope, const shell::Command& command);

/// What a rule that allows the command would say: "git push *", or the command as it is.
[[nodiscard]] std::string rule_for(const shell::Command& command);

}  // namespace parley::agent
