// The control requests of both directions, one struct per `subtype`. The replies are in
// control_replies.hpp and its neighbours, the envelopes in control.hpp.
#pragma once

#include "../mcp/mcp.hpp"
#include "../messages/catalog.hpp"
#include "hooks.hpp"

namespace parley::control {

// ---- asked by the agent ------------------------------------------------------------------------

PARLEY_ENUM(DecisionReasonType, rule, mode, subcommandResults, permissionPromptTool, hook,
            asyncAgent, sandboxOverride, workingDir, safetyCheck, classifier, other)

/// The `ask` rule that made the agent ask.
struct MatchedAskRule {
  std::optional<std::string> source;
  std::optional<std::string> tool_name;
  std::optional<std::string> rule_content;
  Extra extra;
  bool operator==(const MatchedAskRule&) const = default;
};

/// May this tool run? Also the way a question to the user is asked (AskUserQuestion).
struct CanUseTool {
  std::string tool_name;
  std::optional<McpServerProvenance> mcp_server;
  std::optional<std::string> display_name;
  RawJson input;  ///< Typed by wire/tools/tools.hpp.
  std::optional<std::string> description;
  std::optional<std::vector<PermissionUpdate>> permission_suggestions;
  std::optional<std::string> blocked_path;
  std::optional<std::string> decision_reason;
  std::optional<Enum<DecisionReasonType>> decision_reason_type;
  std::optional<std::string> decision_reason_hook_event;
  std::optional<std::string> decision_reason_hook_source;
  std::optional<std::string> decision_reason_rule_source;
  std::optional<bool> server_policy_ask_only;
  std::optional<bool> classifier_approvable;
  std::optional<bool> suppress_always_allow_rule;
  std::optional<bool> default_to_no;
  std::optional<MatchedAskRule> matched_ask_rule;
  std::optional<std::string> title;
  std::string tool_use_id;              ///< Empty if the peer left it out.
  std::optional<std::string> agent_id;  ///< Set when a subagent wants the tool.
  std::optional<bool> requires_user_interaction;
  Extra extra;
  bool operator==(const CanUseTool&) const = default;
};

/// A hook that `initialize` registered has fired.
struct HookCallback {
  std::string callback_id;
  HookInput input;
  std::optional<std::string> tool_use_id;
  Extra extra;
  bool operator==(const HookCallback&) const = default;
};

/// A JSON-RPC message for an MCP server that lives in the client, or from it.
struct McpMessage {
  std::string server_name;
  JsonRpcMessage message;
  Extra extra;
  bool operator==(const McpMessage&) const = default;
};

/// An MCP server wants something from the user.
struct Elicitation {
  std::string mcp_server_name;
  std::string message;
  std::optional<Enum<ElicitationMode>> mode;
  std::optional<std::string> url;
  std::optional<std::string> elicitation_id;
  std::optional<RawJson> requested_schema;
  std::optional<std::vector<std::string>> property_order;
  std::optional<std::string> title;
  std::optional<std::string> display_name;
  std::optional<std::string> description;
  Extra extra;
  bool operator==(const Elicitation&) const = default;
};

/// A dialog of a kind that `initialize` declared in `supportedDialogKinds`.
struct RequestUserDialog {
  std::string dialog_kind;
  RawJson payload;
  std::optional<std::string> tool_use_id;
  Extra extra;
  bool operator==(const RequestUserDialog&) const = default;
};

// ---- the session -------------------------------------------------------------------------------

/// What an MCP server in the client would answer to the handshake, so that it need not be asked.
struct SdkMcpServerManifest {
  RawJson initializeResult;
  std::optional<RawJson> toolsListResult;
  Extra extra;
  bool operator==(const SdkMcpServerManifest&) const = default;
};

/// The list is the form to send; older clients sent one text.
using SystemPrompt = std::variant<std::vector<std::string>, std::string>;

struct Initialize {
  std::optional<Map<std::vector<HookMatcher>>> hooks;  ///< By event name.
  std::optional<std::vector<std::string>> sdkMcpServers;
  std::optional<Map<SdkMcpServerSettings>> sdkMcpServerConfigs;
  std::optional<Map<SdkMcpServerManifest>> sdkMcpServerManifests;
  std::optional<std::string> sdkMcpServerManifestsOrigin;
  std::optional<RawJson> jsonSchema;
  std::optional<SystemPrompt> systemPrompt;
  std::optional<std::string> appendSystemPrompt;
  std::optional<bool> systemPromptSnapshot;
  std::optional<std::string> planModeInstructions;
  std::optional<Map<std::string>> toolAliases;
  std::optional<bool> excludeDynamicSections;
  std::optional<Map<AgentDefinition>> agents;
  std::optional<std::string> title;
  std::optional<std::vector<std::string>> skills;
  std::optional<bool> promptSuggestions;
  std::optional<bool> agentProgressSummaries;
  std::optional<bool> forwardSubagentText;
  std::optional<std::vector<std::string>> supportedDialogKinds;
  std::optional<bool> perTaskStopAffordance;
  std::optional<std::vector<PluginConfig>> plugins;
  Extra extra;
  bool operator==(const Initialize&) const = default;
};

struct Interrupt {
  std::optional<bool> cancel_queued;
  Extra extra;
  bool operator==(const Interrupt&) const = default;
};

/// Ends the process as closing its stdin would.
struct EndSession {
  Extra extra;
  bool operator==(const EndSession&) const = default;
};

PARLEY_ENUM(RenameSource, remote, host)

struct RenameSession {
  std::string title;
  std::optional<Enum<RenameSource>> source;
  std::optional<std::string> session_id;
  Extra extra;
  bool operator==(const RenameSession&) const = default;
};

struct SetColor {
  std::string color;
  Extra extra;
  bool operator==(const SetColor&) const = default;
};

struct SetHasSubscribers {
  Nullable<bool> has_subscribers;
  Extra extra;
  bool operator==(const SetHasSubscribers&) const = default;
};

/// Withdraws a user message that is still queued.
struct CancelAsyncMessage {
  std::string message_uuid;
  Extra extra;
  bool operator==(const CancelAsyncMessage&) const = default;
};

struct GetBinaryVersion {
  Extra extra;
  bool operator==(const GetBinaryVersion&) const = default;
};

// ---- model and permissions ---------------------------------------------------------------------

struct SetModel {
  std::optional<std::string> model;  ///< Missing: the default model.
  Extra extra;
  bool operator==(const SetModel&) const = default;
};

struct ListModels {
  Extra extra;
  bool operator==(const ListModels&) const = default;
};

PARLEY_ENUM(ThinkingDisplay, summarized, omitted, highlights)

/// What a request does to a setting: keep it (the member is left out), reset it (null) or set it.
template <class T>
struct Change {
  bool given = false;
  std::optional<T> value;  ///< Nothing: reset. Of no meaning if not `given`.

