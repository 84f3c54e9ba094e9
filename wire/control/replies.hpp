// What the control requests are answered with, on success. Replies about tokens are in
// control_usage.hpp, replies about settings in control_settings.hpp. A reply that only says "done"
// is an empty struct: it comes as `{}` or is left out.
#pragma once

#include "../messages/system_messages.hpp"
#include "requests.hpp"

namespace parley::control {

// ---- answered by the client --------------------------------------------------------------------

using CanUseToolReply = PermissionResult;
using HookCallbackReply = HookOutput;

/// Also answers notifications, then without a message of its own. An answer that is not wrapped in
/// `mcp_response` makes the CLI wait until its deadline.
struct McpMessageReply {
  std::optional<JsonRpcMessage> mcp_response;
  Extra extra;
  bool operator==(const McpMessageReply&) const = default;
};

struct ElicitationReply {
  Enum<ElicitationAction> action = ElicitationAction::cancel;
  std::optional<RawJson> content;
  Extra extra;
  bool operator==(const ElicitationReply&) const = default;
};

PARLEY_ENUM(DialogBehavior, cancelled, completed)

struct RequestUserDialogReply {
  Enum<DialogBehavior> behavior;
  std::optional<RawJson> result;
  Extra extra;
  bool operator==(const RequestUserDialogReply&) const = default;
};

// ---- the session -------------------------------------------------------------------------------

PARLEY_ENUM(ManifestOutcome, parked, already_connected, protocol_version_mismatch, malformed,
            not_honoured)

struct FeedbackMode {
  std::optional<std::string> kind;
  Extra extra;
  bool operator==(const FeedbackMode&) const = default;
};

struct InitializeReply {
  std::optional<std::vector<SlashCommand>> commands;
  std::optional<std::vector<AgentInfo>> agents;  ///< Not in 2.1.38.
  std::optional<std::string> output_style;
  std::optional<std::vector<std::string>> available_output_styles;
  std::optional<std::string> user_output_styles_dir;
  std::optional<std::vector<ModelInfo>> models;
  std::optional<AccountInfo> account;
  std::optional<std::int64_t> pid;
  std::optional<std::string> claude_code_version;
  std::optional<Enum<PermissionMode>> current_permission_mode;
  std::optional<bool> hooks_applied;
  std::optional<bool> hook_on_failure_supported;
  std::optional<bool> other_hook_ask_outranks_host;
  std::optional<bool> plugins_applied;
  std::optional<Map<Enum<ManifestOutcome>>> sdk_mcp_manifests_parked;  ///< By server name.
  std::optional<FeedbackMode> feedback_mode;
  std::optional<bool> analytics_disabled;
  std::optional<bool> remote_control_auto_enable;
  std::optional<bool> remote_control_auto_connect_default;
  std::optional<bool> remote_control_available;
  std::optional<bool> remote_control_auto_on_by_default;
  std::optional<bool> ide_rc_auto_enable_gate;
  std::optional<Enum<FastModeState>> fast_mode_state;
  std::optional<Enum<FastModeDisabledReason>> fast_mode_disabled_reason;
  std::optional<Enum<SessionState>> session_state;
  std::optional<std::vector<std::string>> capabilities;
  Extra extra;
  bool operator==(const InitializeReply&) const = default;
};

/// Both lists hold the uuids of user messages.
struct InterruptReply {
  std::optional<std::vector<std::string>> still_queued;
  std::optional<std::vector<std::string>> cancelled;
  Extra extra;
  bool operator==(const InterruptReply&) const = default;
};

struct EndSessionReply {
  Extra extra;
  bool operator==(const EndSessionReply&) const = default;
};

struct RenameSessionReply {
  Extra extra;
  bool operator==(const RenameSessionReply&) const = default;
};

struct SetColorReply {
  Extra extra;
  bool operator==(const SetColorReply&) const = default;
};

struct SetHasSubscribersReply {
  Extra extra;
  bool operator==(const SetHasSubscribersReply&) const = default;
};

struct CancelAsyncMessageReply {
  bool cancelled = false;
  Extra extra;
  bool operator==(const CancelAsyncMessageReply&) const = default;
};

struct GetBinaryVersionReply {
  std::string version;
  std::optional<std::string> buildTime;
  Extra extra;
  bool operator==(const GetBinaryVersionReply&) const = default;
};

// ---- model and permission mode -----------------------------------------------------------------

struct SetModelReply {
  std::optional<std::string> model;  ///< What the name resolved to.
  Extra extra;
  bool operator==(const SetModelReply&) const = default;
};

struct ListModelsReply {
  std::vector<ModelInfo> models;
  Extra extra;
  bool operator==(const ListModelsReply&) const = default;
};

struct SetMaxThinkingTokensReply {
  Extra extra;
  bool operator==(const SetMaxThinkingTokensReply&) const = default;
};

/// 2.1.38 answers twice under the same id, first with the mode, then without.
struct SetPermissionModeReply {
  std::optional<Enum<PermissionMode>> mode;
  Extra extra;
  bool operator==(const SetPermissionModeReply&) const = default;
};

// ---- MCP ---------------------------------------------------------------------------------------

struct SetMcpPermissionModeOverrideReply {
  std::optional<std::string> warning;
  Extra extra;
  bool operator==(const SetMcpPermissionModeOverrideReply&) const = default;
};

struct McpStatusReply {
  std::vector<McpServerStatus> mcpServers;
  Extra extra;
  bool operator==(const McpStatusReply&) const = default;
};

struct McpSetServersReply {
  std::optional<std::vector<std::string>> added;
  std::optional<std::vector<std::string>> removed;
  std::optional<Map<std::string>> errors;  ///< By server name.
  Extra extra;
  bool operator==(const McpSetServersReply&) const = default;
};

struct McpReconnectReply {
  Extra extra;
  bool operator==(const McpReconnectReply&) const = default;
};

struct McpToggleReply {
  Extra extra;
  bool operator==(const McpToggleReply&) const = default;
};

struct McpReadResourceReply {
  std::vector<mcp::ResourceContents> contents;
  Extra extra;
  bool operator==(const McpReadResourceReply&) const = default;
};

/// A staged file as it was read or written.
struct StagedFile {
  std::string lane_path;
  std::optional<std::string> etag;
  std::optional<std::int64_t> bytes;  ///< Of outputs only.
  Extra extra;
  bool operator==(const StagedFile&) const = default;
};

PARLEY_ENUM(StagingError, expired, input_missing, output_too_large, output_conflict, timeout,
            tool_error)

/// What became of the files of an mcp_call. `ok` decides which of the other members are there.
struct Staging {
  bool ok = false;
  std::optional<std::vector<StagedFile>> outputs;
  std::optional<std::vector<StagedFile>> inputs_used;
  std::optional<Enum<StagingError>> error_code;
  std::optional<std::string> detail;
  std::optional<bool> retryable;
  std::optional<bool> refusal_limit;
  Extra extra;
  bool operator==(const Staging&) const = default;
};

struct McpCallReply {
  RawJson content;  ///< As the server gave it, usually a list of mcp content blocks.
  std::optional<RawJson> structuredContent;
  std::optional<RawJson> meta;  ///< `_meta` on the wire.
  std::optional<Staging> staging;
  Extra extra;
  bool operator==(const McpCallReply&) const = default;
};

// ---- tasks -------------------------------------------------------------------------------------

struct StopTaskReply {
  Extra extra;
  bool operator==(const StopTaskReply&) const = default;
};

struct BackgroundTasksReply {
  std::optional<bool> backgrounded;
  Extra extra;
  bool operator==(const BackgroundTasksReply&) const = default;
};

struct GetTaskOutputReply {
  std::string output;
  std::optional<std::int64_t> total_bytes;
  std::optional<bool> truncated;
  Extra extra;
  bool operator==(const GetTaskOutputReply&) const = default;
};

// ---- files -------------------------------------------------------------------------------------

struct RewindFilesReply {
  bool canRewind = false;
  std::optional<std::string> error;
  std::optional<std::vector<std::string>> filesChanged;
  std::optional<std::int64_t> insertions;
  std::optional<std::int64_t> deletions;
  std::optional<std::int64_t> skippedLinks;
  Extra extra;
  bool operator==(const RewindFilesReply&) const = default;
};

struct ReadFileReply {
  std::string contents;
  std::optional<std::string> absPath;
  std::optional<bool> truncated;
  std::optional<Enum<FileEncoding>> encoding;
  std::optional<bool> lossy;
  Extra extra;
  bool operator==(const ReadFileReply&) const = default;
};

struct SeedReadStateReply {
  Extra extra;
  bool operator==(const SeedReadStateReply&) const = default;
};

struct FileSuggestion {
  std::string path;
  std::optional<double> score;
  Extra extra;
  bool operator==(const FileSuggestion&) const = default;
};

struct FileSuggestionsReply {
  std::vector<FileSuggestion> suggestions;
  std::optional<std::string> cwd;
  Extra extra;
  bool operator==(const FileSuggestionsReply&) const = default;
};

struct RegisterRepoRootReply {
  std::optional<std::string> directory;
  Extra extra;
  bool operator==(const RegisterRepoRootReply&) const = default;
};

// ---- plugins, skills, output styles ------------------------------------------------------------

enum class LspToolChange : std::int16_t { adds, may_add, removes, may_remove };
PARLEY_ENUM_TEXTS(LspToolChange, "adds, may-add, removes, may-remove")

/// Why a reload was held back: what it would do to the prompt cache.
struct CacheImpact {
  std::optional<std::vector<std::string>> mcp_servers_added;
  std::optional<std::vector<std::string>> mcp_servers_removed;
  Nullable<Enum<LspToolChange>> lsp_tool_change;
  Extra extra;
  bool operator==(const CacheImpact&) const = default;
};

struct ReloadPluginsReply {
  std::optional<std::vector<SlashCommand>> commands;
  std::optional<std::vector<AgentInfo>> agents;
  std::optional<std::vector<PluginInfo>> plugins;
  std::optional<std::vector<McpServerStatus>> mcpServers;
  std::optional<std::int64_t> error_count;
  std::optional<bool> held;
  std::optional<CacheImpact> cache_impact;
  Extra extra;
  bool operator==(const ReloadPluginsReply&) const = default;
};

struct ReloadSkillsReply {
  std::vector<SlashCommand> skills;
  Extra extra;
  bool operator==(const ReloadSkillsReply&) const = default;
};

struct ReloadOutputStylesReply {
  std::vector<std::string> available_output_styles;
  Extra extra;
  bool operator==(const ReloadOutputStylesReply&) const = default;
};

}  // namespace parley::control

