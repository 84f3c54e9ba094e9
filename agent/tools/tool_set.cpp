#include "agent/tools/tool_set.hpp"

namespace parley::agent {

SharedTool ToolSet::find(std::string_view name) const {
  const Tool* const meant = known(name);
  for (SharedTool& tool : offered()) {
    if (tool.get() == meant || tool->name() == name) return std::move(tool);
  }
  return nullptr;
}

}  // namespace parley::agent
