// What a tool call came to, and the message and the line of the transcript that say so.
#pragma once

#include <optional>
#include <string>

#include "../../../wire/messages/messages.hpp"
#include "../../tools/tool.hpp"

namespace parley::agent {

/// A value.
struct CallOutcome {
  ToolOutput output;
  std::optional<PermissionDecision> decision;
  std::optional<std::string> non_execution_kind;  ///< Why it did not run, as the wire says it.
};

[[nodiscard]] PermissionDecision made_decision(const char* what, const char* source,
                                               const std::string& reason = {});
/// The outcome of a call that is not permitted.
[[nodiscard]] CallOutcome denied_call(const std::string& text, PermissionDecision decision);
/// The outcome of a call that the user does not want any more.
[[nodiscard]] CallOutcome rejected_call(bool while_running);

/// What the model reads.
[[nodiscard]] ToolResultBlock result_block(const ToolUseBlock& call, const CallOutcome& outcome);
/// What the client sees.
[[nodiscard]] UserMessage result_message(const ToolResultBlock& block, const CallOutcome& outcome);
/// The same in the transcript. `source_uuid`: of the assistant message that made the call.
[[nodiscard]] Json result_line(const UserMessage& message, const std::string& prompt_id,
                               const std::string& source_uuid);
/// Who resumes the session finds by this line that the call is still to be carried out.
[[nodiscard]] Json deferral_line(const ToolUseBlock& call, const Enum<PermissionMode>& mode);

}  // namespace parley::agent
