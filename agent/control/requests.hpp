// The control requests that this agent serves: one function each, by family one file. control.cpp
// lists them all in its table. They run on the reader's thread, beside a turn: everything here is
// quick and waits for nobody.
#pragma once

#include "../../wire/control/control.hpp"
#include "control_context.hpp"
#include "reply.hpp"

namespace parley::agent::requests {

// initialize.cpp
void initialize(ControlContext& context, const control::Initialize& request,
                const Responder& responder);

// interrupt.cpp
void interrupt(ControlContext& context, const control::Interrupt& request,
               const Responder& responder);
ControlReply cancel_async_message(ControlContext& context,
                                  const control::CancelAsyncMessage& request);
ControlReply end_session(ControlContext& context, const control::EndSession& request);

// model.cpp
ControlReply set_model(ControlContext& context, const control::SetModel& request);
ControlReply set_max_thinking_tokens(ControlContext& context,
                                     const control::SetMaxThinkingTokens& request);
ControlReply list_models(ControlContext& context, const control::ListModels& request);

// permission_rules.cpp
void set_permission_mode(ControlContext& context, const control::SetPermissionMode& request,
                         const Responder& responder);
ControlReply list_permission_rules(ControlContext& context,
                                   const control::ListPermissionRules& request);
/// Opens up one more folder for the session.
ControlReply register_repo_root(ControlContext& context, const control::RegisterRepoRoot& request);

// settings.cpp
/// The settings as they are now on disk and by flag, each source and all merged.
ControlReply get_settings(ControlContext& context, const control::GetSettings& request);
ControlReply update_settings(ControlContext& context, const control::UpdateSettings& request);
ControlReply apply_flag_settings(ControlContext& context,
                                 const control::ApplyFlagSettings& request);
ControlReply reload_output_styles(ControlContext& context,
                                  const control::ReloadOutputStyles& request);

// hooks_listing.cpp
/// The hooks of the settings that this session began with, and every event there is.
ControlReply get_hooks_listing(ControlContext& context, const control::GetHooksListing& request);

// files.cpp
/// The beginning of a file that the Read tool could read unasked. Everything else is one error, so
/// that nothing can be learned of what is forbidden.
ControlReply read_file(ControlContext& context, const control::ReadFile& request);
/// Files and folders that fit what somebody has typed of a path, best first.
ControlReply file_suggestions(ControlContext& context, const control::FileSuggestions& request);

// read_state.cpp
/// The client has seen the model read the file, though the conversation does not show it. What has
/// changed since counts as unread.
ControlReply seed_read_state(ControlContext& context, const control::SeedReadState& request);
ControlReply rewind_files(ControlContext& context, const control::RewindFiles& request);

// tasks.cpp
void stop_task(ControlContext& context, const control::StopTask& request,
               const Responder& responder);
/// Answers calls that wait for a command or a subagent without it: it goes on in the background.
void background_tasks(ControlContext& context, const control::BackgroundTasks& request,
                      const Responder& responder);
ControlReply get_task_output(ControlContext& context, const control::GetTaskOutput& request);

// context_usage.cpp
/// How full the window of the model is, by what fills it. Tokens are estimated from the length of
/// the texts; only what the API said of its last response is exact.
ControlReply get_context_usage(ControlContext& context, const control::GetContextUsage& request);

// usage.cpp
/// Time, money, tokens and changed lines so far.
ControlReply get_usage(ControlContext& context, const control::GetUsage& request);
/// The same for people.
ControlReply get_session_cost(ControlContext& context, const control::GetSessionCost& request);

// about_session.cpp
ControlReply rename_session(ControlContext& context, const control::RenameSession& request);
ControlReply get_binary_version(ControlContext& context, const control::GetBinaryVersion& request);
/// Whether anybody looks on changes nothing of what is said, here and in the real one.
ControlReply set_has_subscribers(ControlContext& context,
                                 const control::SetHasSubscribers& request);

// mcp.cpp
ControlReply mcp_status(ControlContext& context, const control::McpStatus& request);
void mcp_set_servers(ControlContext& context, const control::McpSetServers& request,
                     const Responder& responder);
void mcp_reconnect(ControlContext& context, const control::McpReconnect& request,
                   const Responder& responder);
void mcp_toggle(ControlContext& context, const control::McpToggle& request,
                const Responder& responder);
void mcp_read_resource(ControlContext& context, const control::McpReadResource& request,
                       const Responder& responder);
void mcp_call(ControlContext& context, const control::McpCall& request, const Responder& responder);
/// Something that an MCP server in the client says by itself.
void mcp_message(ControlContext& context, const control::McpMessage& request,
                 const Responder& responder);

// extensions.cpp
ControlReply reload_skills(ControlContext& context, const control::ReloadSkills& request);
ControlReply reload_plugins(ControlContext& context, const control::ReloadPlugins& request);

}  // namespace parley::agent::requests
