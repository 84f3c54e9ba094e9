// The verdict on a shell command.
#pragma once

#include <filesystem>
#include <string_view>

#include "../scope.hpp"

namespace parley::agent {

/// `allow`, `ask` or `deny`; the mode dontAsk is left to the caller. `cwd`: where it would run.
[[nodiscard]] Verdict judge_command(const Scope& scope, std::string_view text,
                                    const std::filesystem::path& cwd);

}  // namespace parley::agent
