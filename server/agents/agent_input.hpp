// What clients send, as an agent takes it: prompts, answers to permission requests, and modes.
#pragma once

#include <string>

#include "client/prompt.hpp"
#include "wire/control/requests.hpp"
#include "wire/json/json.hpp"

namespace parley::server {

/// `content` is a text or a list of content blocks; `client_id` a UUID. The error says what is
/// wrong.
[[nodiscard]] Result<Prompt> make_prompt(const std::string& client_id, const Json& content);

/// {"behavior":"allow","updatedInput"?,"updatedPermissions"?} or
/// {"behavior":"deny","message","interrupt"?}, as the response that the agent gets.
[[nodiscard]] Result<RawJson> make_answer(const control::CanUseTool& ask, const Json& answer);

/// The permission mode of this name. `invalid` if there is none; `permission` for the one that asks
/// for nothing, unless agents are started so that it is there.
[[nodiscard]] Result<PermissionMode> check_mode(std::string_view name, bool bypass);

/// What whoever wants something of an agent is told if there is none.
[[nodiscard]] Error agent_not_running();

}  // namespace parley::server
