// One MCP server as it is configured, and how such a configuration is read.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "../../../wire/json/json.hpp"
#include "../../../wire/messages/catalog.hpp"
#include "../../../wire/messages/system_messages.hpp"

namespace parley::agent {

/// A value.
struct McpServerEntry {
  std::string name;
  McpServerConfig config;  ///< `type` is always there.
  std::string scope;       ///< "user", "project", "local" or "dynamic".

  /// Where the client is told it is from: its scope, or "sdk" if it lives in the client.
  [[nodiscard]] std::string source() const;
  [[nodiscard]] bool lives_in_client() const;
};

/// Names and values of variables.
using McpVariables = std::map<std::string, std::string>;

/// `${NAME}` and `${NAME:-otherwise}` in a text. What is not set stays as it is written.
[[nodiscard]] std::string expand_variables(const std::string& text, const McpVariables& variables);

/// What a configuration came to.
struct McpEntries {
  std::vector<McpServerEntry> servers;
  std::vector<InitMcpServerError> problems;  ///< Of entries that cannot be used.

  /// Adds those of another configuration, in place of those with the same name.
  void put_over(McpEntries other);
  void erase(const std::string& name);
};

/// One server. The error is for people: "command: expected string, received number".
[[nodiscard]] Result<McpServerEntry> read_server(const std::string& name, const Json& config,
                                                 const std::string& scope,
                                                 const McpVariables& variables);
/// The same of a configuration that has been read already.
[[nodiscard]] Result<McpServerEntry> complete_server(const std::string& name,
                                                     McpServerConfig config,
                                                     const std::string& scope,
                                                     const McpVariables& variables);
/// The members of an object `mcpServers`.
[[nodiscard]] McpEntries read_servers(const Json& servers, const std::string& scope,
                                      const McpVariables& variables);

}  // namespace parley::agent
