// The parley-agent that lies beside this program, and what it needs to work.
#pragma once

#include <filesystem>
#include <vector>

#include "client/process/discovery.hpp"

namespace parley::app {

/// Empty if there is none.
[[nodiscard]] std::filesystem::path own_agent();
/// The same, for the search: what runs if no other CLI is found.
[[nodiscard]] std::vector<std::filesystem::path> own_agents();
/// Whether that is what the command starts.
[[nodiscard]] bool is_parley_agent(const CliCommand& cli);

/// The variables with a key or token that parley-agent can use. The logins and tokens of other CLIs
/// are nothing to it, nor is the address of an endpoint alone.
inline constexpr const char* kOwnAgentKeys[] = {"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"};
/// Whether one of them is set.
[[nodiscard]] bool own_agent_has_key();

/// What to do without a key, in one line.
inline constexpr const char* kHowToBegin =
    "Set ANTHROPIC_API_KEY, or try it without a key: parley serve --demo";

}  // namespace parley::app
