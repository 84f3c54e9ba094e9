// The verdicts that do not depend on rules or files; all but allow() are on commands.
#pragma once

#include <string>

#include "../scope.hpp"
#include "../shell/shell.hpp"

namespace parley::agent {

[[nodiscard]] Verdict allow();
[[nodiscard]] Verdict ask(std::string type, std::string reason);
/// Nothing that a rule could cover.
[[nodiscard]] Verdict ask_without_rule(std::string reason);
/// Nothing that anybody but a person should decide.
[[nodiscard]] Verdict ask_for_safety(std::string reason);
/// Why a script cannot be judged by its commands.
[[nodiscard]] Verdict ask_about(const shell::Script& script);

}  // namespace parley::agent
