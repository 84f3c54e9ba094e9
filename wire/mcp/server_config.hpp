// Reads the configuration of an MCP server that stands in a file of its own, not in a message.
// Internal to Parley.
#pragma once

#include <string_view>

#include "../messages/catalog.hpp"

namespace parley::detail {

[[nodiscard]] Result<McpServerConfig> decode_server_config(std::string_view json);

}  // namespace parley::detail
