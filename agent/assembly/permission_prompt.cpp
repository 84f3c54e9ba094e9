#include "agent/assembly/permission_prompt.hpp"

#include "agent/mcp/servers.hpp"
#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

Asker::Reply failed_prompt(std::string why) { return {Asker::End::failed, {}, std::move(why)}; }

std::string offered_names(const McpServers& servers) {
  std::string names;
  for (const SharedTool& tool : servers.tools()) {
    names += (names.empty() ? "" : ", ") + std::string(tool->name());
  }
  return names.empty() ? "none" : names;
}

/// The answer is the JSON text of the tool's result.
Asker::Reply answer_in(const RawJson& result) {
  const auto decoded = result.as<mcp::CallToolResult>();
  if (!decoded) return failed_prompt(decoded.error().what());
  std::string text;
  for (const mcp::ContentBlock& block : decoded->content) {
    if (const auto* words = std::get_if<mcp::TextContent>(&block)) text += words->text;
  }
  if (decoded->isError.value_or(false)) return failed_prompt(text);
  auto answer = RawJson::parse(text);
  if (!answer) return failed_prompt("the permission prompt tool did not answer with JSON");
  return {Asker::End::answered, *std::move(answer), {}};
}

Asker::Reply ask_tool(const McpServers& servers, const std::string& name,
                      const control::CanUseTool& question, const std::stop_token& stop) {
  const SharedTool tool = servers.tool(name);
  const auto address = tool ? servers.address_of(name) : std::nullopt;
  if (!address) {
    return failed_prompt("MCP tool " + name +
                         " (passed via --permission-prompt-tool) not found. Available MCP tools: " +
                         offered_names(servers));
  }
  const Json arguments = Json::object({{"tool_name", question.tool_name},
                                       {"input", question.input.json().value()},
                                       {"tool_use_id", question.tool_use_id}});
  McpServer::CallOptions options;
  options.stop = stop;
  options.tool_use_id = question.tool_use_id;
  const auto result = address->server->call(address->tool, RawJson(arguments.dump()), options);
  if (!result && result.error().code() == ErrorCode::cancelled) {
    return {Asker::End::withdrawn, {}, {}};
  }
  if (!result) return failed_prompt(result.error().message());
  return answer_in(*result);
}

}  // namespace

std::function<Asker::Reply(const control::CanUseTool& question, const std::stop_token& stop)>
permission_prompt(const SessionConfig& config, McpServers& servers) {
  const auto name = config.prompt_tool();
  if (!name) return {};
  return
      [&servers, name = *name](const control::CanUseTool& question, const std::stop_token& stop) {
        return ask_tool(servers, name, question, stop);
      };
}

}  // namespace parley::agent
