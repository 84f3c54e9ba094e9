// The envelopes of the control protocol. Requests run both ways and overlap; a response names the
// request it answers by `request_id`, which stands on the envelope of the request.
#pragma once

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
  /// Nothing this build knows, rather than a request that nobody made.
  ControlBody() : variant(Unknown{}) {}
};

struct ControlRequest {
  /// Empty if the peer left it out or put it inside `request`, as one dialect does.
  std::string request_id;
  ControlBody request;
  Extra extra;
  bool operator==(const ControlRequest&) const = default;
};

/// A request that a response repeats because it still waits for its answer.
struct PendingRequest : std::variant<ControlRequest, Unknown> {
  using variant::variant;
};

struct ControlSuccess {
  std::string request_id;  ///< Empty if the request had none.
  /// `ReplyOf<Request>::type` of the request it answers. May be missing where that is empty.
  std::optional<RawJson> response;
  std::optional<std::vector<PendingRequest>> pending_permission_requests;
  std::optional<std::vector<PendingRequest>> pending_user_dialog_requests;
  std::optional<std::vector<PendingRequest>> pending_elicitation_requests;
  Extra extra;
  bool operator==(const ControlSuccess&) const = default;
};

struct ControlFailure {
  std::string request_id;  ///< Empty if the request had none.
  std::string error;       ///< For people.
  std::optional<std::string> error_code;
  std::optional<std::vector<PendingRequest>> pending_permission_requests;
  std::optional<std::vector<PendingRequest>> pending_user_dialog_requests;
  std::optional<std::vector<PendingRequest>> pending_elicitation_requests;
  Extra extra;
  bool operator==(const ControlFailure&) const = default;
};

struct ControlOutcome : std::variant<ControlSuccess, ControlFailure, Unknown> {
  using variant::variant;
};

struct ControlResponse {
  ControlOutcome response;
  Extra extra;
  bool operator==(const ControlResponse&) const = default;
};

/// The sender no longer wants the answer to a request of its own. It is not answered.
struct ControlCancelRequest {
  std::string request_id;
  Extra extra;
  bool operator==(const ControlCancelRequest&) const = default;
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
PARLEY_CODEC(ControlRequest)
PARLEY_CODEC(ControlOutcome)
PARLEY_CODEC(ControlResponse)

}  // namespace parley
