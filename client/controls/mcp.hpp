// session.mcp(): the MCP servers of a running session.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "../../wire/messages/catalog.hpp"
#include "../session.hpp"

namespace parley {

// Whoever calls what gives these back includes wire/control/control.hpp or wire/mcp/mcp.hpp.
namespace control {
struct McpCallReply;
struct McpSetServersReply;
}  // namespace control
namespace mcp {
struct ResourceContents;
}  // namespace mcp

/// Those of ToolOptions, and those that the user's and the project's configuration adds.
class McpControls : public SessionView {
 public:
  using SessionView::SessionView;

  /// Every server that the agent knows, with its tools, and whether it is connected.
  Result<std::vector<McpServerStatus>> status();
  /// Waits until no configured server is still connecting, and gives their status; servers that
  /// failed do not count as connecting. An error of `timeout` names those that are.
  Result<std::vector<McpServerStatus>> wait_ready(std::chrono::milliseconds timeout);
  /// Connects to a server again that was lost or had failed.
  Result<void> reconnect(std::string server);
  /// Switches a server on or off for this session.
  Result<void> toggle(std::string server, bool enabled);
  /// These are from now on the servers that the program asks for, in place of those it gave
  /// before; servers of configuration files stay. What was added, removed and failed.
  Result<control::McpSetServersReply> set_servers(Map<McpServerConfig> servers);
  /// What a resource of a server holds.
  Result<std::vector<mcp::ResourceContents>> read_resource(std::string server, std::string uri);
  /// Calls a tool as the model would, by its full name: mcp__server__tool.
  Result<control::McpCallReply> call(std::string full_tool_name, RawJson arguments);
  /// The permission mode for the tools of one server; nullopt: that of the session.
  Result<void> set_permission_mode(std::string server, std::optional<PermissionMode> mode);
};

}  // namespace parley
