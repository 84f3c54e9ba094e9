// What calls that make agents, or speak with them, are answered: for the model and for a display.
#pragma once

#include <optional>
#include <string>

#include "../tools/background/background_task.hpp"
#include "../tools/tool.hpp"
#include "subagent.hpp"

namespace parley::agent {

/// The agent has ended, and this is its report.
[[nodiscard]] ToolOutput finished_output(const Subagent& agent, const SubagentTask& task,
                                         const SubagentOutcome& outcome);
/// The agent works in the background.
[[nodiscard]] ToolOutput launched_output(const Subagent& agent, const SubagentTask& task,
                                         const std::optional<BackgroundTask>& entered);
/// The message waits for a running agent.
[[nodiscard]] ToolOutput queued_output(const std::string& agent_id);
/// The message has set an agent going again.
[[nodiscard]] ToolOutput resumed_output(const std::string& agent_id);
/// There is no such agent.
[[nodiscard]] ToolOutput unreachable_output(const std::string& name);

}  // namespace parley::agent
