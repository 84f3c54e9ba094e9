// Field tables of wire/control/requests.hpp, and the union of all requests.
#pragma once

#include "../control/control.hpp"
#include "catalog.hpp"
#include "hooks.hpp"
#include "mcp.hpp"

namespace parley {

PARLEY_OFFSETS_BEGIN

/// Only null and values pass through here: a setting to keep is the default, and a lenient row
/// leaves that out.
template <class T>
struct Codec<control::Change<T>> {
  static bool read(JsonReader& r, control::Change<T>& out, detail::DecodeFailure& f) {
    out.given = true;
    return Codec<std::optional<T>>::read(r, out.value, f);
  }
  static void write(const control::Change<T>& v, std::string& out) {
    Codec<std::optional<T>>::write(v.value, out);
  }
  static Json schema(SchemaBuilder& b) { return Codec<std::optional<T>>::schema(b); }
};

// ---- asked by the agent ------------------------------------------------------------------------

PARLEY_FIELDS(control::MatchedAskRule, source, tool_name, rule_content)
constexpr auto parley_fields(Tag<control::CanUseTool>) {
  using T = control::CanUseTool;
  return make_table<T>(
      "control::CanUseTool", PARLEY_FIELD(T, tool_name), PARLEY_FIELD(T, mcp_server),
      PARLEY_FIELD(T, display_name), PARLEY_FIELD(T, input), PARLEY_FIELD(T, description),
      PARLEY_FIELD(T, permission_suggestions), PARLEY_FIELD(T, blocked_path),
      PARLEY_FIELD(T, decision_reason), PARLEY_FIELD(T, decision_reason_type),
      PARLEY_FIELD(T, decision_reason_hook_event), PARLEY_FIELD(T, decision_reason_hook_source),
      PARLEY_FIELD(T, decision_reason_rule_source), PARLEY_FIELD(T, server_policy_ask_only),
      PARLEY_FIELD(T, classifier_approvable), PARLEY_FIELD(T, suppress_always_allow_rule),
      PARLEY_FIELD(T, default_to_no), PARLEY_FIELD(T, matched_ask_rule), PARLEY_FIELD(T, title),
      PARLEY_FIELD(T, tool_use_id).lenient(), PARLEY_FIELD(T, agent_id),
      PARLEY_FIELD(T, requires_user_interaction));
}
PARLEY_FIELDS(control::HookCallback, callback_id, input, tool_use_id)
PARLEY_FIELDS(control::McpMessage, server_name, message)
PARLEY_FIELDS(control::Elicitation, mcp_server_name, message, mode, url, elicitation_id,
              requested_schema, property_order, title, display_name, description)
PARLEY_FIELDS(control::RequestUserDialog, dialog_kind, payload, tool_use_id)

// ---- the session -------------------------------------------------------------------------------

PARLEY_FIELDS(control::SdkMcpServerManifest, initializeResult, toolsListResult)
PARLEY_FIELDS(control::Initialize, hooks, sdkMcpServers, sdkMcpServerConfigs, sdkMcpServerManifests,
              sdkMcpServerManifestsOrigin, jsonSchema, systemPrompt, appendSystemPrompt,
              systemPromptSnapshot, planModeInstructions, toolAliases, excludeDynamicSections,
              agents, title, skills, promptSuggestions, agentProgressSummaries, forwardSubagentText,
              supportedDialogKinds, perTaskStopAffordance, plugins)
PARLEY_FIELDS(control::Interrupt, cancel_queued)
PARLEY_FIELDS(control::EndSession)
PARLEY_FIELDS(control::RenameSession, title, source, session_id)
PARLEY_FIELDS(control::SetColor, color)
PARLEY_FIELDS(control::SetHasSubscribers, has_subscribers)
PARLEY_FIELDS(control::CancelAsyncMessage, message_uuid)
PARLEY_FIELDS(control::GetBinaryVersion)

// ---- model and permissions ---------------------------------------------------------------------

PARLEY_FIELDS(control::SetModel, model)
PARLEY_FIELDS(control::ListModels)
constexpr auto parley_fields(Tag<control::SetMaxThinkingTokens>) {
  using T = control::SetMaxThinkingTokens;
  return make_table<T>("control::SetMaxThinkingTokens",
                       PARLEY_FIELD(T, max_thinking_tokens).lenient(),
                       PARLEY_FIELD(T, thinking_display).lenient());
}
PARLEY_FIELDS(control::SetPermissionMode, mode)
PARLEY_FIELDS(control::ListPermissionRules)

// ---- MCP ---------------------------------------------------------------------------------------

PARLEY_FIELDS(control::SetMcpPermissionModeOverride, serverName, mode)
PARLEY_FIELDS(control::McpStatus, liveReply)
PARLEY_FIELDS(control::McpSetServers, servers)
PARLEY_FIELDS(control::McpReconnect, serverName)
PARLEY_FIELDS(control::McpToggle, serverName, enabled)
PARLEY_FIELDS(control::McpReadResource, serverName, uri)
PARLEY_FIELDS(control::McpCallInputFile, name, lane_path)
PARLEY_FIELDS(control::McpCallOutputFile, name, lane_path, if_match)
PARLEY_FIELDS(control::McpCall, tool, arguments, expires_at, timeout_ms, result_not_for_model,
              check_permissions, input_files, output_files)

// ---- tasks and files ---------------------------------------------------------------------------

PARLEY_FIELDS(control::StopTask, task_id)
PARLEY_FIELDS(control::BackgroundTasks, tool_use_id)
PARLEY_FIELDS(control::GetTaskOutput, task_id)
PARLEY_FIELDS(control::RewindFiles, user_message_id, dry_run)
PARLEY_FIELDS(control::ReadFile, path, max_bytes, encoding)
PARLEY_FIELDS(control::SeedReadState, path, mtime)
PARLEY_FIELDS(control::FileSuggestions, query)
PARLEY_FIELDS(control::RegisterRepoRoot, directory, reload_claude_md, reload_plugins, reload_skills)

// ---- settings, hooks, plugins, skills, tokens --------------------------------------------------

PARLEY_FIELDS(control::ApplyFlagSettings, settings)
PARLEY_FIELDS(control::UpdateSettings, source, settings)
PARLEY_FIELDS(control::GetSettings)
PARLEY_FIELDS(control::GetHooksListing)
PARLEY_FIELDS(control::ReloadPlugins, hold_on_cache_impact, add_plugins, refuse_if_busy)
PARLEY_FIELDS(control::ReloadSkills)
PARLEY_FIELDS(control::ReloadOutputStyles)
PARLEY_FIELDS(control::GetContextUsage, detail)
PARLEY_FIELDS(control::GetSessionCost)
PARLEY_FIELDS(control::GetUsage, skip_behaviors)

constexpr auto parley_cases(Tag<ControlBody>) {
  return make_cases<ControlBody>(
      "ControlBody", "subtype", "", on<control::CanUseTool>("can_use_tool"),
      on<control::HookCallback>("hook_callback"), on<control::McpMessage>("mcp_message"),
      on<control::Initialize>("initialize"), on<control::Interrupt>("interrupt"),
      on<control::SetPermissionMode>("set_permission_mode"), on<control::SetModel>("set_model"),
      on<control::SetMaxThinkingTokens>("set_max_thinking_tokens"),
      on<control::Elicitation>("elicitation"),
      on<control::RequestUserDialog>("request_user_dialog"), on<control::EndSession>("end_session"),
      on<control::RenameSession>("rename_session"), on<control::SetColor>("set_color"),
      on<control::SetHasSubscribers>("set_has_subscribers"),
      on<control::CancelAsyncMessage>("cancel_async_message"),
      on<control::GetBinaryVersion>("get_binary_version"), on<control::ListModels>("list_models"),
      on<control::ListPermissionRules>("list_permission_rules"),
      on<control::SetMcpPermissionModeOverride>("set_mcp_permission_mode_override"),
      on<control::McpStatus>("mcp_status"), on<control::McpSetServers>("mcp_set_servers"),
      on<control::McpReconnect>("mcp_reconnect"), on<control::McpToggle>("mcp_toggle"),
      on<control::McpReadResource>("mcp_read_resource"), on<control::McpCall>("mcp_call"),
      on<control::StopTask>("stop_task"), on<control::BackgroundTasks>("background_tasks"),
      on<control::GetTaskOutput>("get_task_output"), on<control::RewindFiles>("rewind_files"),
      on<control::ReadFile>("read_file"), on<control::SeedReadState>("seed_read_state"),
      on<control::FileSuggestions>("file_suggestions"),
      on<control::RegisterRepoRoot>("register_repo_root"),
      on<control::ApplyFlagSettings>("apply_flag_settings"),
      on<control::UpdateSettings>("update_settings"), on<control::GetSettings>("get_settings"),
      on<control::GetHooksListing>("get_hooks_listing"),
      on<control::ReloadPlugins>("reload_plugins"), on<control::ReloadSkills>("reload_skills"),
      on<control::ReloadOutputStyles>("reload_output_styles"),
      on<control::GetContextUsage>("get_context_usage"),
      on<control::GetSessionCost>("get_session_cost"), on<control::GetUsage>("get_usage"));
}

PARLEY_OFFSETS_END

}  // namespace parley
