// Hooks: what the CLI tells a callback, one struct per event, and how callbacks are registered.
// What a callback answers stands in hook_outputs.hpp.
#pragma once

#include "../mcp/mcp.hpp"
#include "../messages/stamped.hpp"
#include "hook_outputs.hpp"
#include "permissions.hpp"

namespace parley {

/// In the order of HookInput's alternatives.
PARLEY_ENUM(HookEvent, PreToolUse, PostToolUse, PostToolUseFailure, PostToolBatch, PermissionDenied,
            Notification, UserPromptSubmit, UserPromptExpansion, SessionStart, SessionEnd, Stop,
            StopFailure, SubagentStart, SubagentStop, PreCompact, PostCompact, PreModelSwitch,
            PostModelSwitch, PermissionRequest, Setup, TeammateIdle, TaskCreated, TaskCompleted,
            Elicitation, ElicitationResult, ConfigChange, InstructionsLoaded, WorktreeCreate,
            WorktreeRemove, CwdChanged, FileChanged, DirectoryAdded, MessageDisplay)

namespace hooks {

struct EffortLevel {
  std::optional<Enum<Effort>> level;
  Extra extra;
  bool operator==(const EffortLevel&) const = default;
};

/// What every event carries.
struct Input {
  std::string session_id;
  std::string transcript_path;
  std::string cwd;
  std::optional<std::string> prompt_id;
  std::optional<Enum<PermissionMode>> permission_mode;
  /// The subagent that the event comes from, or that it is about.
  std::optional<std::string> agent_id;
  std::optional<std::string> agent_type;
  std::optional<EffortLevel> effort;
  Extra extra;
  bool operator==(const Input&) const = default;
};

// ---- tools -------------------------------------------------------------------------------------

struct PreToolUse : Input {
  std::string tool_name;
  RawJson tool_input;
  std::string tool_use_id;
  std::optional<McpServerProvenance> mcp_server;
  bool operator==(const PreToolUse&) const = default;
};

struct PostToolUse : Input {
  std::string tool_name;
  RawJson tool_input;
  std::optional<RawJson> tool_response;
  std::string tool_use_id;
  std::optional<std::int64_t> duration_ms;
  std::optional<McpServerProvenance> mcp_server;
  bool operator==(const PostToolUse&) const = default;
};

struct PostToolUseFailure : Input {
  std::string tool_name;
  RawJson tool_input;
  std::string tool_use_id;
  std::optional<std::string> error;
  std::optional<bool> is_interrupt;
  std::optional<std::int64_t> duration_ms;
  std::optional<McpServerProvenance> mcp_server;
  bool operator==(const PostToolUseFailure&) const = default;
};

struct BatchToolCall {
  std::string tool_name;
  RawJson tool_input;
  std::optional<std::string> tool_use_id;
  std::optional<RawJson> tool_response;
  Extra extra;
  bool operator==(const BatchToolCall&) const = default;
};

struct PostToolBatch : Input {
  std::vector<BatchToolCall> tool_calls;
  bool operator==(const PostToolBatch&) const = default;
};

struct PermissionDenied : Input {
  std::string tool_name;
  RawJson tool_input;
  std::optional<std::string> tool_use_id;
  std::optional<std::string> reason;
  std::optional<McpServerProvenance> mcp_server;
  bool operator==(const PermissionDenied&) const = default;
};

/// 2.1.38 waits for the answer before it sends can_use_tool; 2.1.325 sends both at once, and the
/// first decision counts.
struct PermissionRequest : Input {
  std::string tool_name;
  RawJson tool_input;
  std::optional<std::vector<PermissionUpdate>> permission_suggestions;
  std::optional<McpServerProvenance> mcp_server;
  bool operator==(const PermissionRequest&) const = default;
};

// ---- prompts and display -----------------------------------------------------------------------

struct Notification : Input {
  std::string message;
  std::optional<std::string> title;
  std::optional<std::string> notification_type;
  bool operator==(const Notification&) const = default;
};

PARLEY_ENUM(PromptSource, user, sdk, system, loop_wakeup, schedule_wakeup, poll_event)

struct UserPromptSubmit : Input {
  std::string prompt;
  std::optional<Enum<PromptSource>> source;
  std::optional<std::string> session_title;
  bool operator==(const UserPromptSubmit&) const = default;
};

PARLEY_ENUM(ExpansionType, slash_command, mcp_prompt)

struct UserPromptExpansion : Input {
  std::optional<Enum<ExpansionType>> expansion_type;
  std::string command_name;
  std::optional<std::string> command_args;
  std::optional<std::string> command_source;
  std::optional<std::string> prompt;
  bool operator==(const UserPromptExpansion&) const = default;
};

/// A piece of the answer on its way to the screen.
struct MessageDisplay : Input {
  std::optional<std::string> turn_id;
  std::optional<std::string> message_id;
  std::optional<std::int64_t> index;
  std::optional<bool> final_;
  std::string delta;
  bool operator==(const MessageDisplay&) const = default;
};

// ---- session -----------------------------------------------------------------------------------

PARLEY_ENUM(SessionStartSource, startup, resume, clear, compact, fork)

struct SessionStart : Input {
  std::optional<Enum<SessionStartSource>> source;
  std::optional<std::string> model;
  std::optional<std::string> session_title;
  std::optional<double> seconds_since_last_response;
  std::optional<std::int64_t> context_tokens;
  std::optional<bool> prompt_cache_likely_expired;
  std::optional<double> estimated_cache_write_usd;
  bool operator==(const SessionStart&) const = default;
};

PARLEY_ENUM(SessionEndReason, clear, resume, logout, prompt_input_exit, other)

struct SessionEnd : Input {
  std::optional<Enum<SessionEndReason>> reason;
  bool operator==(const SessionEnd&) const = default;
};

PARLEY_ENUM(SetupTrigger, init, maintenance)

struct Setup : Input {
  std::optional<Enum<SetupTrigger>> trigger;
  bool operator==(const Setup&) const = default;
};

/// Something that still runs when a turn ends.
struct BackgroundTaskSummary {
  std::string id;
  std::optional<std::string> type;
  std::optional<std::string> status;
  std::optional<std::string> description;
  std::optional<std::string> command;
  std::optional<std::string> agent_type;
  std::optional<std::string> server;
  std::optional<std::string> tool;
  std::optional<std::string> name;
  Extra extra;
  bool operator==(const BackgroundTaskSummary&) const = default;
};

/// A prompt that the session has scheduled for itself.
struct SessionCronSummary {
  std::string id;
  std::optional<std::string> schedule;
  std::optional<bool> recurring;
  std::optional<std::string> prompt;
  Extra extra;
  bool operator==(const SessionCronSummary&) const = default;
};

struct Stop : Input {
  bool stop_hook_active = false;  ///< A Stop hook has already kept this turn going.
  std::optional<std::string> last_assistant_message;
  std::optional<std::vector<BackgroundTaskSummary>> background_tasks;
  std::optional<std::vector<SessionCronSummary>> session_crons;
  bool operator==(const Stop&) const = default;
};

struct StopFailure : Input {
  std::optional<Enum<AssistantError>> error;
  std::optional<std::string> error_details;
  std::optional<std::string> last_assistant_message;
  bool operator==(const StopFailure&) const = default;
};

struct SubagentStart : Input {
  bool operator==(const SubagentStart&) const = default;
};

struct SubagentStop : Input {
  bool stop_hook_active = false;
  std::optional<std::string> agent_transcript_path;
  std::optional<std::string> last_assistant_message;
  std::optional<std::vector<BackgroundTaskSummary>> background_tasks;
  std::optional<std::vector<SessionCronSummary>> session_crons;
  bool operator==(const SubagentStop&) const = default;
};

struct PreCompact : Input {
  std::optional<Enum<CompactTrigger>> trigger;
  Nullable<std::string> custom_instructions;  ///< Null in 2.1.325, empty in 2.1.38 if not given.
  bool operator==(const PreCompact&) const = default;
};

struct PostCompact : Input {
  std::optional<Enum<CompactTrigger>> trigger;
  std::optional<std::string> compact_summary;
  bool operator==(const PostCompact&) const = default;
};

// ---- models ------------------------------------------------------------------------------------

PARLEY_ENUM(ModelSwitchSource, command, picker, sdk, auto_, resume)
PARLEY_ENUM(ModelPricing, configured, catalog, default_)

enum class CacheTtl : std::int16_t { five_minutes, one_hour };
PARLEY_ENUM_TEXTS(CacheTtl, "5m, 1h")

struct PreModelSwitch : Input {
  std::string from_model;
  std::string to_model;
  Nullable<std::string> requested_model;
  std::optional<Enum<ModelSwitchSource>> source;
  std::optional<std::int64_t> context_tokens;
  std::optional<bool> prompt_cache_warm;
  std::optional<Enum<CacheTtl>> cache_ttl;
  std::optional<double> estimated_cache_write_usd;
  std::optional<Enum<ModelPricing>> pricing;
  bool operator==(const PreModelSwitch&) const = default;
};

struct PostModelSwitch : Input {
  std::string from_model;
  std::string to_model;
  Nullable<std::string> requested_model;
  std::optional<Enum<ModelSwitchSource>> source;
  std::optional<std::int64_t> context_tokens;
  std::optional<bool> prompt_cache_warm;
  std::optional<Enum<CacheTtl>> cache_ttl;
  std::optional<double> estimated_cache_write_usd;
  std::optional<Enum<ModelPricing>> pricing;
  bool operator==(const PostModelSwitch&) const = default;
};

// ---- tasks and teams ---------------------------------------------------------------------------

struct TeammateIdle : Input {
  std::string teammate_name;
  std::optional<std::string> team_name;
  bool operator==(const TeammateIdle&) const = default;
};

struct TaskCreated : Input {
  std::string task_id;
  std::optional<std::string> task_subject;
  std::optional<std::string> task_description;
  std::optional<std::string> teammate_name;
  std::optional<std::string> team_name;
  bool operator==(const TaskCreated&) const = default;
};

struct TaskCompleted : Input {
  std::string task_id;
  std::optional<std::string> task_subject;
  std::optional<std::string> task_description;
  std::optional<std::string> teammate_name;
  std::optional<std::string> team_name;
  bool operator==(const TaskCompleted&) const = default;
};

// ---- questions of MCP servers ------------------------------------------------------------------

struct Elicitation : Input {
  std::string mcp_server_name;
  std::optional<std::string> message;
  std::optional<Enum<ElicitationMode>> mode;
  std::optional<std::string> url;
  std::optional<std::string> elicitation_id;
  std::optional<RawJson> requested_schema;
  bool operator==(const Elicitation&) const = default;
};

struct ElicitationResult : Input {
  std::string mcp_server_name;
  std::optional<std::string> elicitation_id;
  std::optional<Enum<ElicitationMode>> mode;
  std::optional<Enum<ElicitationAction>> action;
  std::optional<RawJson> content;
  bool operator==(const ElicitationResult&) const = default;
};

// ---- files and settings ------------------------------------------------------------------------

PARLEY_ENUM(ConfigSource, user_settings, project_settings, local_settings, policy_settings, skills)

struct ConfigChange : Input {
  std::optional<Enum<ConfigSource>> source;
  std::optional<std::string> file_path;
  bool operator==(const ConfigChange&) const = default;
};

PARLEY_ENUM(MemoryType, User, Project, Local, Managed)
PARLEY_ENUM(LoadReason, session_start, nested_traversal, path_glob_match, include, compact)

struct InstructionsLoaded : Input {
  std::string file_path;
  std::optional<Enum<MemoryType>> memory_type;
  std::optional<Enum<LoadReason>> load_reason;
  std::optional<std::vector<std::string>> globs;
  std::optional<std::string> trigger_file_path;
  std::optional<std::string> parent_file_path;
  bool operator==(const InstructionsLoaded&) const = default;
};

struct WorktreeCreate : Input {
  std::string name;
  bool operator==(const WorktreeCreate&) const = default;
};

struct WorktreeRemove : Input {
  std::string worktree_path;
  bool operator==(const WorktreeRemove&) const = default;
};

struct CwdChanged : Input {
  std::optional<std::string> old_cwd;
  std::string new_cwd;
  bool operator==(const CwdChanged&) const = default;
};

PARLEY_ENUM(FileEvent, change, add, unlink)

struct FileChanged : Input {
  std::string file_path;
  std::optional<Enum<FileEvent>> event;
  bool operator==(const FileChanged&) const = default;
};

PARLEY_ENUM(DirectorySource, slash_command, register_repo_root)

struct DirectoryAdded : Input {
  std::string directory;
  std::optional<Enum<DirectorySource>> source;
  bool operator==(const DirectoryAdded&) const = default;
};

}  // namespace hooks

struct HookInput
    : std::variant<hooks::PreToolUse, hooks::PostToolUse, hooks::PostToolUseFailure,
                   hooks::PostToolBatch, hooks::PermissionDenied, hooks::Notification,
                   hooks::UserPromptSubmit, hooks::UserPromptExpansion, hooks::SessionStart,
                   hooks::SessionEnd, hooks::Stop, hooks::StopFailure, hooks::SubagentStart,
                   hooks::SubagentStop, hooks::PreCompact, hooks::PostCompact,
                   hooks::PreModelSwitch, hooks::PostModelSwitch, hooks::PermissionRequest,
                   hooks::Setup, hooks::TeammateIdle, hooks::TaskCreated, hooks::TaskCompleted,
                   hooks::Elicitation, hooks::ElicitationResult, hooks::ConfigChange,
                   hooks::InstructionsLoaded, hooks::WorktreeCreate, hooks::WorktreeRemove,
                   hooks::CwdChanged, hooks::FileChanged, hooks::DirectoryAdded,
                   hooks::MessageDisplay, Unknown> {
  PARLEY_UNION(HookInput)

  /// The event, if this build knows it.
  [[nodiscard]] std::optional<HookEvent> event() const {
    if (index() + 1 >= std::variant_size_v<variant>) return std::nullopt;
    return static_cast<HookEvent>(index());
  }
};

PARLEY_ENUM(HookFailurePolicy, continue_, block)

/// One entry of `initialize.hooks`: which calls of an event go to which callbacks.
struct HookMatcher {
  /// A tool name, names joined by `|`, or a regular expression; missing, empty and `*` match all.
  std::optional<std::string> matcher;
  std::vector<std::string> hookCallbackIds;
  std::optional<double> timeout;  ///< Seconds.
  std::optional<Enum<HookFailurePolicy>> onFailure;
  Extra extra;
  bool operator==(const HookMatcher&) const = default;
};

PARLEY_CODEC(HookInput)
PARLEY_CODEC(HookMatcher)

}  // namespace parley
