// Field tables of wire/control/hook_outputs.hpp.
#pragma once

#include "../control/hook_outputs.hpp"
#include "mcp.hpp"
#include "permissions.hpp"

namespace parley {

PARLEY_FIELDS(hooks::PreToolUseOutput, permissionDecision, permissionDecisionReason, updatedInput,
              additionalContext)
PARLEY_FIELDS(hooks::PostToolUseOutput, additionalContext, classifierContext, updatedToolOutput,
              updatedMCPToolOutput)
PARLEY_FIELDS(hooks::PostToolUseFailureOutput, additionalContext)
PARLEY_FIELDS(hooks::PostToolBatchOutput, additionalContext)
PARLEY_FIELDS(hooks::PermissionDeniedOutput, retry)

PARLEY_FIELDS(hooks::PermissionRequestAllow, updatedInput, updatedPermissions)
PARLEY_FIELDS(hooks::PermissionRequestDeny, message, interrupt)
constexpr auto parley_cases(Tag<hooks::PermissionRequestDecision>) {
  return make_cases<hooks::PermissionRequestDecision>(
      "hooks::PermissionRequestDecision", "behavior", "", on<hooks::PermissionRequestDeny>("deny"),
      on<hooks::PermissionRequestAllow>("allow"));
}
PARLEY_FIELDS(hooks::PermissionRequestOutput, decision)

PARLEY_FIELDS(hooks::NotificationOutput, additionalContext)
PARLEY_FIELDS(hooks::UserPromptSubmitOutput, additionalContext, sessionTitle,
              suppressOriginalPrompt)
PARLEY_FIELDS(hooks::UserPromptExpansionOutput, additionalContext, suppressOriginalPrompt)
PARLEY_FIELDS(hooks::MessageDisplayOutput, displayContent)
PARLEY_FIELDS(hooks::SessionStartOutput, additionalContext, initialUserMessage, sessionTitle,
              watchPaths, reloadSkills)
PARLEY_FIELDS(hooks::SetupOutput, additionalContext)
PARLEY_FIELDS(hooks::StopOutput, additionalContext)
PARLEY_FIELDS(hooks::SubagentStartOutput, additionalContext)
PARLEY_FIELDS(hooks::SubagentStopOutput, additionalContext)
PARLEY_FIELDS(hooks::PreModelSwitchOutput, permissionDecision, permissionDecisionReason)
PARLEY_FIELDS(hooks::PostModelSwitchOutput, additionalContext)
PARLEY_FIELDS(hooks::ElicitationOutput, action, content)
PARLEY_FIELDS(hooks::ElicitationResultOutput, action, content)
PARLEY_FIELDS(hooks::WorktreeCreateOutput, worktreePath)
PARLEY_FIELDS(hooks::CwdChangedOutput, watchPaths)
PARLEY_FIELDS(hooks::FileChangedOutput, watchPaths)

constexpr auto parley_cases(Tag<HookSpecificOutput>) {
  return make_cases<HookSpecificOutput>(
      "HookSpecificOutput", "hookEventName", "", on<hooks::PreToolUseOutput>("PreToolUse"),
      on<hooks::PostToolUseOutput>("PostToolUse"),
      on<hooks::PostToolUseFailureOutput>("PostToolUseFailure"),
      on<hooks::PostToolBatchOutput>("PostToolBatch"),
      on<hooks::PermissionDeniedOutput>("PermissionDenied"),
      on<hooks::PermissionRequestOutput>("PermissionRequest"),
      on<hooks::NotificationOutput>("Notification"),
      on<hooks::UserPromptSubmitOutput>("UserPromptSubmit"),
      on<hooks::UserPromptExpansionOutput>("UserPromptExpansion"),
      on<hooks::MessageDisplayOutput>("MessageDisplay"),
      on<hooks::SessionStartOutput>("SessionStart"), on<hooks::SetupOutput>("Setup"),
      on<hooks::StopOutput>("Stop"), on<hooks::SubagentStartOutput>("SubagentStart"),
      on<hooks::SubagentStopOutput>("SubagentStop"),
      on<hooks::PreModelSwitchOutput>("PreModelSwitch"),
      on<hooks::PostModelSwitchOutput>("PostModelSwitch"),
      on<hooks::ElicitationOutput>("Elicitation"),
      on<hooks::ElicitationResultOutput>("ElicitationResult"),
      on<hooks::WorktreeCreateOutput>("WorktreeCreate"), on<hooks::CwdChangedOutput>("CwdChanged"),
      on<hooks::FileChangedOutput>("FileChanged"));
}

PARLEY_FIELDS(HookOutput, continue_, suppressOutput, stopReason, decision, systemMessage,
              terminalSequence, reason, hookSpecificOutput, async_, asyncTimeout)

}  // namespace parley
