// Options::tools: what the agent can do, built in or by MCP servers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "../../wire/messages/catalog.hpp"
#include "../handlers/declarations.hpp"

namespace parley {

/// The tools of the agent, and the MCP servers that offer more of them. Session::mcp() shows and
/// changes those servers later.
struct ToolOptions {
  /// The built-in tools there are (`--tools`). Nothing: all; an empty list: none; {"default"}: the
  /// usual ones. What is not here does not exist for the model, so `allowed` cannot bring it back.
  std::optional<std::vector<std::string>> built_in;

  /// Rules for what runs without asking (`--allowedTools`): "Read", or "Bash(git *)" for some
  /// calls. A tool that is named as a whole never gets to Options::on_permission, which the
  /// observer is warned of.
  std::vector<std::string> allowed;

  /// Rules for what never runs, not even with asking (`--disallowedTools`). They win over `allowed`
  /// and over every permission mode.
  std::vector<std::string> disallowed;

  /// Other names that the model may use for tools: {"alias": "tool"}.
  Map<std::string> aliases;

  /// MCP servers in this program: C++ functions as tools (handlers/tools.hpp). Their names must
  /// differ from each other and from those in `mcp_servers`.
  std::vector<McpServer> in_process;

  /// MCP servers that the CLI starts or connects to, by name (`--mcp-config`). They add to those in
  /// the user's and the project's configuration.
  Map<McpServerConfig> mcp_servers;

  /// Ignores every server that is configured elsewhere (`--strict-mcp-config`): only those given
  /// here are there.
  bool strict_mcp_config = false;
};

}  // namespace parley
