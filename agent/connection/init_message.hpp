// What the agent says about itself: at the start of every turn, and in answer to `initialize`.
#pragma once

#include <string>
#include <vector>

#include "../../wire/control/control.hpp"
#include "../../wire/messages/messages.hpp"
#include "../api/api_access.hpp"
#include "../session/config/session_config.hpp"
#include "../tools/tool_set.hpp"

namespace parley::agent {

class McpServers;

/// `model`: its full name.
[[nodiscard]] SystemInit init_message(const SessionConfig& config, const std::string& model,
                                      const ToolSet& tools, const Enum<PermissionMode>& mode,
                                      const ApiAccess& access, const McpServers& servers);
[[nodiscard]] control::InitializeReply initialize_reply(const SessionConfig& config,
                                                        const Enum<PermissionMode>& mode,
                                                        const ApiAccess& access);
/// The models that list_models and `initialize` offer.
[[nodiscard]] std::vector<parley::ModelInfo> model_list();

}  // namespace parley::agent
