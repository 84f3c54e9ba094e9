// Blocks of MCP content. Internal to client/.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "../../support/text/base64.hpp"
#include "../../wire/mcp/mcp.hpp"

namespace parley::detail {

[[nodiscard]] inline mcp::ContentBlock text_block(std::string text) {
  mcp::TextContent block;
  block.text = std::move(text);
  return block;
}

/// `bytes` as they are.
[[nodiscard]] inline mcp::ContentBlock image_block(std::string_view bytes, std::string media_type) {
  mcp::ImageContent block;
  block.data = base64(bytes);
  block.mimeType = std::move(media_type);
  return block;
}

[[nodiscard]] inline mcp::ContentBlock resource_block(mcp::ResourceContents contents) {
  mcp::EmbeddedResource block;
  block.resource = std::move(contents);
  return block;
}

}  // namespace parley::detail
