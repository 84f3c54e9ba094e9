// The inside of an McpServer: its tools, and its side of the MCP conversation. Internal to client/.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tools.hpp"

namespace parley {

struct McpServer::State {
  std::string name, version;  ///< Fixed.

  std::mutex mutex;
  std::string instructions;
  std::vector<ToolDefinition> tools;
  /// Called, without the lock, when the tools have changed. Owned by the sessions.
  std::vector<std::weak_ptr<const std::function<void()>>> listeners;

  void add(ToolDefinition tool);
  bool remove(std::string_view tool_name);
  void listen(const std::shared_ptr<const std::function<void()>>& listener);
  [[nodiscard]] std::optional<ToolDefinition> find(std::string_view tool_name);
  /// The answer to any request but tools/call.
  [[nodiscard]] JsonRpcMessage answer(const JsonRpcMessage& request);

 private:
  void tell_listeners();
};

namespace detail {

[[nodiscard]] JsonRpcMessage rpc_result(const JsonRpcMessage& request, RawJson result);
[[nodiscard]] JsonRpcMessage rpc_error(const JsonRpcMessage& request, std::int64_t code,
                                       std::string message);
[[nodiscard]] JsonRpcMessage rpc_notification(std::string method, RawJson params);

/// Runs a call and makes whatever happens a result for the model: a bad input, an exception, an
/// unknown tool.
[[nodiscard]] mcp::CallToolResult call_tool(McpServer::State& server,
                                            const mcp::CallToolParams& params,
                                            ToolContext& context);

}  // namespace detail
}  // namespace parley
