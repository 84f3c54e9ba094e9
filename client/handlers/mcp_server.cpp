#include "client/handlers/mcp_server.hpp"

#include <algorithm>

namespace parley {
namespace {

auto find_tool(std::vector<ToolDefinition>& tools, std::string_view name) {
  return std::find_if(tools.begin(), tools.end(),
                      [&](const ToolDefinition& tool) { return tool.description.name == name; });
}

}  // namespace

void McpServer::State::add(ToolDefinition tool) {
  {
    const std::lock_guard lock(mutex);
    const auto found = find_tool(tools, tool.description.name);
    if (found == tools.end()) {
      tools.push_back(std::move(tool));
    } else {
      *found = std::move(tool);
    }
  }
  tell_listeners();
}

bool McpServer::State::remove(std::string_view tool_name) {
  {
    const std::lock_guard lock(mutex);
    const auto found = find_tool(tools, tool_name);
    if (found == tools.end()) return false;
    tools.erase(found);
  }
  tell_listeners();
  return true;
}

void McpServer::State::listen(const std::shared_ptr<const std::function<void()>>& listener) {
  const std::lock_guard lock(mutex);
  std::erase_if(listeners, [](const auto& old) { return old.expired(); });
  listeners.push_back(listener);
}

void McpServer::State::tell_listeners() {
  std::vector<std::shared_ptr<const std::function<void()>>> alive;
  {
    const std::lock_guard lock(mutex);
    for (const auto& listener : listeners) {
      if (auto strong = listener.lock()) alive.push_back(std::move(strong));
    }
  }
  for (const auto& listener : alive) (*listener)();
}

std::optional<ToolDefinition> McpServer::State::find(std::string_view tool_name) {
  const std::lock_guard lock(mutex);
  const auto found = find_tool(tools, tool_name);
  if (found == tools.end()) return std::nullopt;
  return *found;
}

JsonRpcMessage McpServer::State::answer(const JsonRpcMessage& request) {
  const std::string method = request.method.value_or("");
  if (method == "initialize") {
    mcp::InitializeResult result;
    if (request.params) {
      if (const auto params = request.params->as<mcp::InitializeParams>()) {
        // Nothing used here differs between revisions, so the client's is as good as ours.
        result.protocolVersion = params->protocolVersion;
      }
    }
    result.capabilities = RawJson(R"({"tools":{"listChanged":true}})");
    mcp::Implementation self;
    self.name = name;
    self.version = version;
    result.serverInfo = std::move(self);
    const std::lock_guard lock(mutex);
    if (!instructions.empty()) result.instructions = instructions;
    return detail::rpc_result(request, to_raw(result));
  }
  if (method == "tools/list") {
    mcp::ListToolsResult result;
    const std::lock_guard lock(mutex);
    for (const ToolDefinition& tool : tools) result.tools.push_back(tool.description);
    return detail::rpc_result(request, to_raw(result));
  }
  if (method == "ping") return detail::rpc_result(request, RawJson("{}"));
  return detail::rpc_error(request, mcp::kMethodNotFound, "no method \"" + method + "\"");
}

namespace detail {

JsonRpcMessage rpc_result(const JsonRpcMessage& request, RawJson result) {
  JsonRpcMessage message;
  message.id = request.id;
  message.result = std::move(result);
  return message;
}

JsonRpcMessage rpc_error(const JsonRpcMessage& request, std::int64_t code, std::string text) {
  JsonRpcMessage message;
  message.id = request.id;
  JsonRpcError error;
  error.code = code;
  error.message = std::move(text);
  message.error = std::move(error);
  return message;
}

JsonRpcMessage rpc_notification(std::string method, RawJson params) {
  JsonRpcMessage message;
  message.method = std::move(method);
  message.params = std::move(params);
  return message;
}

mcp::CallToolResult call_tool(McpServer::State& server, const mcp::CallToolParams& params,
                              ToolContext& context) {
  const auto tool = server.find(params.name);
  if (!tool) return ToolOutput::error("There is no tool \"" + params.name + "\".").wire();
  try {
    auto output = tool->call(params.arguments.value_or(RawJson("{}")), context);
    if (output) return output->wire();
    return ToolOutput::error(output.error().what()).wire();
  } catch (const std::exception& error) {
    return ToolOutput::error("The tool failed: " + std::string(error.what())).wire();
  } catch (...) {
    return ToolOutput::error("The tool failed.").wire();
  }
}

}  // namespace detail
}  // namespace parley
