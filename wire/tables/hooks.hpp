// Field tables of wire/control/hooks.hpp.
#pragma once

#include "../control/hooks.hpp"
#include "hook_outputs.hpp"
#include "mcp.hpp"
#include "permissions.hpp"

namespace parley {

PARLEY_OFFSETS_BEGIN

PARLEY_FIELDS(hooks::EffortLevel, level)
constexpr auto parley_fields(Tag<hooks::Input>) {
  using T = hooks::Input;
  return make_table<T>("hooks::Input", PARLEY_FIELD(T, session_id).lenient(),
                       PARLEY_FIELD(T, transcript_path).lenient(), PARLEY_FIELD(T, cwd).lenient(),
                       PARLEY_FIELD(T, prompt_id), PARLEY_FIELD(T, permission_mode),
                       PARLEY_FIELD(T, agent_id), PARLEY_FIELD(T, agent_type),
                       PARLEY_FIELD(T, effort));
}

PARLEY_FIELDS_WITH_BASE(hooks::PreToolUse, hooks::Input, tool_name, tool_input, tool_use_id,
                        mcp_server)
PARLEY_FIELDS_WITH_BASE(hooks::PostToolUse, hooks::Input, tool_name, tool_input, tool_response,
                        tool_use_id, duration_ms, mcp_server)
PARLEY_FIELDS_WITH_BASE(hooks::PostToolUseFailure, hooks::Input, tool_name, tool_input, tool_use_id,
                        error, is_interrupt, duration_ms, mcp_server)
PARLEY_FIELDS(hooks::BatchToolCall, tool_name, tool_input, tool_use_id, tool_response)
PARLEY_FIELDS_WITH_BASE(hooks::PostToolBatch, hooks::Input, tool_calls)
PARLEY_FIELDS_WITH_BASE(hooks::PermissionDenied, hooks::Input, tool_name, tool_input, tool_use_id,
                        reason, mcp_server)
PARLEY_FIELDS_WITH_BASE(hooks::PermissionRequest, hooks::Input, tool_name, tool_input,
                        permission_suggestions, mcp_server)

PARLEY_FIELDS_WITH_BASE(hooks::Notification, hooks::Input, message, title, notification_type)
PARLEY_FIELDS_WITH_BASE(hooks::UserPromptSubmit, hooks::Input, prompt, source, session_title)
PARLEY_FIELDS_WITH_BASE(hooks::UserPromptExpansion, hooks::Input, expansion_type, command_name,
                        command_args, command_source, prompt)
PARLEY_FIELDS_WITH_BASE(hooks::MessageDisplay, hooks::Input, turn_id, message_id, index, final_,
                        delta)

PARLEY_FIELDS_WITH_BASE(hooks::SessionStart, hooks::Input, source, model, session_title,
                        seconds_since_last_response, context_tokens, prompt_cache_likely_expired,
                        estimated_cache_write_usd)
PARLEY_FIELDS_WITH_BASE(hooks::SessionEnd, hooks::Input, reason)
PARLEY_FIELDS_WITH_BASE(hooks::Setup, hooks::Input, trigger)
PARLEY_FIELDS(hooks::BackgroundTaskSummary, id, type, status, description, command, agent_type,
              server, tool, name)
PARLEY_FIELDS(hooks::SessionCronSummary, id, schedule, recurring, prompt)
PARLEY_FIELDS_WITH_BASE(hooks::Stop, hooks::Input, stop_hook_active, last_assistant_message,
                        background_tasks, session_crons)
PARLEY_FIELDS_WITH_BASE(hooks::StopFailure, hooks::Input, error, error_details,
                        last_assistant_message)
PARLEY_FIELDS_WITH_BASE(hooks::SubagentStart, hooks::Input)
PARLEY_FIELDS_WITH_BASE(hooks::SubagentStop, hooks::Input, stop_hook_active, agent_transcript_path,
                        last_assistant_message, background_tasks, session_crons)
PARLEY_FIELDS_WITH_BASE(hooks::PreCompact, hooks::Input, trigger, custom_instructions)
PARLEY_FIELDS_WITH_BASE(hooks::PostCompact, hooks::Input, trigger, compact_summary)

PARLEY_FIELDS_WITH_BASE(hooks::PreModelSwitch, hooks::Input, from_model, to_model, requested_model,
                        source, context_tokens, prompt_cache_warm, cache_ttl,
                        estimated_cache_write_usd, pricing)
PARLEY_FIELDS_WITH_BASE(hooks::PostModelSwitch, hooks::Input, from_model, to_model, requested_model,
                        source, context_tokens, prompt_cache_warm, cache_ttl,
                        estimated_cache_write_usd, pricing)

PARLEY_FIELDS_WITH_BASE(hooks::TeammateIdle, hooks::Input, teammate_name, team_name)
PARLEY_FIELDS_WITH_BASE(hooks::TaskCreated, hooks::Input, task_id, task_subject, task_description,
                        teammate_name, team_name)
PARLEY_FIELDS_WITH_BASE(hooks::TaskCompleted, hooks::Input, task_id, task_subject, task_description,
                        teammate_name, team_name)

PARLEY_FIELDS_WITH_BASE(hooks::Elicitation, hooks::Input, mcp_server_name, message, mode, url,
                        elicitation_id, requested_schema)
PARLEY_FIELDS_WITH_BASE(hooks::ElicitationResult, hooks::Input, mcp_server_name, elicitation_id,
                        mode, action, content)

PARLEY_FIELDS_WITH_BASE(hooks::ConfigChange, hooks::Input, source, file_path)
PARLEY_FIELDS_WITH_BASE(hooks::InstructionsLoaded, hooks::Input, file_path, memory_type,
                        load_reason, globs, trigger_file_path, parent_file_path)
PARLEY_FIELDS_WITH_BASE(hooks::WorktreeCreate, hooks::Input, name)
PARLEY_FIELDS_WITH_BASE(hooks::WorktreeRemove, hooks::Input, worktree_path)
PARLEY_FIELDS_WITH_BASE(hooks::CwdChanged, hooks::Input, old_cwd, new_cwd)
PARLEY_FIELDS_WITH_BASE(hooks::FileChanged, hooks::Input, file_path, event)
PARLEY_FIELDS_WITH_BASE(hooks::DirectoryAdded, hooks::Input, directory, source)

constexpr auto parley_cases(Tag<HookInput>) {
  return make_cases<HookInput>(
      "HookInput", "hook_event_name", "", on<hooks::PreToolUse>("PreToolUse"),
      on<hooks::PostToolUse>("PostToolUse"), on<hooks::PostToolUseFailure>("PostToolUseFailure"),
      on<hooks::PostToolBatch>("PostToolBatch"), on<hooks::PermissionDenied>("PermissionDenied"),
      on<hooks::Notification>("Notification"), on<hooks::UserPromptSubmit>("UserPromptSubmit"),
      on<hooks::UserPromptExpansion>("UserPromptExpansion"),
      on<hooks::SessionStart>("SessionStart"), on<hooks::SessionEnd>("SessionEnd"),
      on<hooks::Stop>("Stop"), on<hooks::StopFailure>("StopFailure"),
      on<hooks::SubagentStart>("SubagentStart"), on<hooks::SubagentStop>("SubagentStop"),
      on<hooks::PreCompact>("PreCompact"), on<hooks::PostCompact>("PostCompact"),
      on<hooks::PreModelSwitch>("PreModelSwitch"), on<hooks::PostModelSwitch>("PostModelSwitch"),
      on<hooks::PermissionRequest>("PermissionRequest"), on<hooks::Setup>("Setup"),
      on<hooks::TeammateIdle>("TeammateIdle"), on<hooks::TaskCreated>("TaskCreated"),
      on<hooks::TaskCompleted>("TaskCompleted"), on<hooks::Elicitation>("Elicitation"),
      on<hooks::ElicitationResult>("ElicitationResult"), on<hooks::ConfigChange>("ConfigChange"),
      on<hooks::InstructionsLoaded>("InstructionsLoaded"),
      on<hooks::WorktreeCreate>("WorktreeCreate"), on<hooks::WorktreeRemove>("WorktreeRemove"),
      on<hooks::CwdChanged>("CwdChanged"), on<hooks::FileChanged>("FileChanged"),
      on<hooks::DirectoryAdded>("DirectoryAdded"), on<hooks::MessageDisplay>("MessageDisplay"));
}

namespace detail {

consteval bool hook_events_match_inputs() {
  constexpr auto events = parley_enum(Tag<HookEvent>{});
  return std::apply(
      [&](const auto&... row) {
        std::size_t at = 0;
        return sizeof...(row) == events.size() && ((row.name == events[at++]) && ...);
      },
      parley_cases(Tag<HookInput>{}).rows);
}
static_assert(hook_events_match_inputs(), "HookEvent and HookInput list the events differently");

}  // namespace detail

constexpr auto parley_fields(Tag<HookMatcher>) {
  using T = HookMatcher;
  // Without ids it asks for nothing, which the agent answers with an error of its own.
  return make_table<T>("HookMatcher", PARLEY_FIELD(T, matcher),
                       PARLEY_FIELD(T, hookCallbackIds).lenient(), PARLEY_FIELD(T, timeout),
                       PARLEY_FIELD(T, onFailure));
}

PARLEY_OFFSETS_END

}  // namespace parley
