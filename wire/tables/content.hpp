// Field tables of wire/messages/content.hpp.
#pragma once

#include "../messages/content.hpp"
#include "usage.hpp"

namespace parley {

PARLEY_OFFSETS_BEGIN

PARLEY_FIELDS(Base64Source, media_type, data)
PARLEY_FIELDS(UrlSource, url)
PARLEY_FIELDS(TextSource, media_type, data)
PARLEY_FIELDS(FileSource, file_id)
constexpr auto parley_cases(Tag<Source>) {
  return make_cases<Source>("Source", "type", "", on<Base64Source>("base64"), on<UrlSource>("url"),
                            on<TextSource>("text"), on<FileSource>("file"));
}

PARLEY_FIELDS(TextBlock, text, citations, cache_control)
PARLEY_FIELDS(ThinkingBlock, thinking, signature)
PARLEY_FIELDS(RedactedThinkingBlock, data)
PARLEY_FIELDS(ToolUseBlock, id, name, input, caller, cache_control)
constexpr auto parley_fields(Tag<ToolResultBlock>) {
  using T = ToolResultBlock;
  return make_table<T>("ToolResultBlock", PARLEY_FIELD(T, tool_use_id), PARLEY_FIELD(T, content),
                       PARLEY_FIELD(T, is_error).alias("isError"), PARLEY_FIELD(T, cache_control));
}
PARLEY_FIELDS(ImageBlock, source, cache_control)
PARLEY_FIELDS(DocumentBlock, source, title, context, citations, cache_control)
PARLEY_FIELDS(ServerToolUseBlock, id, name, input)
PARLEY_FIELDS(WebSearchToolResultBlock, tool_use_id, content)
PARLEY_FIELDS(WebFetchToolResultBlock, tool_use_id, content)
PARLEY_FIELDS(McpToolUseBlock, id, name, server_name, input)
PARLEY_FIELDS(McpToolResultBlock, tool_use_id, content, is_error)
PARLEY_FIELDS(ToolReferenceBlock, tool_name)
constexpr auto parley_cases(Tag<ContentBlock>) {
  return make_cases<ContentBlock>(
      "ContentBlock", "type", "", on<TextBlock>("text"), on<ToolUseBlock>("tool_use"),
      on<ToolResultBlock>("tool_result"), on<ThinkingBlock>("thinking"),
      on<RedactedThinkingBlock>("redacted_thinking"), on<ImageBlock>("image"),
      on<DocumentBlock>("document"), on<ServerToolUseBlock>("server_tool_use"),
      on<WebSearchToolResultBlock>("web_search_tool_result"),
      on<WebFetchToolResultBlock>("web_fetch_tool_result"), on<McpToolUseBlock>("mcp_tool_use"),
      on<McpToolResultBlock>("mcp_tool_result"), on<ToolReferenceBlock>("tool_reference"));
}

PARLEY_FIELDS(ApiMessage, id, type, role, model, content, stop_reason, stop_sequence, stop_details,
              usage, context_management, container, diagnostics)
constexpr auto parley_fields(Tag<MessageParam>) {
  using T = MessageParam;
  return make_table<T>("MessageParam", PARLEY_FIELD(T, role).lenient(),
                       PARLEY_FIELD(T, content).lenient());
}

PARLEY_OFFSETS_END

}  // namespace parley
