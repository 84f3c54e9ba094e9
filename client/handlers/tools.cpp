#include "client/handlers/tools.hpp"

#include <algorithm>

#include "client/handlers/mcp_server.hpp"
#include "client/prompt.hpp"
#include "wire/mcp/names.hpp"

namespace parley {

ToolOutput::ToolOutput(std::string text) { add_text(std::move(text)); }

ToolOutput ToolOutput::error(std::string message) {
  ToolOutput output(std::move(message));
  output.result_.isError = true;
  return output;
}

ToolOutput ToolOutput::structured(RawJson value) {
  ToolOutput output(value.text);
  output.result_.structuredContent = std::move(value);
  return output;
}

ToolOutput& ToolOutput::add_text(std::string text) {
  mcp::TextContent block;
  block.text = std::move(text);
  result_.content.emplace_back(std::move(block));
  return *this;
}

ToolOutput& ToolOutput::add_image(std::string_view bytes, std::string media_type) {
  mcp::ImageContent block;
  block.data = base64(bytes);
  block.mimeType = std::move(media_type);
  result_.content.emplace_back(std::move(block));
  return *this;
}

ToolDefinition& ToolDefinition::annotated(mcp::ToolAnnotations annotations) & {
  description.annotations = std::move(annotations);
  return *this;
}

Json detail::inline_root(Json schema) {
  const std::string reference(schema["$ref"].as_string());
  constexpr std::string_view kPrefix = "#/$defs/";
  if (!reference.starts_with(kPrefix)) return schema;
  const std::string name = reference.substr(kPrefix.size());
  const Json* definitions = schema.find("$defs");
  if (definitions == nullptr || definitions->find(name) == nullptr) return schema;
  Json root = *definitions->find(name);
  // Other types, and this one if it refers to itself, are still found under their names.
  Json others = *definitions;
  const bool recursive = root.dump().find("\"" + reference + "\"") != std::string::npos;
  if (!recursive) others.erase(name);
  if (!others.members().empty()) root.set("$defs", std::move(others));
  return root;
}

ToolDefinition raw_tool(std::string name, std::string about, RawJson input_schema,
                        std::function<Result<ToolOutput>(const RawJson&, ToolContext&)> function) {
  ToolDefinition made;
  made.description.name = std::move(name);
  made.description.description = std::move(about);
  made.description.inputSchema = std::move(input_schema);
  made.call = std::move(function);
  return made;
}

McpServer::McpServer(std::string name, std::string version) : state_(std::make_shared<State>()) {
  state_->name = std::move(name);
  state_->version = std::move(version);
}

McpServer& McpServer::add(ToolDefinition tool) {
  state_->add(std::move(tool));
  return *this;
}

bool McpServer::remove(std::string_view name) { return state_->remove(name); }

McpServer& McpServer::instructions(std::string text) {
  const std::lock_guard lock(state_->mutex);
  state_->instructions = std::move(text);
  return *this;
}

const std::string& McpServer::name() const { return state_->name; }

std::string McpServer::full_name(std::string_view tool) const {
  return mcp_tool_name(state_->name, tool);
}

}  // namespace parley
