// What messages of all kinds share: their stamp, and the words for what went wrong.
#pragma once

#include "../codec/values.hpp"

namespace parley {

/// What nearly every message carries. Some dialects leave one or the other out.
struct Stamped {
  std::string uuid;
  std::string session_id;
  Extra extra;
  bool operator==(const Stamped&) const = default;
};

/// Why an answer of the model could not be had.
PARLEY_ENUM(AssistantError, authentication_failed, oauth_org_not_allowed, account_on_hold,
            verification_required, billing_error, rate_limit, overloaded, invalid_request,
            model_not_found, server_error, unknown, max_output_tokens, cloud_credential_error)

/// Why a turn ended.
PARLEY_ENUM(TerminalReason, completed, blocking_limit, rapid_refill_breaker, prompt_too_long,
            image_error, model_error, api_error, malformed_tool_use_exhausted, aborted_streaming,
            aborted_tools, stop_hook_prevented, hook_stopped, tool_deferred, max_turns,
            background_requested, budget_exhausted, structured_output_retry_exhausted,
            tool_deferred_unavailable, turn_setup_failed)

/// Who asked for a compaction.
PARLEY_ENUM(CompactTrigger, manual, auto_)

/// How much thought the model is asked to spend.
PARLEY_ENUM(Effort, low, medium, high, xhigh, max)

}  // namespace parley
