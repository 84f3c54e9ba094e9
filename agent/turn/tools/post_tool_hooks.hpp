// What hooks say to the result of a tool call.
#pragma once

#include <chrono>

#include "../../tools/tool.hpp"
#include "call_scope.hpp"

namespace parley::agent {

/// Runs the hooks of PostToolUse, or of PostToolUseFailure if the call failed. They may put another
/// output in the place of the call's.
void run_post_tool_hooks(const CallScope& scope, const Tool& tool, const RawJson& input,
                         ToolOutput& output, std::chrono::milliseconds took);

}  // namespace parley::agent
