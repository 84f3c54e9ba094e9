// Field tables of wire/messages/messages.hpp.
#pragma once

#include "../messages/messages.hpp"
#include "control.hpp"
#include "stream.hpp"
#include "system_messages.hpp"

namespace parley {

PARLEY_OFFSETS_BEGIN

PARLEY_FIELDS(MessageOrigin, kind, server, from, fromMode, name, fromSession, senderTaskId, body,
              verifiedPeerPid, subkind, fireReason, runId, producer)
PARLEY_FIELDS(ContextCategory, name, tokens, kind)
PARLEY_FIELDS(ContextMcpTool, name, server_name, tokens)
PARLEY_FIELDS(ContextMemoryFile, path, type, tokens)
PARLEY_FIELDS(ContextAgent, agent_type, source, tokens)
PARLEY_FIELDS(ContextSkill, name, source, plugin_name, tokens)
PARLEY_FIELDS(ContextOverLimit, tokens_over, kind)
PARLEY_FIELDS(ContextUsage, model, total_tokens, raw_max_tokens, percentage, over_limit, categories,
              mcp_tools, memory_files, agents, skills)
PARLEY_FIELDS(ToolUseMeta, id, display_name, server_display_name, tool_name)
PARLEY_FIELDS(LocalCommandRun, command, args)
PARLEY_FIELDS(LocalCommandOutcome, kind)
PARLEY_FIELDS_WITH_BASE(AssistantMessage, Stamped, message, parent_tool_use_id, timestamp,
                        request_id, agent_id, subagent_type, task_description, error,
                        is_api_error_message, api_error_status, api_error_type, api_error,
                        api_error_params, user_message_uuid, user_message_uuids, resume_reason,
                        resumed_from_incomplete_thinking, supersedes, aborted, tool_use_meta,
                        local_command_source, local_command_run, local_command_outcome,
                        context_usage, usage_report, thinking_duration_ms, thinking_display)
PARLEY_FIELDS(PermissionDecision, decision, source, reason_type)
PARLEY_FIELDS(ToolResultMeta, id, permission_decision, non_execution_kind)
constexpr auto parley_fields(Tag<UserMessage>) {
  // A prompt without a message is a peer's mistake that the agent reports, not a broken line.
  return make_table<UserMessage, Stamped>(
      "UserMessage",
      PARLEY_FIELD(UserMessage, message)
          .lenient()
              PARLEY_EACH(PARLEY_ROW, UserMessage, parent_tool_use_id, timestamp, tool_use_result,
                          tool_result_meta, isSynthetic, isReplay, priority, origin, shouldQuery,
                          client_composed, pasted_content, inline_pastes, file_attachments,
                          agent_id, subagent_type, task_description, refused_message_id));
}
PARLEY_FIELDS(AbandonedBlocks, api_message_id, from_block_index)
PARLEY_FIELDS_WITH_BASE(StreamEvent, Stamped, event, parent_tool_use_id, ttft_ms, thinking_display,
                        api_message_id, abandoned_blocks, user_message_uuid, user_message_uuids,
                        resume_reason, owed_rows)
PARLEY_FIELDS(SubagentRequested, background, foreground, unset)
PARLEY_FIELDS(SubagentKilled, parent, user, system)
PARLEY_FIELDS(SubagentRefused, depth_limit, concurrency_limit, budget)
PARLEY_FIELDS(SubagentStats, spawned, requested, started_in_background, max_depth,
              spawned_by_subagents, completed, failed, killed, refused, by_type)
PARLEY_FIELDS(DeferredToolUse, id, name, input)
PARLEY_FIELDS(InvalidConfigFile, path, is_global, backup_searched, backup_path)
// A result is what programs write whose author knew the protocol from its description only, with
// members in either case; see docs/design/wire.md.
PARLEY_OFFSETS_BEGIN
constexpr auto parley_fields(Tag<ResultMessage>) {
  using T = ResultMessage;
  return make_table<T, Stamped>(
      "ResultMessage", PARLEY_FIELD(T, subtype), PARLEY_FIELD(T, is_error).alias("isError"),
      PARLEY_FIELD(T, duration_ms).alias("durationMs"),
      PARLEY_FIELD(T, duration_api_ms).alias("durationApiMs"),
      PARLEY_FIELD(T, num_turns).alias("numTurns"), PARLEY_FIELD(T, result),
      PARLEY_FIELD(T, stop_reason).alias("stopReason"),
      PARLEY_FIELD(T, total_cost_usd).alias("totalCostUsd"), PARLEY_FIELD(T, usage),
      PARLEY_FIELD(T, modelUsage).alias("model_usage"),
      PARLEY_FIELD(T, permission_denials).alias("permissionDenials"), PARLEY_FIELD(T, errors),
      PARLEY_FIELD(T, structured_output).alias("structuredOutput"),
      PARLEY_FIELD(T, terminal_reason) PARLEY_EACH(
          PARLEY_ROW, T, api_error_status, api_error_type, api_error, deferred_tool_use,
          fast_mode_state, fast_mode_disabled_reason, subagent_stats, safety_stops,
          queued_turn_count, result_index, model_usage_since_last_result, origin, local_command,
          user_message_uuid, user_message_uuids, resume_reason, startup_failure_reason,
          invalid_config_file, interrupted_by_shutdown, stopped_by_permission_check,
          credential_expires_at, ttft_ms, ttft_stream_ms, time_to_request_ms, request_sent_wall_ms,
          first_content_frame_ms, first_request_input_tokens, first_request_cache_read_input_tokens,
          first_stream_post_ms, first_stream_post_ack_ms, first_stream_post_queue_wait_ms,
          first_stream_post_queued_behind, first_stream_post_wall_ms, first_text_post_ms,
          first_text_post_queue_wait_ms, first_text_post_queued_behind, first_text_post_wall_ms,
          time_to_request_from_spawn_ms, warm_spare_claimed, time_origin_ms));
}
PARLEY_OFFSETS_END
PARLEY_FIELDS(SubagentRetry, agent_id, attempt, max_retries, retry_delay_ms, error_status,
              error_category)
PARLEY_FIELDS_WITH_BASE(ToolProgress, Stamped, tool_use_id, tool_name, parent_tool_use_id,
                        elapsed_time_seconds, task_id, heartbeat, subagent_type, subagent_retry)
PARLEY_FIELDS_WITH_BASE(AuthStatus, Stamped, isAuthenticating, output, error)
PARLEY_FIELDS_WITH_BASE(ToolUseSummary, Stamped, summary, preceding_tool_use_ids)
PARLEY_FIELDS(RateLimitInfo, status, resetsAt, rateLimitType, utilization, overageStatus,
              overageResetsAt, overageDisabledReason, isUsingOverage, overageInUse, overageEnabled,
              surpassedThreshold, limitScope, errorCode, canUserPurchaseCredits,
              hasChargeableSavedPaymentMethod)
PARLEY_FIELDS_WITH_BASE(RateLimitEvent, Stamped, rate_limit_info)
PARLEY_FIELDS_WITH_BASE(PromptSuggestion, Stamped, suggestion)
PARLEY_FIELDS_WITH_BASE(ConversationReset, Stamped, new_conversation_id, trigger, user_message_uuid,
                        timestamp)
PARLEY_FIELDS(Goal, condition, iterations, set_at, tokens_at_start, last_reason)
PARLEY_FIELDS_WITH_BASE(ActiveGoal, Stamped, value)
PARLEY_FIELDS_WITH_BASE(CommandLifecycle, Stamped, command_uuid, state)
PARLEY_FIELDS(TranscriptMirror, filePath, entries)
PARLEY_FIELDS(UpdateEnvironmentVariables, variables, request_id)
PARLEY_FIELDS(KeepAlive)
constexpr auto parley_cases(Tag<Message>) {
  return make_cases<Message>(
      "Message", "type", "subtype", on<KeepAlive>("keep_alive"), on<StreamEvent>("stream_event"),
      on<AssistantMessage>("assistant"), on<UserMessage>("user"), on<ResultMessage>("result"),
      on<ControlRequest>("control_request"), on<ControlResponse>("control_response"),
      on<ControlCancelRequest>("control_cancel_request"),
      on<CompactBoundary>("system", "compact_boundary"), on<SystemInit>("system", "init"),
      on<SystemStatus>("system", "status"), on<ApiRetry>("system", "api_retry"),
      on<ControlRequestProgress>("system", "control_request_progress"),
      on<ModelRefusalFallback>("system", "model_refusal_fallback"),
      on<ModelRefusalNoFallback>("system", "model_refusal_no_fallback"),
      on<ModelFallback>("system", "model_fallback"),
      on<LocalCommandOutput>("system", "local_command_output"),
      on<HookStarted>("system", "hook_started"), on<HookProgress>("system", "hook_progress"),
      on<HookResponse>("system", "hook_response"), on<PluginInstall>("system", "plugin_install"),
      on<TaskNotification>("system", "task_notification"),
      on<TaskStarted>("system", "task_started"), on<TaskUpdated>("system", "task_updated"),
      on<TaskProgress>("system", "task_progress"),
      on<BackgroundTasksChanged>("system", "background_tasks_changed"),
      on<ThinkingTokens>("system", "thinking_tokens"),
      on<SessionStateChanged>("system", "session_state_changed"),
      on<WorkerShuttingDown>("system", "worker_shutting_down"),
      on<CommandsChanged>("system", "commands_changed"), on<Notification>("system", "notification"),
      on<FilesPersisted>("system", "files_persisted"), on<MemoryRecall>("system", "memory_recall"),
      on<ElicitationComplete>("system", "elicitation_complete"),
      on<PermissionDenied>("system", "permission_denied"),
      on<MirrorError>("system", "mirror_error"), on<Informational>("system", "informational"),
      on<SessionWritesLost>("system", "session_writes_lost"),
      on<SessionTitleChanged>("system", "session_title_changed"), on<ToolProgress>("tool_progress"),
      on<AuthStatus>("auth_status"), on<ToolUseSummary>("tool_use_summary"),
      on<RateLimitEvent>("rate_limit_event"), on<PromptSuggestion>("prompt_suggestion"),
      on<ConversationReset>("conversation_reset"), on<ActiveGoal>("active_goal"),
      on<CommandLifecycle>("command_lifecycle"), on<TranscriptMirror>("transcript_mirror"),
      on<UpdateEnvironmentVariables>("update_environment_variables"));
}

PARLEY_OFFSETS_END

}  // namespace parley
