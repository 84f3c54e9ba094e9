// What an MCP server answers to each request of its client.
#include <algorithm>
#include <exception>

#include "client/mcp/mcp_connection.hpp"
#include "wire/mcp/json_rpc.hpp"

namespace parley::detail {
namespace {

/// What a client may have subscribed to; it could name more addresses than there is memory.
constexpr std::size_t kMostSubscriptions = 1024;
constexpr std::size_t kMostCompletions = 100;

template <class Params>
Result<Params> params_of(const JsonRpcMessage& request) {
  return request.params.value_or(RawJson("{}")).as<Params>();
}

JsonRpcMessage bad_params(const JsonRpcMessage& request, std::string why) {
  return rpc_error(request, mcp::kInvalidParams, std::move(why));
}

/// What a function of the user's failed with, as MCP would say it.
std::int64_t rpc_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::malformed:
    case ErrorCode::unexpected:
    case ErrorCode::invalid:
    case ErrorCode::not_found: return mcp::kInvalidParams;
    default: return mcp::kInternalError;
  }
}

/// Makes an error of whatever a function of the user's throws.
template <class F>
auto guarded(F function) -> decltype(function()) {
  try {
    return function();
  } catch (const Error& error) {
    return error;
  } catch (const std::exception& error) {
    return Error(ErrorCode::io, error.what());
  } catch (...) {
    return Error(ErrorCode::io, "it failed");
  }
}

mcp::CallToolResult run_tool(ToolDefinition& tool, const RawJson& arguments, ToolContext& context) {
  try {
    auto output = tool.call(arguments, context);
    if (output) return output->wire();
    return ToolOutput::error(output.error().what()).wire();
  } catch (const std::exception& error) {
    return ToolOutput::error("The tool failed: " + std::string(error.what())).wire();
  } catch (...) {
    return ToolOutput::error("The tool failed.").wire();
  }
}

}  // namespace

JsonRpcMessage McpConnection::initialize(const JsonRpcMessage& request,
                                         const std::stop_token& /*stop*/) {
  // Who says less than it should is served all the same.
  const auto params = params_of<mcp::InitializeParams>(request);
  const mcp::InitializeParams client = params ? *params : mcp::InitializeParams();
  mcp::InitializeResult result;
  // What we do not know, we answer with our newest; the client decides whether to go on.
  const auto& known = mcp::kProtocolVersions;
  const bool speaks = std::find(known.begin(), known.end(), client.protocolVersion) != known.end();
  result.protocolVersion = speaks ? client.protocolVersion : std::string(known.back());
  result.capabilities = server_->capabilities();
  mcp::Implementation self;
  self.name = server_->name;
  self.version = server_->version;
  result.serverInfo = std::move(self);
  {
    const std::lock_guard lock(server_->mutex);
    if (!server_->instructions.empty()) result.instructions = server_->instructions;
  }
  const std::lock_guard lock(mutex_);
  protocol_version_ = result.protocolVersion;
  client_capabilities_ = client.capabilities;
  return rpc_result(request, to_raw(result));
}

JsonRpcMessage McpConnection::ping(const JsonRpcMessage& request, const std::stop_token& /*stop*/) {
  return rpc_result(request, RawJson("{}"));
}

JsonRpcMessage McpConnection::set_level(const JsonRpcMessage& request,
                                        const std::stop_token& /*stop*/) {
  const auto params = params_of<mcp::SetLevelParams>(request);
  if (!params) return bad_params(request, params.error().what());
  const auto level = params->level.known();
  if (!level) {
    return bad_params(request, "no level \"" + std::string(params->level.text()) + "\"");
  }
  const std::lock_guard lock(mutex_);
  level_ = level;
  return rpc_result(request, RawJson("{}"));
}

// ---- tools --------------------------------------------------------------------------------------

JsonRpcMessage McpConnection::list_tools(const JsonRpcMessage& request,
                                         const std::stop_token& /*stop*/) {
  mcp::ListToolsResult result;
  const std::lock_guard lock(server_->mutex);
  for (const ToolDefinition& tool : server_->tools) result.tools.push_back(tool.description);
  return rpc_result(request, to_raw(result));
}

JsonRpcMessage McpConnection::call_tool(const JsonRpcMessage& request,
                                        const std::stop_token& stop) {
  const auto params = params_of<mcp::CallToolParams>(request);
  if (!params) return bad_params(request, params.error().what());
  auto tool = server_->find_tool(params->name);
  if (!tool) return bad_params(request, "There is no tool \"" + params->name + "\".");
  ToolContext::Progress progress;
  if (params->meta && params->meta->progressToken) {
    progress = [this, token = *params->meta->progressToken](
                   double done, std::optional<double> total, std::string text) {
      mcp::ProgressParams report;
      report.progressToken = token;
      report.progress = done;
      report.total = total;
      if (!text.empty()) report.message = std::move(text);
      carrier_.send(rpc_notification("notifications/progress", to_raw(report)));
    };
  }
  ToolContext context(stop, params->meta ? params->meta->tool_use_id.value_or("") : "",
                      std::move(progress), this);
  // A bad input and a failure are a result, for the model to read.
  return rpc_result(request,
                    to_raw(run_tool(*tool, params->arguments.value_or(RawJson("{}")), context)));
}

