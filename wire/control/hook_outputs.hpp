// What a hook callback answers. Events with answers of their own have a struct here, named after
// the event; the rest is common to all.
#pragma once

#include "../mcp/mcp.hpp"
#include "permissions.hpp"

namespace parley {

namespace hooks {

PARLEY_ENUM(PermissionDecision, allow, deny, ask, defer)

struct PreToolUseOutput {
  std::optional<Enum<PermissionDecision>> permissionDecision;
  std::optional<std::string> permissionDecisionReason;
  std::optional<RawJson> updatedInput;
  std::optional<std::string> additionalContext;
  Extra extra;
  bool operator==(const PreToolUseOutput&) const = default;
};

struct PostToolUseOutput {
  std::optional<std::string> additionalContext;
  std::optional<std::string> classifierContext;
  std::optional<RawJson> updatedToolOutput;
  std::optional<RawJson> updatedMCPToolOutput;
  Extra extra;
  bool operator==(const PostToolUseOutput&) const = default;
};

struct PostToolUseFailureOutput {
  std::optional<std::string> additionalContext;
  Extra extra;
  bool operator==(const PostToolUseFailureOutput&) const = default;
};

struct PostToolBatchOutput {
  std::optional<std::string> additionalContext;
  Extra extra;
  bool operator==(const PostToolBatchOutput&) const = default;
};

struct PermissionDeniedOutput {
  std::optional<bool> retry;
  Extra extra;
  bool operator==(const PermissionDeniedOutput&) const = default;
};

struct PermissionRequestAllow {
  std::optional<RawJson> updatedInput;
  std::optional<std::vector<PermissionUpdate>> updatedPermissions;
  Extra extra;
  bool operator==(const PermissionRequestAllow&) const = default;
};
struct PermissionRequestDeny {
  std::optional<std::string> message;
  std::optional<bool> interrupt;
  Extra extra;
  bool operator==(const PermissionRequestDeny&) const = default;
};
/// Like PermissionResult, but a denial needs no message. A value that nobody filled in denies.
struct PermissionRequestDecision
    : std::variant<PermissionRequestDeny, PermissionRequestAllow, Unknown> {
  PARLEY_UNION(PermissionRequestDecision)
};
struct PermissionRequestOutput {
  PermissionRequestDecision decision;
  Extra extra;
  bool operator==(const PermissionRequestOutput&) const = default;
};

struct NotificationOutput {
  std::optional<std::string> additionalContext;
  Extra extra;
  bool operator==(const NotificationOutput&) const = default;
};

struct UserPromptSubmitOutput {
  std::optional<std::string> additionalContext;
  std::optional<std::string> sessionTitle;
  std::optional<bool> suppressOriginalPrompt;
  Extra extra;
  bool operator==(const UserPromptSubmitOutput&) const = default;
};

struct UserPromptExpansionOutput {
  std::optional<std::string> additionalContext;
  std::optional<bool> suppressOriginalPrompt;
  Extra extra;
  bool operator==(const UserPromptExpansionOutput&) const = default;
};

struct MessageDisplayOutput {
  std::optional<std::string> displayContent;
  Extra extra;
  bool operator==(const MessageDisplayOutput&) const = default;
};

struct SessionStartOutput {
  std::optional<std::string> additionalContext;
  std::optional<std::string> initialUserMessage;
  std::optional<std::string> sessionTitle;
  std::optional<std::vector<std::string>> watchPaths;
  std::optional<bool> reloadSkills;
  Extra extra;
  bool operator==(const SessionStartOutput&) const = default;
};

struct SetupOutput {
  std::optional<std::string> additionalContext;
  Extra extra;
  bool operator==(const SetupOutput&) const = default;
};

struct StopOutput {
  std::optional<std::string> additionalContext;
  Extra extra;
  bool operator==(const StopOutput&) const = default;
};

struct SubagentStartOutput {
  std::optional<std::string> additionalContext;
  Extra extra;
  bool operator==(const SubagentStartOutput&) const = default;
};

struct SubagentStopOutput {
  std::optional<std::string> additionalContext;
  Extra extra;
  bool operator==(const SubagentStopOutput&) const = default;
};

PARLEY_ENUM(ModelSwitchDecision, allow, deny, ask)

struct PreModelSwitchOutput {
  std::optional<Enum<ModelSwitchDecision>> permissionDecision;
  std::optional<std::string> permissionDecisionReason;
  Extra extra;
  bool operator==(const PreModelSwitchOutput&) const = default;
};

struct PostModelSwitchOutput {
  std::optional<std::string> additionalContext;
  Extra extra;
  bool operator==(const PostModelSwitchOutput&) const = default;
};

/// Answers the server in the user's place.
struct ElicitationOutput {
  std::optional<Enum<ElicitationAction>> action;
  std::optional<RawJson> content;
  Extra extra;
  bool operator==(const ElicitationOutput&) const = default;
};

/// Replaces what the user answered.
struct ElicitationResultOutput {
  std::optional<Enum<ElicitationAction>> action;
  std::optional<RawJson> content;
  Extra extra;
  bool operator==(const ElicitationResultOutput&) const = default;
};

struct WorktreeCreateOutput {
  std::string worktreePath;
  Extra extra;
  bool operator==(const WorktreeCreateOutput&) const = default;
};

struct CwdChangedOutput {
  std::optional<std::vector<std::string>> watchPaths;
  Extra extra;
  bool operator==(const CwdChangedOutput&) const = default;
};

struct FileChangedOutput {
  std::optional<std::vector<std::string>> watchPaths;
  Extra extra;
  bool operator==(const FileChangedOutput&) const = default;
};

}  // namespace hooks

struct HookSpecificOutput
    : std::variant<
          hooks::PreToolUseOutput, hooks::PostToolUseOutput, hooks::PostToolUseFailureOutput,
          hooks::PostToolBatchOutput, hooks::PermissionDeniedOutput, hooks::PermissionRequestOutput,
          hooks::NotificationOutput, hooks::UserPromptSubmitOutput,
          hooks::UserPromptExpansionOutput, hooks::MessageDisplayOutput, hooks::SessionStartOutput,
          hooks::SetupOutput, hooks::StopOutput, hooks::SubagentStartOutput,
          hooks::SubagentStopOutput, hooks::PreModelSwitchOutput, hooks::PostModelSwitchOutput,
          hooks::ElicitationOutput, hooks::ElicitationResultOutput, hooks::WorktreeCreateOutput,
          hooks::CwdChangedOutput, hooks::FileChangedOutput, Unknown> {
  PARLEY_UNION(HookSpecificOutput)
};

PARLEY_ENUM(HookDecision, approve, block)

/// An empty value has no effect. `async_` says that the hook works on by itself and its decision
/// must not be waited for; the other members are then without meaning.
struct HookOutput {
  std::optional<bool> continue_;  ///< False ends the turn, with `stopReason`.
  std::optional<bool> suppressOutput;
  std::optional<std::string> stopReason;
  /// `block` keeps a Stop from stopping and a prompt from being sent, for `reason`. PreToolUse
  /// still honours it; new code uses PreToolUseOutput::permissionDecision there.
  std::optional<Enum<HookDecision>> decision;
  std::optional<std::string> systemMessage;
  std::optional<std::string> terminalSequence;
  std::optional<std::string> reason;
  std::optional<HookSpecificOutput> hookSpecificOutput;
  std::optional<bool> async_;
  std::optional<std::int64_t> asyncTimeout;  ///< Milliseconds.
  Extra extra;
  bool operator==(const HookOutput&) const = default;
};

PARLEY_CODEC(HookOutput)

}  // namespace parley
