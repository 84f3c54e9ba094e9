// The tools with which the model finds and reads the resources of MCP servers.
#pragma once

#include "servers.hpp"

namespace parley::agent {

/// `servers` lives longer than the tools.
[[nodiscard]] std::vector<SharedTool> make_resource_tools(const McpServers& servers);

/// What a mention of a resource, "server:uri", stands for: its text, or nothing if there is no such
/// server or it has no text under that address.
[[nodiscard]] std::optional<std::string> read_mentioned_resource(const McpServers& servers,
                                                                 const std::string& mention,
                                                                 const std::stop_token& stop);

}  // namespace parley::agent