// ---- resources ----------------------------------------------------------------------------------

JsonRpcMessage McpConnection::list_resources(const JsonRpcMessage& request,
                                             const std::stop_token& /*stop*/) {
  mcp::ListResourcesResult result;
  const std::lock_guard lock(server_->mutex);
  for (const ResourceDefinition& one : server_->resources) {
    result.resources.push_back(one.description);
  }
  return rpc_result(request, to_raw(result));
}

JsonRpcMessage McpConnection::list_templates(const JsonRpcMessage& request,
                                             const std::stop_token& /*stop*/) {
  mcp::ListResourceTemplatesResult result;
  const std::lock_guard lock(server_->mutex);
  for (const ResourceTemplateDefinition& one : server_->templates) {
    result.resourceTemplates.push_back(one.description);
  }
  return rpc_result(request, to_raw(result));
}

JsonRpcMessage McpConnection::read_resource(const JsonRpcMessage& request,
                                            const std::stop_token& stop) {
  const auto params = params_of<mcp::ReadResourceParams>(request);
  if (!params) return bad_params(request, params.error().what());
  auto found = server_->find_resource(params->uri);
  const std::string missing = "There is no resource \"" + params->uri + "\".";
  if (!found) return rpc_error(request, mcp::kResourceNotFound, missing);
  found->request.stop = stop;
  const auto output = guarded([&] { return found->read(found->request); });
  if (!output) {
    const bool absent = output.error().code() == ErrorCode::not_found;
    return rpc_error(request, absent ? mcp::kResourceNotFound : mcp::kInternalError,
                     absent ? missing : "Reading it failed: " + std::string(output.error().what()));
  }
  mcp::ReadResourceResult result = output->wire();
  for (mcp::ResourceContents& contents : result.contents) {
    if (contents.uri.empty()) contents.uri = params->uri;
    if (!contents.mimeType) contents.mimeType = found->media_type;
  }
  return rpc_result(request, to_raw(result));
}

JsonRpcMessage McpConnection::subscribe(const JsonRpcMessage& request,
                                        const std::stop_token& /*stop*/) {
  const auto params = params_of<mcp::ReadResourceParams>(request);
  if (!params) return bad_params(request, params.error().what());
  if (!server_->find_resource(params->uri)) {
    return rpc_error(request, mcp::kResourceNotFound,
                     "There is no resource \"" + params->uri + "\".");
  }
  const std::lock_guard lock(mutex_);
  if (subscriptions_.size() >= kMostSubscriptions && !subscriptions_.contains(params->uri)) {
    return rpc_error(request, mcp::kInternalError, "there are too many subscriptions");
  }
  subscriptions_.insert(params->uri);
  return rpc_result(request, RawJson("{}"));
}

JsonRpcMessage McpConnection::unsubscribe(const JsonRpcMessage& request,
                                          const std::stop_token& /*stop*/) {
  const auto params = params_of<mcp::ReadResourceParams>(request);
  if (!params) return bad_params(request, params.error().what());
  const std::lock_guard lock(mutex_);
  subscriptions_.erase(params->uri);
  return rpc_result(request, RawJson("{}"));
}

// ---- prompts ------------------------------------------------------------------------------------

JsonRpcMessage McpConnection::list_prompts(const JsonRpcMessage& request,
                                           const std::stop_token& /*stop*/) {
  mcp::ListPromptsResult result;
  const std::lock_guard lock(server_->mutex);
  for (const PromptDefinition& one : server_->prompts) result.prompts.push_back(one.description);
  return rpc_result(request, to_raw(result));
}

JsonRpcMessage McpConnection::get_prompt(const JsonRpcMessage& request,
                                         const std::stop_token& /*stop*/) {
  const auto params = params_of<mcp::GetPromptParams>(request);
  if (!params) return bad_params(request, params.error().what());
  auto prompt = server_->find_prompt(params->name);
  if (!prompt) return bad_params(request, "There is no prompt \"" + params->name + "\".");
  const auto output =
      guarded([&] { return prompt->get(params->arguments.value_or(RawJson("{}"))); });
  if (!output) return rpc_error(request, rpc_code(output.error().code()), output.error().what());
  mcp::GetPromptResult result = output->wire();
  if (!result.description) result.description = prompt->description.description;
  return rpc_result(request, to_raw(result));
}

JsonRpcMessage McpConnection::complete(const JsonRpcMessage& request,
                                       const std::stop_token& /*stop*/) {
  const auto params = params_of<mcp::CompleteParams>(request);
  if (!params) return bad_params(request, params.error().what());
  const auto function = server_->find_completion(params->ref);
  if (!function) return bad_params(request, "There is nothing of that name to complete.");
  mcp::CompleteResult result;
  if (*function) {
    auto values = guarded([&]() -> Result<std::vector<std::string>> {
      return (*function)(params->argument.name, params->argument.value);
    });
    if (!values) return rpc_error(request, rpc_code(values.error().code()), values.error().what());
    result.completion.total = static_cast<std::int64_t>(values->size());
    result.completion.hasMore = values->size() > kMostCompletions;
    if (*result.completion.hasMore) values->resize(kMostCompletions);
    result.completion.values = *std::move(values);
  }
  return rpc_result(request, to_raw(result));
}

}  // namespace parley::detail
