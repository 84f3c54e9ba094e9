// All control requests, and what each is answered with. Their envelopes are in envelope.hpp.
#pragma once

#include "envelope.hpp"
#include "replies.hpp"
#include "requests.hpp"
#include "settings.hpp"
#include "usage.hpp"

namespace parley {

/// Any control request, of either direction.
struct ControlBody
    : std::variant<
          control::CanUseTool, control::HookCallback, control::McpMessage, control::Initialize,
          control::Interrupt, control::SetPermissionMode, control::SetModel,
          control::SetMaxThinkingTokens, control::Elicitation, control::RequestUserDialog,
          control::EndSession, control::RenameSession, control::SetColor,
          control::SetHasSubscribers, control::CancelAsyncMessage, control::GetBinaryVersion,
          control::ListModels, control::ListPermissionRules, control::SetMcpPermissionModeOverride,
          control::McpStatus, control::McpSetServers, control::McpReconnect, control::McpToggle,
          control::McpReadResource, control::McpCall, control::StopTask, control::BackgroundTasks,
          control::GetTaskOutput, control::RewindFiles, control::ReadFile, control::SeedReadState,
          control::FileSuggestions, control::RegisterRepoRoot, control::ApplyFlagSettings,
          control::UpdateSettings, control::GetSettings, control::GetHooksListing,
          control::ReloadPlugins, control::ReloadSkills, control::ReloadOutputStyles,
          control::GetContextUsage, control::GetSessionCost, control::GetUsage, Unknown> {
  PARLEY_UNION(ControlBody)
};

namespace control {

// Declared to be named by ReplyOf, never defined.
CanUseToolReply parley_reply(Tag<CanUseTool>);
HookCallbackReply parley_reply(Tag<HookCallback>);
McpMessageReply parley_reply(Tag<McpMessage>);
InitializeReply parley_reply(Tag<Initialize>);
InterruptReply parley_reply(Tag<Interrupt>);
SetPermissionModeReply parley_reply(Tag<SetPermissionMode>);
SetModelReply parley_reply(Tag<SetModel>);
SetMaxThinkingTokensReply parley_reply(Tag<SetMaxThinkingTokens>);
ElicitationReply parley_reply(Tag<Elicitation>);
RequestUserDialogReply parley_reply(Tag<RequestUserDialog>);
EndSessionReply parley_reply(Tag<EndSession>);
RenameSessionReply parley_reply(Tag<RenameSession>);
SetColorReply parley_reply(Tag<SetColor>);
SetHasSubscribersReply parley_reply(Tag<SetHasSubscribers>);
CancelAsyncMessageReply parley_reply(Tag<CancelAsyncMessage>);
GetBinaryVersionReply parley_reply(Tag<GetBinaryVersion>);
ListModelsReply parley_reply(Tag<ListModels>);
ListPermissionRulesReply parley_reply(Tag<ListPermissionRules>);
SetMcpPermissionModeOverrideReply parley_reply(Tag<SetMcpPermissionModeOverride>);
McpStatusReply parley_reply(Tag<McpStatus>);
McpSetServersReply parley_reply(Tag<McpSetServers>);
McpReconnectReply parley_reply(Tag<McpReconnect>);
McpToggleReply parley_reply(Tag<McpToggle>);
McpReadResourceReply parley_reply(Tag<McpReadResource>);
McpCallReply parley_reply(Tag<McpCall>);
StopTaskReply parley_reply(Tag<StopTask>);
BackgroundTasksReply parley_reply(Tag<BackgroundTasks>);
GetTaskOutputReply parley_reply(Tag<GetTaskOutput>);
RewindFilesReply parley_reply(Tag<RewindFiles>);
ReadFileReply parley_reply(Tag<ReadFile>);
SeedReadStateReply parley_reply(Tag<SeedReadState>);
FileSuggestionsReply parley_reply(Tag<FileSuggestions>);
RegisterRepoRootReply parley_reply(Tag<RegisterRepoRoot>);
ApplyFlagSettingsReply parley_reply(Tag<ApplyFlagSettings>);
UpdateSettingsReply parley_reply(Tag<UpdateSettings>);
GetSettingsReply parley_reply(Tag<GetSettings>);
GetHooksListingReply parley_reply(Tag<GetHooksListing>);
ReloadPluginsReply parley_reply(Tag<ReloadPlugins>);
ReloadSkillsReply parley_reply(Tag<ReloadSkills>);
ReloadOutputStylesReply parley_reply(Tag<ReloadOutputStyles>);
GetContextUsageReply parley_reply(Tag<GetContextUsage>);
GetSessionCostReply parley_reply(Tag<GetSessionCost>);
GetUsageReply parley_reply(Tag<GetUsage>);

}  // namespace control

/// What a request is answered with: `ReplyOf<control::Interrupt>::type`.
template <class Request>
struct ReplyOf {
  using type = decltype(parley_reply(Tag<Request>{}));
};

// The bodies and replies are many, so each is compiled once, in the library.
PARLEY_CODEC(ControlBody)

}  // namespace parley
