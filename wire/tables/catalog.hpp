// Field tables of wire/messages/catalog.hpp.
#pragma once

#include "../messages/catalog.hpp"
#include "permissions.hpp"

namespace parley {

PARLEY_OFFSETS_BEGIN

PARLEY_FIELDS(SlashCommand, name, description, argumentHint, aliases, builtin)
PARLEY_FIELDS(AgentInfo, name, description, model)
PARLEY_FIELDS(ModelInfo, value, resolvedModel, displayName, description, supportsEffort,
              supportedEffortLevels, supportsAdaptiveThinking, supportsFastMode, supportsAutoMode,
              supportsThinkingOff)
PARLEY_FIELDS(AccountInfo, email, organization, subscriptionType, tokenSource, apiKeySource,
              apiProvider)

PARLEY_FIELDS(McpServerToolPolicy, name, permission_policy, org_max_permission)
PARLEY_FIELDS(McpServerConfig, type, command, args, env, url, headers, name, id, tools, timeout,
              alwaysLoad)
PARLEY_FIELDS(SdkMcpServerSettings, timeout, tools)
PARLEY_FIELDS(McpServerInfo, name, version)
PARLEY_FIELDS(McpServerToolHints, readOnly, destructive, openWorld)
constexpr auto parley_fields(Tag<McpServerTool>) {
  using T = McpServerTool;
  return make_table<T>("McpServerTool", PARLEY_FIELD(T, name), PARLEY_FIELD(T, description),
                       PARLEY_FIELD(T, annotations), PARLEY_FIELD_AS(T, meta, "_meta"));
}
PARLEY_FIELDS(McpServerStatus, name, status, serverInfo, error, config, transport, scope, source,
              tools)

PARLEY_FIELDS(AgentDefinition, description, tools, disallowedTools, prompt, model, mcpServers,
              criticalSystemReminder_EXPERIMENTAL, skills, initialPrompt, maxTurns,
              autoCompactWindow, background, omitClaudeMd, memory, effort, permissionMode, observer,
              observerMessage)
PARLEY_FIELDS(PluginConfig, type, path, skipMcpDiscovery)
PARLEY_FIELDS(PluginInfo, name, path, source, version)
PARLEY_FIELDS(SettingsParseError, file, path, message)

PARLEY_OFFSETS_END

}  // namespace parley
