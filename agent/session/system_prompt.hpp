// What the model is told before the conversation: our own instructions, the place it works in, and
// the notes that users keep for agents.
#pragma once

#include <string>
#include <vector>

#include "../permissions/permissions.hpp"
#include "config/session_config.hpp"
#include "session_state.hpp"

namespace parley::agent {

/// One text per block. Empty if the client wants none.
[[nodiscard]] std::vector<std::string> system_prompt(const SessionConfig& config,
                                                     const SessionOverrides& overrides,
                                                     const Permissions& permissions);

/// The system prompt of a subagent: what its kind says, where it works, and the user's notes if
/// `with_notes`.
[[nodiscard]] std::vector<std::string> agent_system_prompt(const SessionConfig& config,
                                                           const SessionOverrides& overrides,
                                                           const Permissions& permissions,
                                                           const std::string& prompt,
                                                           bool with_notes);

}  // namespace parley::agent
