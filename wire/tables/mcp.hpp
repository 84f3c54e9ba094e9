// Field tables of wire/mcp/mcp.hpp.
#pragma once

#include "../codec/codec.hpp"
#include "../mcp/mcp.hpp"

namespace parley {

PARLEY_OFFSETS_BEGIN

PARLEY_FIELDS(JsonRpcError, code, message, data)
PARLEY_FIELDS(JsonRpcMessage, jsonrpc, id, method, params, result, error)

constexpr auto parley_fields(Tag<mcp::Implementation>) {
  using T = mcp::Implementation;
  return make_table<T>("mcp::Implementation", PARLEY_FIELD(T, name).lenient(),
                       PARLEY_FIELD(T, title), PARLEY_FIELD(T, description),
                       PARLEY_FIELD(T, websiteUrl), PARLEY_FIELD(T, version),
                       PARLEY_FIELD(T, icons));
}
constexpr auto parley_fields(Tag<mcp::InitializeParams>) {
  using T = mcp::InitializeParams;
  return make_table<T>("mcp::InitializeParams", PARLEY_FIELD(T, protocolVersion),
                       PARLEY_FIELD(T, capabilities), PARLEY_FIELD(T, clientInfo),
                       PARLEY_FIELD_AS(T, meta, "_meta"));
}
constexpr auto parley_fields(Tag<mcp::InitializeResult>) {
  using T = mcp::InitializeResult;
  return make_table<T>("mcp::InitializeResult", PARLEY_FIELD(T, protocolVersion),
                       PARLEY_FIELD(T, capabilities), PARLEY_FIELD(T, serverInfo),
                       PARLEY_FIELD(T, instructions), PARLEY_FIELD_AS(T, meta, "_meta"));
}

PARLEY_FIELDS(mcp::ToolAnnotations, title, readOnlyHint, destructiveHint, idempotentHint,
              openWorldHint)
constexpr auto parley_fields(Tag<mcp::Tool>) {
  using T = mcp::Tool;
  return make_table<T>(
      "mcp::Tool", PARLEY_FIELD(T, name), PARLEY_FIELD(T, title), PARLEY_FIELD(T, description),
      PARLEY_FIELD(T, inputSchema), PARLEY_FIELD(T, outputSchema), PARLEY_FIELD(T, annotations),
      PARLEY_FIELD(T, execution), PARLEY_FIELD(T, icons), PARLEY_FIELD_AS(T, meta, "_meta"));
}
constexpr auto parley_fields(Tag<mcp::ListParams>) {
  using T = mcp::ListParams;
  return make_table<T>("mcp::ListParams", PARLEY_FIELD(T, cursor),
                       PARLEY_FIELD_AS(T, meta, "_meta"));
}
constexpr auto parley_fields(Tag<mcp::ListToolsResult>) {
  using T = mcp::ListToolsResult;
  return make_table<T>("mcp::ListToolsResult", PARLEY_FIELD(T, tools), PARLEY_FIELD(T, nextCursor),
                       PARLEY_FIELD_AS(T, meta, "_meta"));
}
constexpr auto parley_fields(Tag<mcp::CallMeta>) {
  using T = mcp::CallMeta;
  return make_table<T>("mcp::CallMeta", PARLEY_FIELD_AS(T, tool_use_id, "claudecode/toolUseId"),
                       PARLEY_FIELD(T, progressToken));
}
constexpr auto parley_fields(Tag<mcp::CallToolParams>) {
  using T = mcp::CallToolParams;
  return make_table<T>("mcp::CallToolParams", PARLEY_FIELD(T, name), PARLEY_FIELD(T, arguments),
                       PARLEY_FIELD_AS(T, meta, "_meta"), PARLEY_FIELD(T, task));
}

constexpr auto parley_fields(Tag<mcp::TextContent>) {
  using T = mcp::TextContent;
  return make_table<T>("mcp::TextContent", PARLEY_FIELD(T, text), PARLEY_FIELD(T, annotations),
                       PARLEY_FIELD_AS(T, meta, "_meta"));
}
constexpr auto parley_fields(Tag<mcp::ImageContent>) {
  using T = mcp::ImageContent;
  return make_table<T>("mcp::ImageContent", PARLEY_FIELD(T, data), PARLEY_FIELD(T, mimeType),
                       PARLEY_FIELD(T, annotations), PARLEY_FIELD_AS(T, meta, "_meta"));
}
constexpr auto parley_fields(Tag<mcp::AudioContent>) {
  using T = mcp::AudioContent;
  return make_table<T>("mcp::AudioContent", PARLEY_FIELD(T, data), PARLEY_FIELD(T, mimeType),
                       PARLEY_FIELD(T, annotations), PARLEY_FIELD_AS(T, meta, "_meta"));
}
constexpr auto parley_fields(Tag<mcp::Resource>) {
  using T = mcp::Resource;
  return make_table<T>(
      "mcp::Resource", PARLEY_FIELD(T, uri), PARLEY_FIELD(T, name), PARLEY_FIELD(T, title),
      PARLEY_FIELD(T, description), PARLEY_FIELD(T, mimeType), PARLEY_FIELD(T, size),
      PARLEY_FIELD(T, annotations), PARLEY_FIELD(T, icons), PARLEY_FIELD_AS(T, meta, "_meta"));
}
constexpr auto parley_fields(Tag<mcp::ResourceContents>) {
  using T = mcp::ResourceContents;
  return make_table<T>("mcp::ResourceContents", PARLEY_FIELD(T, uri), PARLEY_FIELD(T, mimeType),
                       PARLEY_FIELD(T, text), PARLEY_FIELD(T, blob),
                       PARLEY_FIELD_AS(T, meta, "_meta"));
}
constexpr auto parley_fields(Tag<mcp::EmbeddedResource>) {
  using T = mcp::EmbeddedResource;
  return make_table<T>("mcp::EmbeddedResource", PARLEY_FIELD(T, resource),
                       PARLEY_FIELD(T, annotations), PARLEY_FIELD_AS(T, meta, "_meta"));
}
constexpr auto parley_cases(Tag<mcp::ContentBlock>) {
  return make_cases<mcp::ContentBlock>(
      "mcp::ContentBlock", "type", "", on<mcp::TextContent>("text"), on<mcp::ImageContent>("image"),
      on<mcp::AudioContent>("audio"), on<mcp::Resource>("resource_link"),
      on<mcp::EmbeddedResource>("resource"));
}
constexpr auto parley_fields(Tag<mcp::CallToolResult>) {
  using T = mcp::CallToolResult;
  return make_table<T>("mcp::CallToolResult", PARLEY_FIELD(T, content),
                       PARLEY_FIELD(T, structuredContent), PARLEY_FIELD(T, isError),
                       PARLEY_FIELD_AS(T, meta, "_meta"));
}

constexpr auto parley_fields(Tag<mcp::ListResourcesResult>) {
  using T = mcp::ListResourcesResult;
  return make_table<T>("mcp::ListResourcesResult", PARLEY_FIELD(T, resources),
                       PARLEY_FIELD(T, nextCursor), PARLEY_FIELD_AS(T, meta, "_meta"));
}
constexpr auto parley_fields(Tag<mcp::ReadResourceParams>) {
  using T = mcp::ReadResourceParams;
  return make_table<T>("mcp::ReadResourceParams", PARLEY_FIELD(T, uri),
                       PARLEY_FIELD_AS(T, meta, "_meta"));
}
constexpr auto parley_fields(Tag<mcp::ReadResourceResult>) {
  using T = mcp::ReadResourceResult;
  return make_table<T>("mcp::ReadResourceResult", PARLEY_FIELD(T, contents),
                       PARLEY_FIELD_AS(T, meta, "_meta"));
}

constexpr auto parley_fields(Tag<mcp::ProgressParams>) {
  using T = mcp::ProgressParams;
  return make_table<T>("mcp::ProgressParams", PARLEY_FIELD(T, progressToken),
                       PARLEY_FIELD(T, progress), PARLEY_FIELD(T, total), PARLEY_FIELD(T, message),
                       PARLEY_FIELD_AS(T, meta, "_meta"));
}
constexpr auto parley_fields(Tag<mcp::CancelledParams>) {
  using T = mcp::CancelledParams;
  return make_table<T>("mcp::CancelledParams", PARLEY_FIELD(T, requestId), PARLEY_FIELD(T, reason),
                       PARLEY_FIELD_AS(T, meta, "_meta"));
}
constexpr auto parley_fields(Tag<mcp::LoggingParams>) {
  using T = mcp::LoggingParams;
  return make_table<T>("mcp::LoggingParams", PARLEY_FIELD(T, level), PARLEY_FIELD(T, logger),
                       PARLEY_FIELD(T, data), PARLEY_FIELD_AS(T, meta, "_meta"));
}

constexpr auto parley_fields(Tag<mcp::ElicitParams>) {
  using T = mcp::ElicitParams;
  return make_table<T>("mcp::ElicitParams", PARLEY_FIELD(T, mode), PARLEY_FIELD(T, message),
                       PARLEY_FIELD(T, requestedSchema), PARLEY_FIELD(T, url),
                       PARLEY_FIELD(T, elicitationId), PARLEY_FIELD(T, task),
                       PARLEY_FIELD_AS(T, meta, "_meta"));
}
constexpr auto parley_fields(Tag<mcp::ElicitResult>) {
  using T = mcp::ElicitResult;
  return make_table<T>("mcp::ElicitResult", PARLEY_FIELD(T, action), PARLEY_FIELD(T, content),
                       PARLEY_FIELD_AS(T, meta, "_meta"));
}

PARLEY_OFFSETS_END

}  // namespace parley
