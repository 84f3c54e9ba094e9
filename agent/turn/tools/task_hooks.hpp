// What hooks say to entries of the list of work: TaskCreated and TaskCompleted.
#pragma once

#include "../../tools/tool.hpp"
#include "call_scope.hpp"

namespace parley::agent {

/// Runs the hooks after a call that has made an entry or finished one. What they refuse is taken
/// back, and the call fails with their reason.
void run_task_hooks(const CallScope& scope, const Tool& tool, ToolOutput& output);

}  // namespace parley::agent