namespace parley {

PARLEY_CODEC(control::McpMessageReply)
PARLEY_CODEC(control::InitializeReply)
PARLEY_CODEC(control::InterruptReply)
PARLEY_CODEC(control::SetPermissionModeReply)
PARLEY_CODEC(control::SetModelReply)
PARLEY_CODEC(control::SetMaxThinkingTokensReply)
PARLEY_CODEC(control::ElicitationReply)
PARLEY_CODEC(control::RequestUserDialogReply)
PARLEY_CODEC(control::EndSessionReply)
PARLEY_CODEC(control::RenameSessionReply)
PARLEY_CODEC(control::SetColorReply)
PARLEY_CODEC(control::SetHasSubscribersReply)
PARLEY_CODEC(control::CancelAsyncMessageReply)
PARLEY_CODEC(control::GetBinaryVersionReply)
PARLEY_CODEC(control::ListModelsReply)
PARLEY_CODEC(control::SetMcpPermissionModeOverrideReply)
PARLEY_CODEC(control::McpStatusReply)
PARLEY_CODEC(control::McpSetServersReply)
PARLEY_CODEC(control::McpReconnectReply)
PARLEY_CODEC(control::McpToggleReply)
PARLEY_CODEC(control::McpReadResourceReply)
PARLEY_CODEC(control::McpCallReply)
PARLEY_CODEC(control::StopTaskReply)
PARLEY_CODEC(control::BackgroundTasksReply)
PARLEY_CODEC(control::GetTaskOutputReply)
PARLEY_CODEC(control::RewindFilesReply)
PARLEY_CODEC(control::ReadFileReply)
PARLEY_CODEC(control::SeedReadStateReply)
PARLEY_CODEC(control::FileSuggestionsReply)
PARLEY_CODEC(control::RegisterRepoRootReply)
PARLEY_CODEC(control::ReloadPluginsReply)
PARLEY_CODEC(control::ReloadSkillsReply)
PARLEY_CODEC(control::ReloadOutputStylesReply)

}  // namespace parley
