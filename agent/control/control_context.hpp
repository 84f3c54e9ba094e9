// What control requests look at and change: the parts of a session that its client may reach while
// a turn runs.
#pragma once

#include <functional>

#include "../../wire/messages/catalog.hpp"
#include "../api/api_access.hpp"
#include "../connection/asker.hpp"
#include "../connection/prompt_queue.hpp"
#include "../connection/reporters.hpp"
#include "../hooks/hooks.hpp"
#include "../permissions/permissions.hpp"
#include "../session/config/session_config.hpp"
#include "../session/conversation.hpp"
#include "../session/file_checkpoints.hpp"
#include "../session/guarded.hpp"
#include "../session/running_turn.hpp"
#include "../session/session_cost.hpp"
#include "../session/session_state.hpp"
#include "../session/session_title.hpp"
#include "../session/session_tools.hpp"

namespace parley::agent {

class McpServers;

/// References: whoever makes one keeps what it refers to for as long as requests are served. All of
/// it is thread-safe; of the conversation only read() is.
struct ControlContext {
  const SessionConfig& config;
  Guarded<SessionOverrides>& overrides;
  const Guarded<SessionTotals>& totals;
  const SessionCost& cost;
  const Conversation& conversation;
  MessageSink& messages;
  Asker& asker;
  PromptQueue& prompts;
  PromptReporter& reporter;
  StatusReporter& status;
  RunningTurn& running;
  SessionTitle& title;
  Permissions& permissions;
  SessionTools& tools;
  Hooks& hooks;
  const ApiAccess& access;
  McpServers& servers;
  FileCheckpoints* checkpoints = nullptr;  ///< If they are switched on.
  /// The agents that there are, and more of them from the client.
  std::function<std::vector<AgentInfo>()> list_agents = [] { return std::vector<AgentInfo>(); };
  std::function<void(const Map<AgentDefinition>&)> add_agents = [](const auto&) {};
};

}  // namespace parley::agent
