// A resource of an MCP server. Apart from mcp.hpp because messages refer to resources, too.
#pragma once

#include "../codec/values.hpp"

namespace parley {

namespace mcp {

/// Something that can be read from the server. The same members make up an entry of
/// resources/list and a `resource_link` block.
struct Resource {
  std::string uri;
  std::optional<std::string> name;
  std::optional<std::string> title;
  std::optional<std::string> description;
  std::optional<std::string> mimeType;
  std::optional<std::int64_t> size;  ///< Bytes.
  std::optional<RawJson> annotations;
  std::optional<RawJson> icons;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const Resource&) const = default;
};

}  // namespace mcp

/// What `task_notification` lists of the resources that a task left behind.
using McpResourceLink = mcp::Resource;

}  // namespace parley