  Change() = default;
  Change(T to) : given(true), value(std::move(to)) {}
  Change(std::nullopt_t) : given(true) {}
  bool operator==(const Change&) const = default;
};

struct SetMaxThinkingTokens {
  Change<std::int64_t> max_thinking_tokens;
  Change<Enum<ThinkingDisplay>> thinking_display;
  Extra extra;
  bool operator==(const SetMaxThinkingTokens&) const = default;
};

struct SetPermissionMode {
  Enum<PermissionMode> mode;
  Extra extra;
  bool operator==(const SetPermissionMode&) const = default;
};

struct ListPermissionRules {
  Extra extra;
  bool operator==(const ListPermissionRules&) const = default;
};

// ---- MCP ---------------------------------------------------------------------------------------

/// The permission mode for the tools of one server; null takes the override away.
struct SetMcpPermissionModeOverride {
  std::string serverName;
  Nullable<Enum<PermissionMode>> mode;
  Extra extra;
  bool operator==(const SetMcpPermissionModeOverride&) const = default;
};

struct McpStatus {
  std::optional<bool> liveReply;
  Extra extra;
  bool operator==(const McpStatus&) const = default;
};

/// Replaces the servers that were set this way before; those from files stay.
struct McpSetServers {
  Map<McpServerConfig> servers;
  Extra extra;
  bool operator==(const McpSetServers&) const = default;
};

struct McpReconnect {
  std::string serverName;
  Extra extra;
  bool operator==(const McpReconnect&) const = default;
};

struct McpToggle {
  std::string serverName;
  bool enabled = false;
  Extra extra;
  bool operator==(const McpToggle&) const = default;
};

struct McpReadResource {
  std::string serverName;
  std::string uri;
  Extra extra;
  bool operator==(const McpReadResource&) const = default;
};

struct McpCallInputFile {
  std::string name;
  std::string lane_path;
  Extra extra;
  bool operator==(const McpCallInputFile&) const = default;
};
struct McpCallOutputFile {
  std::string name;
  std::string lane_path;
  std::optional<std::string> if_match;
  Extra extra;
  bool operator==(const McpCallOutputFile&) const = default;
};

/// Calls an MCP tool without the model.
struct McpCall {
  std::string tool;  ///< The full name, `mcp__server__tool`.
  std::optional<RawJson> arguments;
  std::optional<std::string> expires_at;
  std::optional<std::int64_t> timeout_ms;
  std::optional<bool> result_not_for_model;
  std::optional<bool> check_permissions;
  std::optional<std::vector<McpCallInputFile>> input_files;
  std::optional<std::vector<McpCallOutputFile>> output_files;
  Extra extra;
  bool operator==(const McpCall&) const = default;
};

// ---- tasks -------------------------------------------------------------------------------------

struct StopTask {
  std::string task_id;
  Extra extra;
  bool operator==(const StopTask&) const = default;
};

/// Moves running foreground work to the background: all of it, or what one tool call started.
struct BackgroundTasks {
  std::optional<std::string> tool_use_id;
  Extra extra;
  bool operator==(const BackgroundTasks&) const = default;
};

struct GetTaskOutput {
  std::string task_id;
  Extra extra;
  bool operator==(const GetTaskOutput&) const = default;
};

// ---- files -------------------------------------------------------------------------------------

/// Puts files back to where they were before a user message.
struct RewindFiles {
  std::string user_message_id;
  std::optional<bool> dry_run;
  Extra extra;
  bool operator==(const RewindFiles&) const = default;
};

enum class FileEncoding : std::int16_t { utf_8, base64 };
PARLEY_ENUM_TEXTS(FileEncoding, "utf-8, base64")

struct ReadFile {
  std::string path;
  std::optional<std::int64_t> max_bytes;
  std::optional<Enum<FileEncoding>> encoding;
  Extra extra;
  bool operator==(const ReadFile&) const = default;
};

/// Tells the agent that the model has seen this file at this time.
struct SeedReadState {
  std::string path;
  std::int64_t mtime = 0;  ///< Milliseconds since 1970.
  Extra extra;
  bool operator==(const SeedReadState&) const = default;
};

struct FileSuggestions {
  std::string query;
  Extra extra;
  bool operator==(const FileSuggestions&) const = default;
};

struct RegisterRepoRoot {
  std::string directory;
  std::optional<bool> reload_claude_md;
  std::optional<bool> reload_plugins;
  std::optional<bool> reload_skills;
  Extra extra;
  bool operator==(const RegisterRepoRoot&) const = default;
};

// ---- settings, hooks, plugins, skills ----------------------------------------------------------

PARLEY_ENUM(SettingsSource, userSettings, projectSettings, localSettings, flagSettings,
            policySettings)

/// Merges into the settings that the command line gave.
struct ApplyFlagSettings {
  RawJson settings{"{}"};
  Extra extra;
  bool operator==(const ApplyFlagSettings&) const = default;
};

/// Merges into a settings file.
struct UpdateSettings {
  Enum<SettingsSource> source;
  RawJson settings{"{}"};
  Extra extra;
  bool operator==(const UpdateSettings&) const = default;
};

struct GetSettings {
  Extra extra;
  bool operator==(const GetSettings&) const = default;
};

struct GetHooksListing {
  Extra extra;
  bool operator==(const GetHooksListing&) const = default;
};

struct ReloadPlugins {
  std::optional<bool> hold_on_cache_impact;
  std::optional<std::vector<PluginConfig>> add_plugins;
  std::optional<bool> refuse_if_busy;
  Extra extra;
  bool operator==(const ReloadPlugins&) const = default;
};

struct ReloadSkills {
  Extra extra;
  bool operator==(const ReloadSkills&) const = default;
};

struct ReloadOutputStyles {
  Extra extra;
  bool operator==(const ReloadOutputStyles&) const = default;
};

// ---- tokens and money --------------------------------------------------------------------------

PARLEY_ENUM(ContextUsageDetail, summary, full)

struct GetContextUsage {
  std::optional<Enum<ContextUsageDetail>> detail;
  Extra extra;
  bool operator==(const GetContextUsage&) const = default;
};

struct GetSessionCost {
  Extra extra;
  bool operator==(const GetSessionCost&) const = default;
};

struct GetUsage {
  std::optional<bool> skip_behaviors;
  Extra extra;
  bool operator==(const GetUsage&) const = default;
};

}  // namespace parley::control
