#include "agent/turn/api_errors.hpp"

#include "support/text/text.hpp"

namespace parley::agent {
namespace {

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// "127.0.0.1:8899" of "http://127.0.0.1:8899/v1".
std::string host_of(const std::string& url) {
  const std::size_t scheme = url.find("://");
  const std::size_t from = scheme == std::string::npos ? 0 : scheme + 3;
  return url.substr(from, url.find('/', from) - from);
}

ApiErrorText describe_status(const ApiOutcome& outcome, const ApiAccess& access) {
  const std::string& message = outcome.message;
  const std::string status = std::to_string(outcome.status);
  switch (outcome.status) {
    case 400:
      if (has(message, "credit balance is too low") || has(message, "Credit balance is too low")) {
        return {"Credit balance is too low", AssistantError::billing_error};
      }
      if (has(lower(message), "prompt is too long")) {
        return {"Prompt is too long", AssistantError::invalid_request,
                TerminalReason::prompt_too_long};
      }
      break;
    case 401:
    case 403:
      return {access.auth_token.empty() ? "Invalid API key · Fix external API key"
                                        : "API Error: " + status + " " + message,
              AssistantError::authentication_failed};
    case 404:
      return {"The model cannot be used: " + message + ". Choose another with --model.",
              AssistantError::model_not_found};
    case 413:
      return {
          "Request too large: images and attachments are the usual cause. Start again with less.",
          AssistantError::invalid_request, TerminalReason::image_error};
    case 429: return {"API Error: Request rejected (429) · " + message, AssistantError::rate_limit};
    default: break;
  }
  if (outcome.status >= 500) {
    const std::string what = outcome.status == 529 ? "Overloaded" : message;
    return {"API Error: " + status + " " + what + ". The server (" + host_of(access.base_url) +
                ") has a problem of its own; try again later.",
            AssistantError::server_error};
  }
  return {"API Error: " + status + " " + message, AssistantError::unknown};
}

}  // namespace

ApiErrorText describe(const ApiOutcome& outcome, const ApiAccess& access) {
  if (outcome.kind == ApiOutcome::Kind::http) return describe_status(outcome, access);
  if (outcome.kind == ApiOutcome::Kind::connect) {
    return {"API Error: Unable to connect to API (" + outcome.message + ")",
            AssistantError::unknown};
  }
  return {"API Error: " + outcome.message, AssistantError::unknown};
}

Enum<AssistantError> retry_word(const ApiOutcome& outcome) {
  if (outcome.status == 429) return AssistantError::rate_limit;
  if (outcome.status == 529) return AssistantError::overloaded;
  if (outcome.status >= 500) return AssistantError::server_error;
  return AssistantError::unknown;
}

}  // namespace parley::agent
