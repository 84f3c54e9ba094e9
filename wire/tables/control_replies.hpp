// Field tables of wire/control/replies.hpp.
#pragma once

#include "../control/replies.hpp"
#include "catalog.hpp"
#include "hooks.hpp"
#include "mcp.hpp"

namespace parley {

PARLEY_OFFSETS_BEGIN

PARLEY_FIELDS(control::McpMessageReply, mcp_response)
PARLEY_FIELDS(control::ElicitationReply, action, content)
PARLEY_FIELDS(control::RequestUserDialogReply, behavior, result)

PARLEY_FIELDS(control::FeedbackMode, kind)
PARLEY_FIELDS(control::InitializeReply, commands, agents, output_style, available_output_styles,
              user_output_styles_dir, models, account, pid, claude_code_version,
              current_permission_mode, hooks_applied, hook_on_failure_supported,
              other_hook_ask_outranks_host, plugins_applied, sdk_mcp_manifests_parked,
              feedback_mode, analytics_disabled, remote_control_auto_enable,
              remote_control_auto_connect_default, remote_control_available,
              remote_control_auto_on_by_default, ide_rc_auto_enable_gate, fast_mode_state,
              fast_mode_disabled_reason, session_state, capabilities)
PARLEY_FIELDS(control::InterruptReply, still_queued, cancelled)
PARLEY_FIELDS(control::EndSessionReply)
PARLEY_FIELDS(control::RenameSessionReply)
PARLEY_FIELDS(control::SetColorReply)
PARLEY_FIELDS(control::SetHasSubscribersReply)
PARLEY_FIELDS(control::CancelAsyncMessageReply, cancelled)
PARLEY_FIELDS(control::GetBinaryVersionReply, version, buildTime)

PARLEY_FIELDS(control::SetModelReply, model)
PARLEY_FIELDS(control::ListModelsReply, models)
PARLEY_FIELDS(control::SetMaxThinkingTokensReply)
PARLEY_FIELDS(control::SetPermissionModeReply, mode)

PARLEY_FIELDS(control::SetMcpPermissionModeOverrideReply, warning)
PARLEY_FIELDS(control::McpStatusReply, mcpServers)
PARLEY_FIELDS(control::McpSetServersReply, added, removed, errors)
PARLEY_FIELDS(control::McpReconnectReply)
PARLEY_FIELDS(control::McpToggleReply)
PARLEY_FIELDS(control::McpReadResourceReply, contents)
PARLEY_FIELDS(control::StagedFile, lane_path, etag, bytes)
PARLEY_FIELDS(control::Staging, ok, outputs, inputs_used, error_code, detail, retryable,
              refusal_limit)
constexpr auto parley_fields(Tag<control::McpCallReply>) {
  using T = control::McpCallReply;
  return make_table<T>("control::McpCallReply", PARLEY_FIELD(T, content),
                       PARLEY_FIELD(T, structuredContent), PARLEY_FIELD_AS(T, meta, "_meta"),
                       PARLEY_FIELD(T, staging));
}

PARLEY_FIELDS(control::StopTaskReply)
PARLEY_FIELDS(control::BackgroundTasksReply, backgrounded)
PARLEY_FIELDS(control::GetTaskOutputReply, output, total_bytes, truncated)

PARLEY_FIELDS(control::RewindFilesReply, canRewind, error, filesChanged, insertions, deletions,
              skippedLinks)
PARLEY_FIELDS(control::ReadFileReply, contents, absPath, truncated, encoding, lossy)
PARLEY_FIELDS(control::SeedReadStateReply)
PARLEY_FIELDS(control::FileSuggestion, path, score)
PARLEY_FIELDS(control::FileSuggestionsReply, suggestions, cwd)
PARLEY_FIELDS(control::RegisterRepoRootReply, directory)

PARLEY_FIELDS(control::CacheImpact, mcp_servers_added, mcp_servers_removed, lsp_tool_change)
PARLEY_FIELDS(control::ReloadPluginsReply, commands, agents, plugins, mcpServers, error_count, held,
              cache_impact)
PARLEY_FIELDS(control::ReloadSkillsReply, skills)
PARLEY_FIELDS(control::ReloadOutputStylesReply, available_output_styles)

PARLEY_OFFSETS_END

}  // namespace parley
