// What a session can say about itself and be told to use: commands, agents, models, the account,
// MCP servers and plugins. Used by the `initialize` exchange, by later questions and by `init`.
#pragma once

#include "../control/permissions.hpp"
#include "stamped.hpp"

namespace parley {

PARLEY_ENUM(FastModeState, off, cooldown, on)
PARLEY_ENUM(FastModeDisabledReason, free, preference, extra_usage_disabled, network_error, unknown,
            not_first_party, disabled_by_env, model_not_allowed, sdk_opt_in_required, pending)
PARLEY_ENUM(ApiProvider, firstParty, bedrock, vertex, foundry, anthropicAws, anthropicGoogleCloud,
            mantle, gateway)

// ---- commands, agents, models, account ---------------------------------------------------------

/// A slash command or a skill.
struct SlashCommand {
  std::string name;  ///< Without the slash.
  std::optional<std::string> description;
  std::optional<std::string> argumentHint;
  std::optional<std::vector<std::string>> aliases;
  std::optional<bool> builtin;
  Extra extra;
  bool operator==(const SlashCommand&) const = default;
};

/// A subagent type that can be asked for by name.
struct AgentInfo {
  std::string name;
  std::optional<std::string> description;
  std::optional<std::string> model;
  Extra extra;
  bool operator==(const AgentInfo&) const = default;
};

struct ModelInfo {
  std::string value;  ///< What set_model takes.
  std::optional<std::string> resolvedModel;
  std::optional<std::string> displayName;
  std::optional<std::string> description;
  std::optional<bool> supportsEffort;
  std::optional<std::vector<Enum<Effort>>> supportedEffortLevels;
  std::optional<bool> supportsAdaptiveThinking;
  std::optional<bool> supportsFastMode;
  std::optional<bool> supportsAutoMode;
  std::optional<bool> supportsThinkingOff;
  Extra extra;
  bool operator==(const ModelInfo&) const = default;
};

struct AccountInfo {
  std::optional<std::string> email;
  std::optional<std::string> organization;
  std::optional<std::string> subscriptionType;
  std::optional<std::string> tokenSource;
  std::optional<std::string> apiKeySource;
  Optional<Enum<ApiProvider>> apiProvider;
  Extra extra;
  bool operator==(const AccountInfo&) const = default;
};

// ---- MCP servers -------------------------------------------------------------------------------

enum class McpTransport : std::int16_t { stdio, sse, http, sdk, claudeai_proxy };
PARLEY_ENUM_TEXTS(McpTransport, "stdio, sse, http, sdk, claudeai-proxy")

enum class McpConnection : std::int16_t { connected, failed, needs_auth, pending, disabled };
PARLEY_ENUM_TEXTS(McpConnection, "connected, failed, needs-auth, pending, disabled")

PARLEY_ENUM(McpPermissionPolicy, always_allow, always_ask, always_deny)
PARLEY_ENUM(McpOrgPermission, allow, ask, blocked)

/// How one tool of a server is treated when it is called.
struct McpServerToolPolicy {
  std::string name;
  Optional<Enum<McpPermissionPolicy>> permission_policy;
  Optional<Enum<McpOrgPermission>> org_max_permission;
  Extra extra;
  bool operator==(const McpServerToolPolicy&) const = default;
};

/// How to reach an MCP server. One struct for all transports, because a server started as a child
/// process (`command`) usually carries no `type` that a union could be told apart by.
struct McpServerConfig {
  Optional<Enum<McpTransport>> type;   ///< Missing means stdio.
  std::optional<std::string> command;  ///< stdio
  std::optional<std::vector<std::string>> args;
  Optional<Map<std::string>> env;
  std::optional<std::string> url;  ///< sse, http, claudeai-proxy
  Optional<Map<std::string>> headers;
  std::optional<std::string> name;  ///< sdk: the server lives in the client under this name.
  std::optional<std::string> id;    ///< claudeai-proxy
  Optional<std::vector<McpServerToolPolicy>> tools;
  std::optional<std::int64_t> timeout;  ///< Milliseconds per tool call.
  std::optional<bool> alwaysLoad;
  Extra extra;
  bool operator==(const McpServerConfig&) const = default;
};

/// What `initialize` says about a server that lives in the client.
struct SdkMcpServerSettings {
  std::optional<std::int64_t> timeout;
  Optional<std::vector<McpServerToolPolicy>> tools;
  Extra extra;
  bool operator==(const SdkMcpServerSettings&) const = default;
};

struct McpServerInfo {
  std::optional<std::string> name;
  std::optional<std::string> version;
  Extra extra;
  bool operator==(const McpServerInfo&) const = default;
};

struct McpServerToolHints {
  std::optional<bool> readOnly;
  std::optional<bool> destructive;
  std::optional<bool> openWorld;
  Extra extra;
  bool operator==(const McpServerToolHints&) const = default;
};

struct McpServerTool {
  std::string name;
  std::optional<std::string> description;
  Optional<McpServerToolHints> annotations;
  std::optional<RawJson> meta;  ///< `_meta` on the wire.
  Extra extra;
  bool operator==(const McpServerTool&) const = default;
};

struct McpServerStatus {
  std::string name;
  Enum<McpConnection> status;
  Optional<McpServerInfo> serverInfo;
  std::optional<std::string> error;
  Optional<McpServerConfig> config;
  Optional<Enum<McpTransport>> transport;
  std::optional<std::string> scope;
  std::optional<std::string> source;
  Optional<std::vector<McpServerTool>> tools;
  Extra extra;
  bool operator==(const McpServerStatus&) const = default;
};

// ---- agents and plugins a client brings --------------------------------------------------------

PARLEY_ENUM(AgentMemory, user, project, local)

/// The name of a configured server, or servers given in place.
using AgentMcpServers = std::variant<std::string, Map<McpServerConfig>>;
/// A named level, or a number of the caller's choosing.
using AgentEffort = std::variant<Enum<Effort>, std::int64_t>;

/// A subagent type that the client defines.
struct AgentDefinition {
  std::string description;  ///< Tells the model when to use it.
  std::optional<std::vector<std::string>> tools;
  std::optional<std::vector<std::string>> disallowedTools;
  std::string prompt;
  std::optional<std::string> model;
  Optional<std::vector<AgentMcpServers>> mcpServers;
  std::optional<std::string> criticalSystemReminder_EXPERIMENTAL;
  std::optional<std::vector<std::string>> skills;
  std::optional<std::string> initialPrompt;
  std::optional<std::int64_t> maxTurns;
  std::optional<std::int64_t> autoCompactWindow;
  std::optional<bool> background;
  std::optional<bool> omitClaudeMd;
  Optional<Enum<AgentMemory>> memory;
  Optional<AgentEffort> effort;
  Optional<Enum<PermissionMode>> permissionMode;
  std::optional<std::string> observer;
  std::optional<std::string> observerMessage;
  Extra extra;
  bool operator==(const AgentDefinition&) const = default;
};

/// A plugin to load.
struct PluginConfig {
  std::string type = "local";
  std::string path;
  std::optional<bool> skipMcpDiscovery;
  Extra extra;
  bool operator==(const PluginConfig&) const = default;
};

/// A plugin that is loaded.
struct PluginInfo {
  std::string name;
  std::optional<std::string> path;
  std::optional<std::string> source;
  std::optional<std::string> version;
  Extra extra;
  bool operator==(const PluginInfo&) const = default;
};

/// A settings file, or a part of one, that was not understood and has no effect.
struct SettingsParseError {
  std::optional<std::string> file;
  std::optional<std::string> path;  ///< Where in the file.
  std::string message;
  Extra extra;
  bool operator==(const SettingsParseError&) const = default;
};

}  // namespace parley
