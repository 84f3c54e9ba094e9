#include "client/mcp/mcp_prompts.hpp"

#include <algorithm>

#include "client/handlers/content.hpp"
#include "client/handlers/tools.hpp"

namespace parley {
namespace {

mcp::PromptMessage prompt_message(mcp::ContentBlock content, mcp::Role role) {
  mcp::PromptMessage message;
  message.role = role;
  message.content = std::move(content);
  return message;
}

}  // namespace

PromptOutput::PromptOutput(std::string text) { add_text(std::move(text)); }

PromptOutput& PromptOutput::add_text(std::string text, mcp::Role role) {
  result_.messages.push_back(prompt_message(detail::text_block(std::move(text)), role));
  return *this;
}

PromptOutput& PromptOutput::add_image(std::string_view bytes, std::string media_type,
                                      mcp::Role role) {
  result_.messages.push_back(
      prompt_message(detail::image_block(bytes, std::move(media_type)), role));
  return *this;
}

PromptOutput& PromptOutput::add_resource(mcp::ResourceContents contents, mcp::Role role) {
  result_.messages.push_back(prompt_message(detail::resource_block(std::move(contents)), role));
  return *this;
}

PromptDefinition& PromptDefinition::completing(Complete function) & {
  complete = std::move(function);
  return *this;
}

std::vector<mcp::PromptArgument> detail::prompt_arguments(const Json& schema) {
  const Json root = inline_root(schema);
  const Json::Array& required = root["required"].items();
  std::vector<mcp::PromptArgument> arguments;
  for (const auto& [name, member] : root["properties"].members()) {
    mcp::PromptArgument& argument = arguments.emplace_back();
    argument.name = name;
    if (const Json* about = member.find("description")) argument.description = about->as_string();
    argument.required = std::any_of(required.begin(), required.end(),
                                    [&](const Json& item) { return item.as_string() == name; });
  }
  return arguments;
}

}  // namespace parley
