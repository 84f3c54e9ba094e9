// Field tables of wire/messages/system_messages.hpp.
#pragma once

#include "../messages/system_messages.hpp"
#include "catalog.hpp"
#include "mcp.hpp"
#include "permissions.hpp"
#include "stamped.hpp"

namespace parley {

PARLEY_FIELDS(CompactPreservedSegment, head_uuid, anchor_uuid, tail_uuid)
PARLEY_FIELDS(CompactPreservedMessages, anchor_uuid, uuids, all_uuids)
PARLEY_FIELDS(ArtifactVersion, slug, ver)
PARLEY_FIELDS(CompactMetadata, trigger, pre_tokens, post_tokens, cumulative_dropped_tokens,
              duration_ms, user_context, messages_summarized, precomputed,
              pre_compact_discovered_tools, pre_compact_artifact_read_versions, preserved_segment,
              preserved_messages)
PARLEY_FIELDS_WITH_BASE(CompactBoundary, Stamped, compact_metadata, logical_parent_uuid)
PARLEY_FIELDS(InitMcpServer, name, status, source)
PARLEY_FIELDS(InitPlugin, name, path, source, version)
PARLEY_FIELDS(ManagedLock, plugin_enabled, name, marketplace)
PARLEY_FIELDS(PluginError, plugin, type, message, path, managed_lock)
PARLEY_FIELDS(InitMcpServerError, name, type, message)
PARLEY_FIELDS_WITH_BASE(SystemInit, Stamped, cwd, tools, mcp_servers, model, permissionMode,
                        slash_commands, terminal_slash_commands, apiKeySource, claude_code_version,
                        output_style, agents, skills, plugins, plugin_errors, mcp_server_errors,
                        betas, capabilities, analytics_disabled, product_feedback_disabled,
                        memory_paths, original_cwd, additional_directories, messaging_socket_path,
                        fast_mode_state, fast_mode_disabled_reason, effort, per_turn_effort_active,
                        ultrathink_available, ultrathink_typed_raises, view_mode,
                        user_message_uuids)
PARLEY_FIELDS_WITH_BASE(SystemStatus, Stamped, status, permissionMode, compact_result,
                        compact_error, compact_output_chars, user_message_uuids)
PARLEY_FIELDS(NoResponse, waited_ms, retry_wait_ms)
PARLEY_FIELDS_WITH_BASE(ApiRetry, Stamped, attempt, max_retries, retry_delay_ms, error_status,
                        error, no_response)
PARLEY_FIELDS_WITH_BASE(ControlRequestProgress, Stamped, request_id, status, attempt, max_retries,
                        retry_delay_ms, error_status)
PARLEY_FIELDS_WITH_BASE(ModelRefusalFallback, Stamped, trigger, direction, scope, original_model,
                        fallback_model, request_id, api_refusal_category, api_refusal_explanation,
                        retracted_message_uuids, refused_user_message_uuid, content)
PARLEY_FIELDS_WITH_BASE(ModelRefusalNoFallback, Stamped, original_model, request_id,
                        api_refusal_category, api_refusal_explanation, refused_user_message_uuid,
                        content)
PARLEY_FIELDS_WITH_BASE(ModelFallback, Stamped, trigger, original_model, fallback_model, content)
PARLEY_FIELDS_WITH_BASE(LocalCommandOutput, Stamped, content)
PARLEY_FIELDS_WITH_BASE(HookStarted, Stamped, hook_id, hook_name, hook_event)
PARLEY_FIELDS_WITH_BASE(HookProgress, Stamped, hook_id, hook_name, hook_event, stdout_, stderr_,
                        output)
PARLEY_FIELDS_WITH_BASE(HookResponse, Stamped, hook_id, hook_name, hook_event, output, stdout_,
                        stderr_, exit_code, outcome)
PARLEY_FIELDS_WITH_BASE(PluginInstall, Stamped, status, name, error)
PARLEY_FIELDS(TaskUsage, total_tokens, tool_uses, duration_ms)
PARLEY_FIELDS_WITH_BASE(TaskNotification, Stamped, task_id, run_id, tool_use_id, status, reason,
                        output_file, summary, usage, resource_links, skip_transcript, ambient)
PARLEY_FIELDS_WITH_BASE(TaskStarted, Stamped, task_id, run_id, tool_use_id, description,
                        subagent_type, is_backgrounded, awaited, spawn_depth, parent_task_id,
                        task_type, workflow_name, prompt, skip_transcript, ambient)
PARLEY_FIELDS(TaskPatch, status, description, end_time, total_paused_ms, error, is_backgrounded)
PARLEY_FIELDS_WITH_BASE(TaskUpdated, Stamped, task_id, run_id, patch)
PARLEY_FIELDS_WITH_BASE(TaskProgress, Stamped, task_id, run_id, tool_use_id, description,
                        subagent_type, usage, last_tool_name, summary)
PARLEY_FIELDS(BackgroundTask, task_id, run_id, task_type, subagent_type, description,
              parent_task_id, ambient, awaited, off_host)
PARLEY_FIELDS_WITH_BASE(BackgroundTasksChanged, Stamped, tasks)
PARLEY_FIELDS_WITH_BASE(ThinkingTokens, Stamped, estimated_tokens, estimated_tokens_delta,
                        user_message_uuid)
PARLEY_FIELDS_WITH_BASE(SessionStateChanged, Stamped, state)
PARLEY_FIELDS_WITH_BASE(WorkerShuttingDown, Stamped, reason)
PARLEY_FIELDS_WITH_BASE(CommandsChanged, Stamped, commands)
PARLEY_FIELDS_WITH_BASE(Notification, Stamped, key, text, priority, color, timeout_ms)
PARLEY_FIELDS(PersistedFile, filename, file_id)
PARLEY_FIELDS(UnpersistedFile, filename, error)
PARLEY_FIELDS_WITH_BASE(FilesPersisted, Stamped, files, failed, processed_at)
PARLEY_FIELDS(RecalledMemory, path, scope, content)
PARLEY_FIELDS_WITH_BASE(MemoryRecall, Stamped, mode, memories)
PARLEY_FIELDS_WITH_BASE(ElicitationComplete, Stamped, mcp_server_name, elicitation_id)
PARLEY_FIELDS_WITH_BASE(PermissionDenied, Stamped, tool_name, tool_use_id, agent_id,
                        decision_reason_type, decision_reason_code, decision_reason, message)
PARLEY_FIELDS(MirrorKey, projectKey, sessionId, subpath)
PARLEY_FIELDS_WITH_BASE(MirrorError, Stamped, error, key)
PARLEY_FIELDS_WITH_BASE(Informational, Stamped, content, level, tool_use_id, prevent_continuation,
                        tag, prompt_submit_outcome, isMeta, timestamp)
PARLEY_FIELDS_WITH_BASE(SessionWritesLost, Stamped, error_code, lost, transcript_session_ids)
PARLEY_FIELDS_WITH_BASE(SessionTitleChanged, Stamped, title)

}  // namespace parley
