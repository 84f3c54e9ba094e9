// A tool of an MCP server, as the model is offered it.
#pragma once

#include "../tools/tool_set.hpp"
#include "server.hpp"

namespace parley::agent {

/// An error if it cannot be offered: the Messages API would refuse every request that names it.
[[nodiscard]] Result<SharedTool> make_server_tool(McpServer& server, const mcp::Tool& definition,
                                                  const std::string& server_name,
                                                  std::size_t most_characters);

}  // namespace parley::agent
