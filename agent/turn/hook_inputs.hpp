// What every hook of a turn is told, and what hooks want the user to read.
#pragma once

#include <vector>

#include "../tools/background/background_tasks.hpp"
#include "turn_context.hpp"

namespace parley::agent {

/// Fills in what every event of a turn carries.
void fill(hooks::Input& event, const TurnContext& context, const std::string& prompt_id);

/// What runs beside the conversations, as the events at the end of one say it.
[[nodiscard]] std::vector<hooks::BackgroundTaskSummary> background_summary(
    const BackgroundTasks& tasks);

/// The MCP server that a tool belongs to, as permission requests and hooks name it.
[[nodiscard]] std::optional<McpServerProvenance> server_of(const Tool& tool);

/// Messages of hooks to the user, and failures that were taken as no answer.
void show_hook_messages(MessageSink& messages, const HookVerdict& verdict);

}  // namespace parley::agent
