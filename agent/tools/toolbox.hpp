// All tools, by name.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "tool.hpp"

namespace parley::agent {

/// In the order in which the model and `system/init` list them. Lives as long as the program.
[[nodiscard]] const std::vector<std::unique_ptr<Tool>>& all_tools();
/// By name or by an older name; null if there is none.
[[nodiscard]] const Tool* find_tool(std::string_view name);

}  // namespace parley::agent
