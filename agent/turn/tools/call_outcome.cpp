#include "agent/turn/tools/call_outcome.hpp"

#include "agent/connection/message_parts.hpp"
#include "support/random.hpp"
#include "support/time.hpp"
#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

constexpr const char* kRejected =
    "The user does not want this tool call: it was refused and nothing was done. Stop here and "
    "wait "
    "for what the user says next.";
constexpr const char* kStoppedRunning =
    "The user interrupted this tool call while it was running. Part of its work may have been done "
    "already, and what it started elsewhere may go on; check before you start the same again. Stop "
    "here and wait for what the user says next.";

}  // namespace

PermissionDecision made_decision(const char* what, const char* source, const std::string& reason) {
  PermissionDecision made;
  made.decision = what;
  made.source = source;
  if (!reason.empty()) made.reason_type = reason;
  return made;
}

CallOutcome denied_call(const std::string& text, PermissionDecision decision) {
  return {ToolOutput::error(text), std::move(decision), "permission-rule"};
}

CallOutcome rejected_call(bool while_running) {
  ToolOutput output = ToolOutput::error(while_running ? kStoppedRunning : kRejected);
  output.result = RawJson("\"User rejected tool use\"");
  return {std::move(output), std::nullopt, "user-rejected"};
}

ToolResultBlock result_block(const ToolUseBlock& call, const CallOutcome& outcome) {
  ToolResultBlock block;
  block.tool_use_id = call.id;
  block.content = outcome.output.content;
  if (outcome.output.is_error) {
    block.is_error = true;
  } else if (outcome.output.says_no_error) {
    block.is_error = false;
  }
  return block;
}

UserMessage result_message(const ToolResultBlock& block, const CallOutcome& outcome) {
  UserMessage message;
  message.uuid = make_uuid();
  message.timestamp = timestamp();
  message.message.role = "user";
  message.message.content = std::vector<ContentBlock>{block};
  write_null(message.extra, "parent_tool_use_id");
  message.tool_use_result = outcome.output.result;
  if (outcome.decision || outcome.non_execution_kind) {
    ToolResultMeta meta;
    meta.id = block.tool_use_id;
    meta.permission_decision = outcome.decision;
    meta.non_execution_kind = outcome.non_execution_kind;
    message.tool_result_meta = std::vector<ToolResultMeta>{std::move(meta)};
  }
  return message;
}

Json result_line(const UserMessage& message, const std::string& prompt_id,
                 const std::string& source_uuid) {
  return Json::object(
      {{"promptId", prompt_id},
       {"type", "user"},
       {"message", RawJson(encode(message.message)).json().value()},
       {"uuid", message.uuid},
       {"timestamp", message.timestamp.value_or(timestamp())},
       {"toolUseResult", message.tool_use_result.value_or(RawJson()).json().value()},
       {"sourceToolAssistantUUID", source_uuid}});
}

Json deferral_line(const ToolUseBlock& call, const Enum<PermissionMode>& mode) {
  return Json::object({{"attachment", Json::object({{"type", "hook_deferred_tool"},
                                                    {"toolUseID", call.id},
                                                    {"toolName", call.name},
                                                    {"toolInput", call.input.json().value()},
                                                    {"hookName", "settings"},
                                                    {"hookEvent", "PreToolUse"},
                                                    {"permissionMode", std::string(mode.text())}})},
                       {"type", "attachment"}});
}

}  // namespace parley::agent
