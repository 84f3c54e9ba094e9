// Messages of type "system": what the agent says about itself and its work. One struct per subtype.
#pragma once

#include "../control/permissions.hpp"
#include "../mcp/resource.hpp"
#include "catalog.hpp"
#include "stamped.hpp"

namespace parley {

struct CompactPreservedSegment {
  std::optional<std::string> head_uuid;
  std::optional<std::string> anchor_uuid;
  std::optional<std::string> tail_uuid;
  Extra extra;
  bool operator==(const CompactPreservedSegment&) const = default;
};

struct CompactPreservedMessages {
  std::optional<std::string> anchor_uuid;
  std::optional<std::vector<std::string>> uuids;
  std::optional<std::vector<std::string>> all_uuids;
  Extra extra;
  bool operator==(const CompactPreservedMessages&) const = default;
};

struct ArtifactVersion {
  std::optional<std::string> slug;
  std::optional<std::string> ver;
  Extra extra;
  bool operator==(const ArtifactVersion&) const = default;
};

struct CompactMetadata {
  Optional<Enum<CompactTrigger>> trigger;
  std::optional<std::int64_t> pre_tokens;
  std::optional<std::int64_t> post_tokens;
  std::optional<std::int64_t> cumulative_dropped_tokens;
  std::optional<std::int64_t> duration_ms;
  std::optional<std::string> user_context;
  std::optional<std::int64_t> messages_summarized;
  std::optional<bool> precomputed;
  std::optional<std::vector<std::string>> pre_compact_discovered_tools;
  Optional<std::vector<ArtifactVersion>> pre_compact_artifact_read_versions;
  Optional<CompactPreservedSegment> preserved_segment;
  Optional<CompactPreservedMessages> preserved_messages;
  Extra extra;
  bool operator==(const CompactMetadata&) const = default;
};

/// The conversation before this point was replaced by a summary.
struct CompactBoundary : Stamped {
  CompactMetadata compact_metadata;
  std::optional<std::string> logical_parent_uuid;
  bool operator==(const CompactBoundary&) const = default;
};

struct InitMcpServer {
  std::string name;
  std::optional<std::string> status;
  std::optional<std::string> source;
  Extra extra;
  bool operator==(const InitMcpServer&) const = default;
};

struct InitPlugin {
  std::string name;
  std::optional<std::string> path;
  std::optional<std::string> source;
  std::optional<std::string> version;
  Extra extra;
  bool operator==(const InitPlugin&) const = default;
};

struct ManagedLock {
  std::optional<bool> plugin_enabled;
  std::optional<std::string> name;
  std::optional<std::string> marketplace;
  Extra extra;
  bool operator==(const ManagedLock&) const = default;
};

struct PluginError {
  std::optional<std::string> plugin;
  std::optional<std::string> type;
  std::optional<std::string> message;
  std::optional<std::string> path;
  Optional<ManagedLock> managed_lock;
  Extra extra;
  bool operator==(const PluginError&) const = default;
};

struct InitMcpServerError {
  std::optional<std::string> name;
  std::optional<std::string> type;
  std::optional<std::string> message;
  Extra extra;
  bool operator==(const InitMcpServerError&) const = default;
};

PARLEY_ENUM(ViewMode, default_, focus)

/// Opens every turn, after the user message has arrived: what the session has and can do.
struct SystemInit : Stamped {
  std::optional<std::string> cwd;
  std::optional<std::vector<std::string>> tools;
  Optional<std::vector<InitMcpServer>> mcp_servers;
  std::optional<std::string> model;
  Optional<Enum<PermissionMode>> permissionMode;
  std::optional<std::vector<std::string>> slash_commands;
  std::optional<std::vector<std::string>> terminal_slash_commands;
  std::optional<std::string> apiKeySource;
  std::optional<std::string> claude_code_version;
  std::optional<std::string> output_style;
  std::optional<std::vector<std::string>> agents;
  std::optional<std::vector<std::string>> skills;
  Optional<std::vector<InitPlugin>> plugins;
  Optional<std::vector<PluginError>> plugin_errors;
  Optional<std::vector<InitMcpServerError>> mcp_server_errors;
  std::optional<std::vector<std::string>> betas;
  std::optional<std::vector<std::string>> capabilities;
  std::optional<bool> analytics_disabled;
  std::optional<bool> product_feedback_disabled;
  Optional<Map<std::string>> memory_paths;
  std::optional<std::string> original_cwd;
  std::optional<std::vector<std::string>> additional_directories;
  std::optional<std::string> messaging_socket_path;
  Optional<Enum<FastModeState>> fast_mode_state;
  Optional<Enum<FastModeDisabledReason>> fast_mode_disabled_reason;
  Optional<Enum<Effort>> effort;
  std::optional<bool> per_turn_effort_active;
  std::optional<bool> ultrathink_available;
  std::optional<bool> ultrathink_typed_raises;
  Optional<Enum<ViewMode>> view_mode;
  std::optional<std::vector<std::string>> user_message_uuids;
  bool operator==(const SystemInit&) const = default;
};

PARLEY_ENUM(SessionStatus, compacting, requesting)

PARLEY_ENUM(CompactResult, success, failed)

/// What the agent is doing between messages; null when that is over.
struct SystemStatus : Stamped {
  Nullable<Enum<SessionStatus>> status;
  Optional<Enum<PermissionMode>> permissionMode;
  Optional<Enum<CompactResult>> compact_result;
  std::optional<std::string> compact_error;
  std::optional<std::int64_t> compact_output_chars;
  std::optional<std::vector<std::string>> user_message_uuids;
  bool operator==(const SystemStatus&) const = default;
};

struct NoResponse {
  std::optional<std::int64_t> waited_ms;
  std::optional<std::int64_t> retry_wait_ms;
  Extra extra;
  bool operator==(const NoResponse&) const = default;
};

/// A model request failed and will be tried again.
struct ApiRetry : Stamped {
  std::optional<std::int64_t> attempt;
  std::optional<std::int64_t> max_retries;
  std::optional<double> retry_delay_ms;
  Nullable<std::int64_t> error_status;
  Optional<Enum<AssistantError>> error;
  Optional<NoResponse> no_response;
  bool operator==(const ApiRetry&) const = default;
};

PARLEY_ENUM(ControlProgressStatus, started, api_retry)

/// A slow control request is being worked on.
struct ControlRequestProgress : Stamped {
  std::string request_id;
  Optional<Enum<ControlProgressStatus>> status;
  std::optional<std::int64_t> attempt;
  std::optional<std::int64_t> max_retries;
  std::optional<double> retry_delay_ms;
  std::optional<std::int64_t> error_status;
  bool operator==(const ControlRequestProgress&) const = default;
};

PARLEY_ENUM(RefusalDirection, retry, revert, sticky)

PARLEY_ENUM(RefusalScope, session, local)

struct ModelRefusalFallback : Stamped {
  std::optional<std::string> trigger;
  Optional<Enum<RefusalDirection>> direction;
  Optional<Enum<RefusalScope>> scope;
  std::optional<std::string> original_model;
  std::optional<std::string> fallback_model;
  Nullable<std::string> request_id;
  std::optional<std::string> api_refusal_category;
  std::optional<std::string> api_refusal_explanation;
  std::optional<std::vector<std::string>> retracted_message_uuids;
  std::optional<std::string> refused_user_message_uuid;
  std::optional<std::string> content;
  bool operator==(const ModelRefusalFallback&) const = default;
};

struct ModelRefusalNoFallback : Stamped {
  std::optional<std::string> original_model;
  Nullable<std::string> request_id;
  std::optional<std::string> api_refusal_category;
  std::optional<std::string> api_refusal_explanation;
  std::optional<std::string> refused_user_message_uuid;
  std::optional<std::string> content;
  bool operator==(const ModelRefusalNoFallback&) const = default;
};

/// The model was overloaded; the fallback model answers.
struct ModelFallback : Stamped {
  std::optional<std::string> trigger;
  std::optional<std::string> original_model;
  std::optional<std::string> fallback_model;
  std::optional<std::string> content;
  bool operator==(const ModelFallback&) const = default;
};

struct LocalCommandOutput : Stamped {
  std::string content;
  bool operator==(const LocalCommandOutput&) const = default;
};

struct HookStarted : Stamped {
  std::optional<std::string> hook_id;
  std::optional<std::string> hook_name;
  std::optional<std::string> hook_event;
  bool operator==(const HookStarted&) const = default;
};

struct HookProgress : Stamped {
  std::optional<std::string> hook_id;
  std::optional<std::string> hook_name;
  std::optional<std::string> hook_event;
  std::optional<std::string> stdout_;
  std::optional<std::string> stderr_;
  std::optional<std::string> output;
  bool operator==(const HookProgress&) const = default;
};

PARLEY_ENUM(HookOutcome, success, error, cancelled)

struct HookResponse : Stamped {
  std::optional<std::string> hook_id;
  std::optional<std::string> hook_name;
  std::optional<std::string> hook_event;
  std::optional<std::string> output;
  std::optional<std::string> stdout_;
  std::optional<std::string> stderr_;
  std::optional<std::int64_t> exit_code;
  Optional<Enum<HookOutcome>> outcome;
  bool operator==(const HookResponse&) const = default;
};

PARLEY_ENUM(PluginInstallStatus, started, installed, failed, completed)

struct PluginInstall : Stamped {
  Optional<Enum<PluginInstallStatus>> status;
  std::optional<std::string> name;
  std::optional<std::string> error;
  bool operator==(const PluginInstall&) const = default;
};

struct TaskUsage {
  std::optional<std::int64_t> total_tokens;
  std::optional<std::int64_t> tool_uses;
  std::optional<std::int64_t> duration_ms;
  Extra extra;
  bool operator==(const TaskUsage&) const = default;
};

PARLEY_ENUM(TaskEnd, completed, failed, stopped)

/// A task (subagent, background command) has ended.
struct TaskNotification : Stamped {
  std::string task_id;
  std::optional<std::string> run_id;
  std::optional<std::string> tool_use_id;
  Optional<Enum<TaskEnd>> status;
  std::optional<std::string> reason;
  std::optional<std::string> output_file;
  std::optional<std::string> summary;
  Optional<TaskUsage> usage;
  Optional<std::vector<McpResourceLink>> resource_links;
  std::optional<bool> skip_transcript;
  std::optional<bool> ambient;
  bool operator==(const TaskNotification&) const = default;
};

struct TaskStarted : Stamped {
  std::string task_id;
  std::optional<std::string> run_id;
  std::optional<std::string> tool_use_id;
  std::optional<std::string> description;
  std::optional<std::string> subagent_type;
  std::optional<bool> is_backgrounded;
  std::optional<bool> awaited;
  std::optional<std::int64_t> spawn_depth;
  std::optional<std::string> parent_task_id;
  std::optional<std::string> task_type;
  std::optional<std::string> workflow_name;
  std::optional<std::string> prompt;
  std::optional<bool> skip_transcript;
  std::optional<bool> ambient;
  bool operator==(const TaskStarted&) const = default;
};

PARLEY_ENUM(TaskStatus, pending, running, completed, failed, killed, paused)

struct TaskPatch {
  Optional<Enum<TaskStatus>> status;
  std::optional<std::string> description;
  std::optional<std::int64_t> end_time;
  std::optional<std::int64_t> total_paused_ms;
  std::optional<std::string> error;
  std::optional<bool> is_backgrounded;
  Extra extra;
  bool operator==(const TaskPatch&) const = default;
};

struct TaskUpdated : Stamped {
  std::string task_id;
  std::optional<std::string> run_id;
  TaskPatch patch;
  bool operator==(const TaskUpdated&) const = default;
};

struct TaskProgress : Stamped {
  std::string task_id;
  std::optional<std::string> run_id;
  std::optional<std::string> tool_use_id;
  std::optional<std::string> description;
  std::optional<std::string> subagent_type;
  Optional<TaskUsage> usage;
  std::optional<std::string> last_tool_name;
  std::optional<std::string> summary;
  bool operator==(const TaskProgress&) const = default;
};

struct BackgroundTask {
  std::string task_id;
  std::optional<std::string> run_id;
  std::optional<std::string> task_type;
  std::optional<std::string> subagent_type;
  std::optional<std::string> description;
  std::optional<std::string> parent_task_id;
  std::optional<bool> ambient;
  std::optional<bool> awaited;
  std::optional<bool> off_host;
  Extra extra;
  bool operator==(const BackgroundTask&) const = default;
};

/// All tasks that run in the background now.
struct BackgroundTasksChanged : Stamped {
  std::vector<BackgroundTask> tasks;
  bool operator==(const BackgroundTasksChanged&) const = default;
};

struct ThinkingTokens : Stamped {
  std::optional<std::int64_t> estimated_tokens;
  std::optional<std::int64_t> estimated_tokens_delta;
  std::optional<std::string> user_message_uuid;
  bool operator==(const ThinkingTokens&) const = default;
};

PARLEY_ENUM(SessionState, idle, running, requires_action)

struct SessionStateChanged : Stamped {
  Enum<SessionState> state;
  bool operator==(const SessionStateChanged&) const = default;
};

struct WorkerShuttingDown : Stamped {
  std::optional<std::string> reason;
  bool operator==(const WorkerShuttingDown&) const = default;
};

struct CommandsChanged : Stamped {
  std::vector<SlashCommand> commands;
  bool operator==(const CommandsChanged&) const = default;
};

PARLEY_ENUM(NotificationPriority, low, medium, high, immediate)

struct Notification : Stamped {
  std::optional<std::string> key;
  std::optional<std::string> text;
  Optional<Enum<NotificationPriority>> priority;
  std::optional<std::string> color;
  std::optional<std::int64_t> timeout_ms;
  bool operator==(const Notification&) const = default;
};

struct PersistedFile {
  std::optional<std::string> filename;
  std::optional<std::string> file_id;
  Extra extra;
  bool operator==(const PersistedFile&) const = default;
};

struct UnpersistedFile {
  std::optional<std::string> filename;
  std::optional<std::string> error;
  Extra extra;
  bool operator==(const UnpersistedFile&) const = default;
};

struct FilesPersisted : Stamped {
  Optional<std::vector<PersistedFile>> files;
  Optional<std::vector<UnpersistedFile>> failed;
  std::optional<std::string> processed_at;
  bool operator==(const FilesPersisted&) const = default;
};

PARLEY_ENUM(MemoryScope, personal, team, organization)

struct RecalledMemory {
  std::optional<std::string> path;
  Optional<Enum<MemoryScope>> scope;
  std::optional<std::string> content;
  Extra extra;
  bool operator==(const RecalledMemory&) const = default;
};

PARLEY_ENUM(MemoryRecallMode, select, synthesize)

struct MemoryRecall : Stamped {
  Optional<Enum<MemoryRecallMode>> mode;
  Optional<std::vector<RecalledMemory>> memories;
  bool operator==(const MemoryRecall&) const = default;
};

struct ElicitationComplete : Stamped {
  std::optional<std::string> mcp_server_name;
  std::optional<std::string> elicitation_id;
  bool operator==(const ElicitationComplete&) const = default;
};

/// A tool call was refused without asking.
struct PermissionDenied : Stamped {
  std::string tool_name;
  std::optional<std::string> tool_use_id;
  std::optional<std::string> agent_id;
  std::optional<std::string> decision_reason_type;
  std::optional<std::string> decision_reason_code;
  std::optional<std::string> decision_reason;
  std::optional<std::string> message;
  bool operator==(const PermissionDenied&) const = default;
};

struct MirrorKey {
  std::optional<std::string> projectKey;
  std::optional<std::string> sessionId;
  std::optional<std::string> subpath;
  Extra extra;
  bool operator==(const MirrorKey&) const = default;
};

struct MirrorError : Stamped {
  std::optional<std::string> error;
  Optional<MirrorKey> key;
  bool operator==(const MirrorError&) const = default;
};

PARLEY_ENUM(InformationalLevel, info, notice, suggestion, warning)

struct Informational : Stamped {
  std::string content;
  Optional<Enum<InformationalLevel>> level;
  std::optional<std::string> tool_use_id;
  std::optional<bool> prevent_continuation;
  std::optional<std::string> tag;
  std::optional<RawJson> prompt_submit_outcome;
  std::optional<bool> isMeta;
  std::optional<std::string> timestamp;
  bool operator==(const Informational&) const = default;
};

/// The disk is full: what was said is not on disk.
struct SessionWritesLost : Stamped {
  std::optional<std::string> error_code;
  std::optional<std::vector<std::string>> lost;
  std::optional<std::vector<std::string>> transcript_session_ids;
  bool operator==(const SessionWritesLost&) const = default;
};

struct SessionTitleChanged : Stamped {
  std::optional<std::string> title;
  bool operator==(const SessionTitleChanged&) const = default;
};

PARLEY_CODEC(CompactBoundary)
PARLEY_CODEC(SystemInit)
PARLEY_CODEC(SystemStatus)
PARLEY_CODEC(ApiRetry)
PARLEY_CODEC(ControlRequestProgress)
PARLEY_CODEC(ModelRefusalFallback)
PARLEY_CODEC(ModelRefusalNoFallback)
PARLEY_CODEC(ModelFallback)
PARLEY_CODEC(LocalCommandOutput)
PARLEY_CODEC(HookStarted)
PARLEY_CODEC(HookProgress)
PARLEY_CODEC(HookResponse)
PARLEY_CODEC(PluginInstall)
PARLEY_CODEC(TaskNotification)
PARLEY_CODEC(TaskStarted)
PARLEY_CODEC(TaskUpdated)
PARLEY_CODEC(TaskProgress)
PARLEY_CODEC(BackgroundTasksChanged)
PARLEY_CODEC(ThinkingTokens)
PARLEY_CODEC(SessionStateChanged)
PARLEY_CODEC(WorkerShuttingDown)
PARLEY_CODEC(CommandsChanged)
PARLEY_CODEC(Notification)
PARLEY_CODEC(FilesPersisted)
PARLEY_CODEC(MemoryRecall)
PARLEY_CODEC(ElicitationComplete)
PARLEY_CODEC(PermissionDenied)
PARLEY_CODEC(MirrorError)
PARLEY_CODEC(Informational)
PARLEY_CODEC(SessionWritesLost)
PARLEY_CODEC(SessionTitleChanged)

}  // namespace parley
