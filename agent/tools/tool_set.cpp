#include "agent/tools/tool_set.hpp"

namespace parley::agent {

SharedTool ToolSet::find(std::string_view name) const {
  const SharedTool meant = known(name);
  for (SharedTool& tool : offered()) {
    if (tool == meant || tool->name() == name) return std::move(tool);
  }
  return nullptr;
}

}  // namespace parley::agent
