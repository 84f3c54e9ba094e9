// Pieces of messages that several parts of the agent make or look at.
#pragma once

#include <string>
#include <string_view>

#include "../../wire/messages/messages.hpp"

namespace parley::agent {

/// Writes an explicit null for a member that is missing otherwise.
void write_null(Extra& extra, std::string_view member);

/// A prompt that is nothing but words.
[[nodiscard]] UserMessage prompt_of(std::string text);

/// Words in the user's place, as the model is told them.
[[nodiscard]] MessageParam user_text(const std::string& text);

/// The text blocks of a content, one below the other.
[[nodiscard]] std::string text_of(const Content& content);

/// An `assistant` message that no model wrote.
[[nodiscard]] AssistantMessage synthetic_answer(std::string text);

}  // namespace parley::agent
