// --permission-prompt-tool with a tool of an MCP server: it is asked in the client's place.
#pragma once

#include <functional>

#include "../../wire/control/control.hpp"
#include "../connection/asker.hpp"
#include "../session/config/session_config.hpp"

namespace parley::agent {

class McpServers;

/// Empty if the client is to be asked. `servers` lives longer.
[[nodiscard]] std::function<Asker::Reply(const control::CanUseTool& question,
                                         const std::stop_token& stop)>
permission_prompt(const SessionConfig& config, McpServers& servers);

}  // namespace parley::agent
