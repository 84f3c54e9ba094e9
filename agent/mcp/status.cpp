#include "agent/mcp/status.hpp"

#include "wire/json/json.hpp"

namespace parley::agent {
namespace {

/// Without what may be secret.
McpServerConfig shown_config(const McpServerConfig& config) {
  McpServerConfig shown;
  shown.type = config.type;
  shown.command = config.command;
  shown.args = config.args;
  if (shown.command && !shown.args) shown.args.emplace();
  shown.url = config.url;
  shown.name = config.name;
  return shown;
}

McpServerTool shown_tool(const mcp::Tool& tool) {
  McpServerTool shown;
  shown.name = tool.name;
  McpServerToolHints hints;
  if (tool.annotations) {
    const auto take = [](auto& to, const std::optional<bool>& hint) {
      if (hint.value_or(false)) to = true;
    };
    take(hints.readOnly, tool.annotations->readOnlyHint);
    take(hints.destructive, tool.annotations->destructiveHint);
    take(hints.openWorld, tool.annotations->openWorldHint);
  }
  shown.annotations = std::move(hints);
  return shown;
}

}  // namespace

McpServerStatus status_of(const McpServer& server) {
  const McpServerEntry& entry = server.entry();
  const McpServerView view = server.view();
  McpServerStatus status;
  status.name = entry.name;
  status.status = view.state;
  if (!view.error.empty()) status.error = view.error;
  status.config = shown_config(entry.config);
  status.transport = entry.config.type;
  status.scope = entry.scope;
  status.source = entry.source();
  if (view.state != parley::McpConnection::connected) return status;
  McpServerInfo info;
  info.name = view.info.name;
  info.version = view.info.version;
  if (view.info.title) info.extra.set("title", RawJson(Json(*view.info.title).dump()));
  status.serverInfo = std::move(info);
  status.tools.emplace();
  for (const mcp::Tool& tool : view.list->definitions) status.tools->push_back(shown_tool(tool));
  return status;
}

std::vector<McpServerStatus> status_of(const McpServers& servers) {
  std::vector<McpServerStatus> list;
  for (const auto& server : servers.all()) list.push_back(status_of(*server));
  return list;
}

}  // namespace parley::agent
