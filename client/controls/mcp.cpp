#include "client/controls/mcp.hpp"

#include <thread>

#include "client/session/typed_request.hpp"

namespace parley {

using detail::done;
using detail::part_of;
using detail::typed_request;

Result<std::vector<McpServerStatus>> McpControls::status() {
  return part_of(typed_request(*impl_, control::McpStatus{}), &control::McpStatusReply::mcpServers);
}

Result<std::vector<McpServerStatus>> McpControls::wait_ready(std::chrono::milliseconds timeout) {
  // The wire has no event for it, so the state is asked for until it is settled.
  constexpr std::chrono::milliseconds kPause{50};
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    auto servers = status();
    if (!servers) return servers;
    std::string connecting;
    for (const McpServerStatus& server : *servers) {
      if (server.status == McpConnection::pending) {
        connecting += (connecting.empty() ? "" : ", ") + server.name;
      }
    }
    if (connecting.empty()) return servers;
    if (std::chrono::steady_clock::now() + kPause > deadline) {
      return Error(ErrorCode::timeout, "MCP servers are still connecting: " + connecting);
    }
    std::this_thread::sleep_for(kPause);
  }
}

Result<void> McpControls::reconnect(std::string server) {
  control::McpReconnect body;
  body.serverName = std::move(server);
  return done(typed_request(*impl_, std::move(body)));
}

Result<void> McpControls::toggle(std::string server, bool enabled) {
  control::McpToggle body;
  body.serverName = std::move(server);
  body.enabled = enabled;
  return done(typed_request(*impl_, std::move(body)));
}

Result<control::McpSetServersReply> McpControls::set_servers(Map<McpServerConfig> servers) {
  control::McpSetServers body;
  body.servers = std::move(servers);
  return typed_request(*impl_, std::move(body));
}

Result<std::vector<mcp::ResourceContents>> McpControls::read_resource(std::string server,
                                                                      std::string uri) {
  control::McpReadResource body;
  body.serverName = std::move(server);
  body.uri = std::move(uri);
  return part_of(typed_request(*impl_, std::move(body)), &control::McpReadResourceReply::contents);
}

Result<control::McpCallReply> McpControls::call(std::string full_tool_name, RawJson arguments) {
  control::McpCall body;
  body.tool = std::move(full_tool_name);
  body.arguments = std::move(arguments);
  return typed_request(*impl_, std::move(body));
}

Result<void> McpControls::set_permission_mode(std::string server,
                                              std::optional<PermissionMode> mode) {
  control::SetMcpPermissionModeOverride body;
  body.serverName = std::move(server);
  if (mode) body.mode = Enum<PermissionMode>(*mode);
  return done(typed_request(*impl_, std::move(body)));
}

}  // namespace parley
