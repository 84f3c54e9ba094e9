// What a failed request to the model is called on the wire, and what a person is told.
#pragma once

#include <string>

#include "../../wire/messages/stamped.hpp"
#include "../api/api_access.hpp"
#include "../api/api_outcome.hpp"

namespace parley::agent {

struct ApiErrorText {
  std::string text;
  Enum<AssistantError> error = AssistantError::unknown;
  Enum<TerminalReason> reason = TerminalReason::api_error;
};
[[nodiscard]] ApiErrorText describe(const ApiOutcome& outcome, const ApiAccess& access);

/// The word for `api_retry`.
[[nodiscard]] Enum<AssistantError> retry_word(const ApiOutcome& outcome);

}  // namespace parley::agent
