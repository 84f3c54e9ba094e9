// The tools by which a conversation makes agents and speaks with them. Each knows whose it is.
#pragma once

#include "../tools/tool_set.hpp"

namespace parley::agent {

class Subagents;
struct AgentCaller;

/// Agent, which clients know as Task.
[[nodiscard]] SharedTool make_agent_tool(Subagents& subagents, const AgentCaller& caller);
[[nodiscard]] SharedTool make_send_message_tool(Subagents& subagents, const AgentCaller& caller);

}  // namespace parley::agent
