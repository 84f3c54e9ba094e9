// A guess at what the user will say next, for clients that offer it.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "../connection/message_sink.hpp"

namespace parley::agent {

/// Puts a question to a model for side jobs.
using AskModel =
    std::function<Result<std::string>(const std::string& question, const std::stop_token& stop)>;

/// Asks what comes next, and shows the client what the model says if that looks like a prompt.
/// Errors cost only the suggestion. Returns when that is done or `stop` is requested.
void suggest_prompt(const AskModel& ask, MessageSink& messages, const std::string& prompt,
                    const std::string& answer, const std::stop_token& stop);

/// What a model's words are as a suggestion, if they are one: a single short line, no question back
/// and no remark about itself.
[[nodiscard]] std::optional<std::string> as_suggestion(std::string_view words);

}  // namespace parley::agent
