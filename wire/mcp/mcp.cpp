// Compiles the codecs of the MCP types.
#include "../tables/mcp.hpp"

namespace parley {

PARLEY_DEFINE_CODEC(JsonRpcMessage)
PARLEY_DEFINE_CODEC(mcp::InitializeParams)
PARLEY_DEFINE_CODEC(mcp::InitializeResult)
PARLEY_DEFINE_CODEC(mcp::Tool)
PARLEY_DEFINE_CODEC(mcp::ListToolsResult)
PARLEY_DEFINE_CODEC(mcp::CallToolParams)
namespace mcp {
PARLEY_DEFINE_UNION(ContentBlock)
}  // namespace mcp

PARLEY_DEFINE_CODEC(mcp::ContentBlock)
PARLEY_DEFINE_CODEC(mcp::CallToolResult)
PARLEY_DEFINE_CODEC(mcp::Resource)
PARLEY_DEFINE_CODEC(mcp::ListResourcesResult)
PARLEY_DEFINE_CODEC(mcp::ReadResourceParams)
PARLEY_DEFINE_CODEC(mcp::ReadResourceResult)
PARLEY_DEFINE_CODEC(mcp::ProgressParams)
PARLEY_DEFINE_CODEC(mcp::CancelledParams)
PARLEY_DEFINE_CODEC(mcp::LoggingParams)
PARLEY_DEFINE_CODEC(mcp::ElicitParams)
PARLEY_DEFINE_CODEC(mcp::ElicitResult)

}  // namespace parley
