// Every message of the wire, in both directions, and the variant that holds any of them.
#pragma once

#include "../control/envelope.hpp"
#include "stream.hpp"
#include "system_messages.hpp"

namespace parley {

PARLEY_ENUM(MessagePriority, now, next, later)

/// Who a user message comes from, when it is not the person at the keyboard.
struct MessageOrigin {
  std::optional<std::string> kind;
  std::optional<std::string> server;
  std::optional<std::string> from;
  std::optional<std::string> fromMode;
  std::optional<std::string> name;
  std::optional<std::string> fromSession;
  std::optional<std::string> senderTaskId;
  std::optional<std::string> body;
  std::optional<std::int64_t> verifiedPeerPid;
  std::optional<std::string> subkind;
  std::optional<std::string> fireReason;
  std::optional<std::string> runId;
  std::optional<std::string> producer;
  Extra extra;
  bool operator==(const MessageOrigin&) const = default;
};

struct ContextCategory {
  std::optional<std::string> name;
  std::optional<std::int64_t> tokens;
  std::optional<std::string> kind;
  Extra extra;
  bool operator==(const ContextCategory&) const = default;
};

struct ContextMcpTool {
  std::optional<std::string> name;
  std::optional<std::string> server_name;
  std::optional<std::int64_t> tokens;
  Extra extra;
  bool operator==(const ContextMcpTool&) const = default;
};

struct ContextMemoryFile {
  std::optional<std::string> path;
  std::optional<std::string> type;
  std::optional<std::int64_t> tokens;
  Extra extra;
  bool operator==(const ContextMemoryFile&) const = default;
};

struct ContextAgent {
  std::optional<std::string> agent_type;
  std::optional<std::string> source;
  std::optional<std::int64_t> tokens;
  Extra extra;
  bool operator==(const ContextAgent&) const = default;
};

struct ContextSkill {
  std::optional<std::string> name;
  std::optional<std::string> source;
  std::optional<std::string> plugin_name;
  std::optional<std::int64_t> tokens;
  Extra extra;
  bool operator==(const ContextSkill&) const = default;
};

struct ContextOverLimit {
  std::optional<std::int64_t> tokens_over;
  std::optional<std::string> kind;
  Extra extra;
  bool operator==(const ContextOverLimit&) const = default;
};

/// How full the context window is, and with what.
struct ContextUsage {
  std::optional<std::string> model;
  std::optional<std::int64_t> total_tokens;
  std::optional<std::int64_t> raw_max_tokens;
  std::optional<double> percentage;
  Optional<ContextOverLimit> over_limit;
  Optional<std::vector<ContextCategory>> categories;
  Optional<std::vector<ContextMcpTool>> mcp_tools;
  Optional<std::vector<ContextMemoryFile>> memory_files;
  Optional<std::vector<ContextAgent>> agents;
  Optional<std::vector<ContextSkill>> skills;
  Extra extra;
  bool operator==(const ContextUsage&) const = default;
};

struct ToolUseMeta {
  std::optional<std::string> id;
  std::optional<std::string> display_name;
  std::optional<std::string> server_display_name;
  std::optional<std::string> tool_name;
  Extra extra;
  bool operator==(const ToolUseMeta&) const = default;
};

struct LocalCommandRun {
  std::optional<std::string> command;
  std::optional<std::string> args;
  Extra extra;
  bool operator==(const LocalCommandRun&) const = default;
};

struct LocalCommandOutcome {
  std::optional<std::string> kind;
  Extra extra;
  bool operator==(const LocalCommandOutcome&) const = default;
};

/// One content block of the model's answer, whole. Blocks of one answer share `message.id`.
struct AssistantMessage : Stamped {
  ApiMessage message;
  Nullable<std::string> parent_tool_use_id;
  std::optional<std::string> timestamp;
  std::optional<std::string> request_id;
  std::optional<std::string> agent_id;
  std::optional<std::string> subagent_type;
  std::optional<std::string> task_description;
  Optional<Enum<AssistantError>> error;
  std::optional<bool> is_api_error_message;
  std::optional<std::int64_t> api_error_status;
  std::optional<std::string> api_error_type;
  std::optional<std::string> api_error;
  std::optional<RawJson> api_error_params;
  std::optional<std::string> user_message_uuid;
  std::optional<std::vector<std::string>> user_message_uuids;
  std::optional<std::string> resume_reason;
  std::optional<bool> resumed_from_incomplete_thinking;
  std::optional<std::vector<std::string>> supersedes;
  std::optional<bool> aborted;
  Optional<std::vector<ToolUseMeta>> tool_use_meta;
  std::optional<std::string> local_command_source;
  Optional<LocalCommandRun> local_command_run;
  Optional<LocalCommandOutcome> local_command_outcome;
  Optional<Box<ContextUsage>> context_usage;
  std::optional<RawJson> usage_report;
  std::optional<std::int64_t> thinking_duration_ms;
  std::optional<std::string> thinking_display;
  bool operator==(const AssistantMessage&) const = default;
};

struct PermissionDecision {
  std::optional<std::string> decision;
  std::optional<std::string> source;
  std::optional<std::string> reason_type;
  Extra extra;
  bool operator==(const PermissionDecision&) const = default;
};

struct ToolResultMeta {
  std::optional<std::string> id;
  Optional<PermissionDecision> permission_decision;
  std::optional<std::string> non_execution_kind;
  Extra extra;
  bool operator==(const ToolResultMeta&) const = default;
};

/// A prompt on stdin; on stdout a tool result, a replayed prompt or a note of the agent.
struct UserMessage : Stamped {
  MessageParam message;
  std::optional<std::string> parent_tool_use_id;
  std::optional<std::string> timestamp;
  std::optional<RawJson> tool_use_result;  ///< Typed by wire/tools/results.hpp.
  Optional<std::vector<ToolResultMeta>> tool_result_meta;
  std::optional<bool> isSynthetic;
  std::optional<bool> isReplay;
  Optional<Enum<MessagePriority>> priority;
  Optional<Box<MessageOrigin>> origin;
  std::optional<bool> shouldQuery;
  std::optional<bool> client_composed;
  std::optional<std::vector<RawJson>> pasted_content;
  std::optional<std::vector<std::string>> inline_pastes;
  std::optional<std::vector<RawJson>> file_attachments;
  std::optional<std::string> agent_id;
  std::optional<std::string> subagent_type;
  std::optional<std::string> task_description;
  std::optional<std::string> refused_message_id;
  bool operator==(const UserMessage&) const = default;
};

struct AbandonedBlocks {
  std::optional<std::string> api_message_id;
  std::optional<std::int64_t> from_block_index;
  Extra extra;
  bool operator==(const AbandonedBlocks&) const = default;
};

/// One event of a streaming answer (`--include-partial-messages`).
struct StreamEvent : Stamped {
  ApiEvent event;
  Nullable<std::string> parent_tool_use_id;
  std::optional<double> ttft_ms;
  std::optional<std::string> thinking_display;
  std::optional<std::string> api_message_id;
  Optional<AbandonedBlocks> abandoned_blocks;
  std::optional<std::string> user_message_uuid;
  std::optional<std::vector<std::string>> user_message_uuids;
  std::optional<std::string> resume_reason;
  std::optional<std::vector<RawJson>> owed_rows;
  bool operator==(const StreamEvent&) const = default;
};

PARLEY_ENUM(ResultSubtype, success, error_during_execution, error_max_turns, error_max_budget_usd,
            error_max_structured_output_retries)

struct SubagentRequested {
  std::optional<std::int64_t> background;
  std::optional<std::int64_t> foreground;
  std::optional<std::int64_t> unset;
  Extra extra;
  bool operator==(const SubagentRequested&) const = default;
};

struct SubagentKilled {
  std::optional<std::int64_t> parent;
  std::optional<std::int64_t> user;
  std::optional<std::int64_t> system;
  Extra extra;
  bool operator==(const SubagentKilled&) const = default;
};

struct SubagentRefused {
  std::optional<std::int64_t> depth_limit;
  std::optional<std::int64_t> concurrency_limit;
  std::optional<std::int64_t> budget;
  Extra extra;
  bool operator==(const SubagentRefused&) const = default;
};

struct SubagentStats {
  std::optional<std::int64_t> spawned;
  Optional<SubagentRequested> requested;
  std::optional<std::int64_t> started_in_background;
  std::optional<std::int64_t> max_depth;
  std::optional<std::int64_t> spawned_by_subagents;
  std::optional<std::int64_t> completed;
  std::optional<std::int64_t> failed;
  Optional<SubagentKilled> killed;
  Optional<SubagentRefused> refused;
  Optional<Map<std::int64_t>> by_type;
  Extra extra;
  bool operator==(const SubagentStats&) const = default;
};

struct DeferredToolUse {
  std::string id;
  std::string name;
  RawJson input;
  Extra extra;
  bool operator==(const DeferredToolUse&) const = default;
};

struct InvalidConfigFile {
  std::optional<std::string> path;
  std::optional<bool> is_global;
  std::optional<bool> backup_searched;
  std::optional<std::string> backup_path;
  Extra extra;
  bool operator==(const InvalidConfigFile&) const = default;
};

/// The end of a turn. `usage` is of this turn; `total_cost_usd` and `modelUsage` are sums.
/// An API error is a `success` with `is_error`.
struct ResultMessage : Stamped {
  Enum<ResultSubtype> subtype;
  std::optional<bool> is_error;
  std::optional<double> duration_ms;
  std::optional<double> duration_api_ms;
  std::optional<std::int64_t> num_turns;
  std::optional<std::string> result;
  std::optional<std::string> stop_reason;
  std::optional<double> total_cost_usd;
  Optional<Usage> usage;
  Optional<Map<ModelUsage>> modelUsage;
  Optional<std::vector<PermissionDenial>> permission_denials;
  std::optional<std::vector<std::string>> errors;
  std::optional<RawJson> structured_output;
  Optional<Enum<TerminalReason>> terminal_reason;
  std::optional<std::int64_t> api_error_status;
  std::optional<std::string> api_error_type;
  std::optional<std::string> api_error;
  Optional<DeferredToolUse> deferred_tool_use;
  Optional<Enum<FastModeState>> fast_mode_state;
  Optional<Enum<FastModeDisabledReason>> fast_mode_disabled_reason;
  Optional<Box<SubagentStats>> subagent_stats;
  std::optional<std::int64_t> safety_stops;
  std::optional<std::int64_t> queued_turn_count;
  std::optional<std::int64_t> result_index;
  Optional<Map<ModelUsage>> model_usage_since_last_result;
  Optional<Box<MessageOrigin>> origin;
  std::optional<std::string> local_command;
  std::optional<std::string> user_message_uuid;
  std::optional<std::vector<std::string>> user_message_uuids;
  std::optional<std::string> resume_reason;
  std::optional<std::string> startup_failure_reason;
  Optional<InvalidConfigFile> invalid_config_file;
  std::optional<bool> interrupted_by_shutdown;
  std::optional<bool> stopped_by_permission_check;
  std::optional<std::string> credential_expires_at;
  std::optional<double> ttft_ms;
  std::optional<double> ttft_stream_ms;
  std::optional<double> time_to_request_ms;
  std::optional<double> request_sent_wall_ms;
  std::optional<double> first_content_frame_ms;
  std::optional<std::int64_t> first_request_input_tokens;
  std::optional<std::int64_t> first_request_cache_read_input_tokens;
  std::optional<double> first_stream_post_ms;
  std::optional<double> first_stream_post_ack_ms;
  std::optional<double> first_stream_post_queue_wait_ms;
  std::optional<std::string> first_stream_post_queued_behind;
  std::optional<double> first_stream_post_wall_ms;
  std::optional<double> first_text_post_ms;
  std::optional<double> first_text_post_queue_wait_ms;
  std::optional<std::string> first_text_post_queued_behind;
  std::optional<double> first_text_post_wall_ms;
  std::optional<double> time_to_request_from_spawn_ms;
  std::optional<bool> warm_spare_claimed;
  std::optional<double> time_origin_ms;
  bool operator==(const ResultMessage&) const = default;
};

struct SubagentRetry {
  std::optional<std::string> agent_id;
  std::optional<std::int64_t> attempt;
  std::optional<std::int64_t> max_retries;
  std::optional<double> retry_delay_ms;
  Nullable<std::int64_t> error_status;
  std::optional<std::string> error_category;
  Extra extra;
  bool operator==(const SubagentRetry&) const = default;
};

struct ToolProgress : Stamped {
  std::string tool_use_id;
  std::optional<std::string> tool_name;
  Nullable<std::string> parent_tool_use_id;
  std::optional<double> elapsed_time_seconds;
  std::optional<std::string> task_id;
  std::optional<bool> heartbeat;
  std::optional<std::string> subagent_type;
  Optional<SubagentRetry> subagent_retry;
  bool operator==(const ToolProgress&) const = default;
};

struct AuthStatus : Stamped {
  std::optional<bool> isAuthenticating;
  std::optional<std::vector<std::string>> output;
  std::optional<std::string> error;
  bool operator==(const AuthStatus&) const = default;
};

struct ToolUseSummary : Stamped {
  std::string summary;
  std::optional<std::vector<std::string>> preceding_tool_use_ids;
  bool operator==(const ToolUseSummary&) const = default;
};

PARLEY_ENUM(RateLimitStatus, allowed, allowed_warning, rejected)

struct RateLimitInfo {
  Optional<Enum<RateLimitStatus>> status;
  std::optional<std::int64_t> resetsAt;
  std::optional<std::string> rateLimitType;
  std::optional<double> utilization;
  Optional<Enum<RateLimitStatus>> overageStatus;
  std::optional<std::int64_t> overageResetsAt;
  std::optional<std::string> overageDisabledReason;
  std::optional<bool> isUsingOverage;
  std::optional<bool> overageInUse;
  std::optional<bool> overageEnabled;
  std::optional<double> surpassedThreshold;
  std::optional<std::string> limitScope;
  std::optional<std::string> errorCode;
  std::optional<bool> canUserPurchaseCredits;
  std::optional<bool> hasChargeableSavedPaymentMethod;
  Extra extra;
  bool operator==(const RateLimitInfo&) const = default;
};

struct RateLimitEvent : Stamped {
  RateLimitInfo rate_limit_info;
  bool operator==(const RateLimitEvent&) const = default;
};

struct PromptSuggestion : Stamped {
  std::string suggestion;
  bool operator==(const PromptSuggestion&) const = default;
};

/// `/clear` and its like: what follows belongs to a new conversation.
struct ConversationReset : Stamped {
  std::optional<std::string> new_conversation_id;
  std::optional<std::string> trigger;
  std::optional<std::string> user_message_uuid;
  std::optional<std::string> timestamp;
  bool operator==(const ConversationReset&) const = default;
};

struct Goal {
  std::optional<std::string> condition;
  std::optional<std::int64_t> iterations;
  std::optional<std::int64_t> set_at;
  std::optional<std::int64_t> tokens_at_start;
  std::optional<std::string> last_reason;
  Extra extra;
  bool operator==(const Goal&) const = default;
};

struct ActiveGoal : Stamped {
  Nullable<Goal> value;
  bool operator==(const ActiveGoal&) const = default;
};

/// What became of a user message that was sent with a `uuid`: queued, started, completed, …
struct CommandLifecycle : Stamped {
  std::string command_uuid;
  std::string state;
  bool operator==(const CommandLifecycle&) const = default;
};

/// With `--session-mirror`: lines the CLI has just written to a transcript.
struct TranscriptMirror {
  std::string filePath;
  std::vector<RawJson> entries;
  Extra extra;
  bool operator==(const TranscriptMirror&) const = default;
};

/// On stdin: variables for the commands that run from now on.
struct UpdateEnvironmentVariables {
  Map<std::string> variables;
  std::optional<std::string> request_id;
  Extra extra;
  bool operator==(const UpdateEnvironmentVariables&) const = default;
};

struct KeepAlive {
  Extra extra;
  bool operator==(const KeepAlive&) const = default;
};

/// One line of the wire, in either direction. A fresh one is a KeepAlive: it says nothing.
struct Message
    : std::variant<KeepAlive, StreamEvent, AssistantMessage, UserMessage, ResultMessage,
                   ControlRequest, ControlResponse, ControlCancelRequest, CompactBoundary,
                   SystemInit, SystemStatus, ApiRetry, ControlRequestProgress, ModelRefusalFallback,
                   ModelRefusalNoFallback, ModelFallback, LocalCommandOutput, HookStarted,
                   HookProgress, HookResponse, PluginInstall, TaskNotification, TaskStarted,
                   TaskUpdated, TaskProgress, BackgroundTasksChanged, ThinkingTokens,
                   SessionStateChanged, WorkerShuttingDown, CommandsChanged, Notification,
                   FilesPersisted, MemoryRecall, ElicitationComplete, PermissionDenied, MirrorError,
                   Informational, SessionWritesLost, SessionTitleChanged, ToolProgress, AuthStatus,
                   ToolUseSummary, RateLimitEvent, PromptSuggestion, ConversationReset, ActiveGoal,
                   CommandLifecycle, TranscriptMirror, UpdateEnvironmentVariables, Unknown> {
  PARLEY_UNION(Message)

  /// The message if it is a T, else nullptr: `if (const auto* result = m.get_if<ResultMessage>())`.
  template <class T>
  [[nodiscard]] const T* get_if() const {
    return std::get_if<T>(static_cast<const variant*>(this));
  }
  template <class T>
  [[nodiscard]] bool is() const {
    return std::holds_alternative<T>(*this);
  }
  /// Calls the first of `cases` that takes what the message is; one of them must take anything:
  /// `message.visit([](const ResultMessage& r) { ... }, [](const auto&) {})`.
  template <class... Cases>
  decltype(auto) visit(Cases... cases) const {
    struct Overloaded : Cases... {
      using Cases::operator()...;
    };
    return std::visit(Overloaded{std::move(cases)...}, static_cast<const variant&>(*this));
  }
};

/// One line into a message. What is valid JSON and no message this build knows comes back as
/// Unknown; an error means malformed JSON, or a known member of the wrong type, and says where.
[[nodiscard]] Result<Message> decode_message(std::string_view line);
/// The same into `out`, a fresh Message: one is too large to be moved for nothing.
[[nodiscard]] Result<void> decode_message_into(Message& out, std::string_view line);
/// Appends the message as one line, without the newline.
void encode_message(const Message& message, std::string& out);
[[nodiscard]] std::string encode_message(const Message& message);

/// For logs: what it is and the beginning of what it says, on one line, without characters that a
/// terminal obeys.
[[nodiscard]] std::string to_string(const Message& message);

PARLEY_CODEC(Message)

}  // namespace parley
