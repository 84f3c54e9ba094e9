// A guess at what the user will say next, for clients that offer it.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "../session/session.hpp"

namespace parley::agent {

/// Asks the small model, and shows the client what it says if that looks like a prompt. Errors cost
/// only the suggestion. Returns when that is done or `stop` is requested.
void suggest_prompt(Session& session, const std::string& prompt, const std::string& answer,
                    const std::stop_token& stop);

/// What a model's words are as a suggestion, if they are one: a single short line, no question back
/// and no remark about itself.
[[nodiscard]] std::optional<std::string> as_suggestion(std::string_view words);

}  // namespace parley::agent
