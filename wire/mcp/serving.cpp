// Compiles the codecs of what MCP servers offer besides tools.
#include "../tables/mcp_serving.hpp"

namespace parley {

PARLEY_DEFINE_CODEC(mcp::SetLevelParams)
PARLEY_DEFINE_CODEC(mcp::ListResourceTemplatesResult)
PARLEY_DEFINE_CODEC(mcp::ListPromptsResult)
PARLEY_DEFINE_CODEC(mcp::GetPromptParams)
PARLEY_DEFINE_CODEC(mcp::GetPromptResult)
PARLEY_DEFINE_CODEC(mcp::CompleteParams)
PARLEY_DEFINE_CODEC(mcp::CompleteResult)
PARLEY_DEFINE_CODEC(mcp::CreateMessageParams)
PARLEY_DEFINE_CODEC(mcp::CreateMessageResult)

}  // namespace parley
