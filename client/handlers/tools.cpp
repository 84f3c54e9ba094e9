#include "client/handlers/tools.hpp"

#include "client/handlers/content.hpp"
#include "support/text/base64.hpp"

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
  result_.content.push_back(detail::text_block(std::move(text)));
  return *this;
}

ToolOutput& ToolOutput::add_image(std::string_view bytes, std::string media_type) {
  result_.content.push_back(detail::image_block(bytes, std::move(media_type)));
  return *this;
}

ToolOutput& ToolOutput::add_audio(std::string_view bytes, std::string media_type) {
  mcp::AudioContent block;
  block.data = base64(bytes);
  block.mimeType = std::move(media_type);
  result_.content.emplace_back(std::move(block));
  return *this;
}

ToolOutput& ToolOutput::add_resource(mcp::ResourceContents contents) {
  result_.content.push_back(detail::resource_block(std::move(contents)));
  return *this;
}

void ToolContext::log(mcp::LoggingLevel level, std::string_view text, std::string logger) {
  if (client_ == nullptr) return;
  mcp::LoggingParams message;
  message.level = level;
  if (!logger.empty()) message.logger = std::move(logger);
  message.data = RawJson(Json(text).dump());
  client_->log(std::move(message));
}

Result<mcp::ElicitResult> ToolContext::elicit(const mcp::ElicitParams& form) {
  if (client_ == nullptr) return Error(ErrorCode::invalid, "there is no client to ask");
  return client_->elicit(form, stop_);
}

Result<mcp::CreateMessageResult> ToolContext::sample(const mcp::CreateMessageParams& conversation) {
  if (client_ == nullptr) return Error(ErrorCode::invalid, "there is no client to ask");
  return client_->sample(conversation, stop_);
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

}  // namespace parley
