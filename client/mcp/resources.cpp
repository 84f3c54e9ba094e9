#include "client/mcp/resources.hpp"

#include "client/mcp/uri_template.hpp"
#include "support/text/base64.hpp"

namespace parley {

std::string ResourceRequest::operator[](std::string_view variable) const {
  for (const auto& [name, value] : variables) {
    if (name == variable) return value;
  }
  return {};
}

ResourceOutput::ResourceOutput(std::string text) {
  result_.contents.emplace_back().text = std::move(text);
}

ResourceOutput ResourceOutput::bytes(std::string_view bytes) {
  mcp::ReadResourceResult result;
  result.contents.emplace_back().blob = base64(bytes);
  return result;
}

ResourceDefinition& ResourceDefinition::typed(std::string media_type) & {
  description.mimeType = std::move(media_type);
  return *this;
}

ResourceTemplateDefinition& ResourceTemplateDefinition::typed(std::string media_type) & {
  description.mimeType = std::move(media_type);
  return *this;
}

ResourceTemplateDefinition& ResourceTemplateDefinition::completing(Complete function) & {
  complete = std::move(function);
  return *this;
}

namespace detail {

ResourceDefinition make_resource(std::string uri, std::string name, std::string about,
                                 ReadResource read) {
  ResourceDefinition made;
  made.description.uri = std::move(uri);
  made.description.name = std::move(name);
  made.description.description = std::move(about);
  made.read = std::move(read);
  return made;
}

ResourceTemplateDefinition make_resource_template(std::string uri, std::string name,
                                                  std::string about, ReadResource read) {
  parse_uri_template(uri).value();  // a mistake in the program, to be told where it was made
  ResourceTemplateDefinition made;
  made.description.uriTemplate = std::move(uri);
  made.description.name = std::move(name);
  made.description.description = std::move(about);
  made.read = std::move(read);
  return made;
}

}  // namespace detail
}  // namespace parley
