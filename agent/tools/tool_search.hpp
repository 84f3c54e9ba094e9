// ToolSearch: finds tools that the model is not told about before it looks for them.
#pragma once

#include <functional>

#include "tool_set.hpp"

namespace parley::agent {

/// `deferred` gives the tools that can be found, as of now.
[[nodiscard]] SharedTool make_tool_search(std::function<std::vector<SharedTool>()> deferred);

}  // namespace parley::agent
