// What a client is told about MCP servers.
#pragma once

#include "servers.hpp"

namespace parley::agent {

[[nodiscard]] McpServerStatus status_of(const McpServer& server);
[[nodiscard]] std::vector<McpServerStatus> status_of(const McpServers& servers);

}  // namespace parley::agent
