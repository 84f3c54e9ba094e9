// What clients send, as the client library takes it: prompts and answers to permission requests.
#pragma once

#include <string>

#include "client/handlers/permissions.hpp"
#include "client/prompt.hpp"
#include "wire/json/json.hpp"

namespace parley::server {

/// `content` is a text or a list of content blocks; `client_id` a UUID. The error says what is
/// wrong.
[[nodiscard]] Result<Prompt> make_prompt(const std::string& client_id, const Json& content);

/// {"behavior":"allow","updatedInput"?,"updatedPermissions"?} or
/// {"behavior":"deny","message","interrupt"?}.
[[nodiscard]] Result<PermissionAnswer> make_answer(const PermissionAsk& ask, const Json& answer);

}  // namespace parley::server
