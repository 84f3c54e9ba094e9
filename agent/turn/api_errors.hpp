// What a failed request to the model is called on the wire, and what a person is told.
#pragma once

#include <string>

#include "../../wire/messages/messages.hpp"
#include "../api/api_client.hpp"

namespace parley::agent {

struct ApiErrorText {
  std::string text;
  Enum<AssistantError> error = AssistantError::unknown;
  Enum<TerminalReason> reason = TerminalReason::api_error;
};
[[nodiscard]] ApiErrorText describe(const ApiOutcome& outcome, const ApiAccess& access);

/// The word for `api_retry`.
[[nodiscard]] Enum<AssistantError> retry_word(const ApiOutcome& outcome);

/// An `assistant` message that no model wrote.
[[nodiscard]] AssistantMessage synthetic_answer(std::string text);

}  // namespace parley::agent
