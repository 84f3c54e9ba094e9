// Field tables of wire/mcp/mcp.hpp.
#pragma once

#include "../codec/codec.hpp"
#include "../mcp/mcp.hpp"

namespace parley {

PARLEY_FIELDS(JsonRpcError, code, message, data)
PARLEY_FIELDS(JsonRpcMessage, jsonrpc, id, method, params, result, error)

constexpr auto parley_fields(Tag<mcp::Implementation>) {
  using T = mcp::Implementation;
  return make_table<T>("mcp::Implementation", field("name", &T::name).lenient(),
                       field("title", &T::title), field("description", &T::description),
                       field("websiteUrl", &T::websiteUrl), field("version", &T::version),
                       field("icons", &T::icons));
}
constexpr auto parley_fields(Tag<mcp::InitializeParams>) {
  using T = mcp::InitializeParams;
  return make_table<T>("mcp::InitializeParams", field("protocolVersion", &T::protocolVersion),
                       field("capabilities", &T::capabilities), field("clientInfo", &T::clientInfo),
                       field("_meta", &T::meta));
}
constexpr auto parley_fields(Tag<mcp::InitializeResult>) {
  using T = mcp::InitializeResult;
  return make_table<T>("mcp::InitializeResult", field("protocolVersion", &T::protocolVersion),
                       field("capabilities", &T::capabilities), field("serverInfo", &T::serverInfo),
                       field("instructions", &T::instructions), field("_meta", &T::meta));
}

PARLEY_FIELDS(mcp::ToolAnnotations, title, readOnlyHint, destructiveHint, idempotentHint,
              openWorldHint)
constexpr auto parley_fields(Tag<mcp::Tool>) {
  using T = mcp::Tool;
  return make_table<T>("mcp::Tool", field("name", &T::name), field("title", &T::title),
                       field("description", &T::description), field("inputSchema", &T::inputSchema),
                       field("outputSchema", &T::outputSchema),
                       field("annotations", &T::annotations), field("execution", &T::execution),
                       field("icons", &T::icons), field("_meta", &T::meta));
}
constexpr auto parley_fields(Tag<mcp::ListParams>) {
  using T = mcp::ListParams;
  return make_table<T>("mcp::ListParams", field("cursor", &T::cursor), field("_meta", &T::meta));
}
constexpr auto parley_fields(Tag<mcp::ListToolsResult>) {
  using T = mcp::ListToolsResult;
  return make_table<T>("mcp::ListToolsResult", field("tools", &T::tools),
                       field("nextCursor", &T::nextCursor), field("_meta", &T::meta));
}
constexpr auto parley_fields(Tag<mcp::CallMeta>) {
  using T = mcp::CallMeta;
  return make_table<T>("mcp::CallMeta", field("claudecode/toolUseId", &T::tool_use_id),
                       field("progressToken", &T::progressToken));
}
constexpr auto parley_fields(Tag<mcp::CallToolParams>) {
  using T = mcp::CallToolParams;
  return make_table<T>("mcp::CallToolParams", field("name", &T::name),
                       field("arguments", &T::arguments), field("_meta", &T::meta),
                       field("task", &T::task));
}

constexpr auto parley_fields(Tag<mcp::TextContent>) {
  using T = mcp::TextContent;
  return make_table<T>("mcp::TextContent", field("text", &T::text),
                       field("annotations", &T::annotations), field("_meta", &T::meta));
}
constexpr auto parley_fields(Tag<mcp::ImageContent>) {
  using T = mcp::ImageContent;
  return make_table<T>("mcp::ImageContent", field("data", &T::data),
                       field("mimeType", &T::mimeType), field("annotations", &T::annotations),
                       field("_meta", &T::meta));
}
constexpr auto parley_fields(Tag<mcp::AudioContent>) {
  using T = mcp::AudioContent;
  return make_table<T>("mcp::AudioContent", field("data", &T::data),
                       field("mimeType", &T::mimeType), field("annotations", &T::annotations),
                       field("_meta", &T::meta));
}
constexpr auto parley_fields(Tag<mcp::Resource>) {
  using T = mcp::Resource;
  return make_table<T>("mcp::Resource", field("uri", &T::uri), field("name", &T::name),
                       field("title", &T::title), field("description", &T::description),
                       field("mimeType", &T::mimeType), field("size", &T::size),
                       field("annotations", &T::annotations), field("icons", &T::icons),
                       field("_meta", &T::meta));
}
constexpr auto parley_fields(Tag<mcp::ResourceContents>) {
  using T = mcp::ResourceContents;
  return make_table<T>("mcp::ResourceContents", field("uri", &T::uri),
                       field("mimeType", &T::mimeType), field("text", &T::text),
                       field("blob", &T::blob), field("_meta", &T::meta));
}
constexpr auto parley_fields(Tag<mcp::EmbeddedResource>) {
  using T = mcp::EmbeddedResource;
  return make_table<T>("mcp::EmbeddedResource", field("resource", &T::resource),
                       field("annotations", &T::annotations), field("_meta", &T::meta));
}
constexpr auto parley_cases(Tag<mcp::ContentBlock>) {
  return make_cases<mcp::ContentBlock>(
      "mcp::ContentBlock", "type", "", on<mcp::TextContent>("text"), on<mcp::ImageContent>("image"),
      on<mcp::AudioContent>("audio"), on<mcp::Resource>("resource_link"),
      on<mcp::EmbeddedResource>("resource"));
}
constexpr auto parley_fields(Tag<mcp::CallToolResult>) {
  using T = mcp::CallToolResult;
  return make_table<T>("mcp::CallToolResult", field("content", &T::content),
                       field("structuredContent", &T::structuredContent),
                       field("isError", &T::isError), field("_meta", &T::meta));
}

constexpr auto parley_fields(Tag<mcp::ListResourcesResult>) {
  using T = mcp::ListResourcesResult;
  return make_table<T>("mcp::ListResourcesResult", field("resources", &T::resources),
                       field("nextCursor", &T::nextCursor), field("_meta", &T::meta));
}
constexpr auto parley_fields(Tag<mcp::ReadResourceParams>) {
  using T = mcp::ReadResourceParams;
  return make_table<T>("mcp::ReadResourceParams", field("uri", &T::uri), field("_meta", &T::meta));
}
constexpr auto parley_fields(Tag<mcp::ReadResourceResult>) {
  using T = mcp::ReadResourceResult;
  return make_table<T>("mcp::ReadResourceResult", field("contents", &T::contents),
                       field("_meta", &T::meta));
}

constexpr auto parley_fields(Tag<mcp::ProgressParams>) {
  using T = mcp::ProgressParams;
  return make_table<T>("mcp::ProgressParams", field("progressToken", &T::progressToken),
                       field("progress", &T::progress), field("total", &T::total),
                       field("message", &T::message), field("_meta", &T::meta));
}
constexpr auto parley_fields(Tag<mcp::CancelledParams>) {
  using T = mcp::CancelledParams;
  return make_table<T>("mcp::CancelledParams", field("requestId", &T::requestId),
                       field("reason", &T::reason), field("_meta", &T::meta));
}
constexpr auto parley_fields(Tag<mcp::LoggingParams>) {
  using T = mcp::LoggingParams;
  return make_table<T>("mcp::LoggingParams", field("level", &T::level), field("logger", &T::logger),
                       field("data", &T::data), field("_meta", &T::meta));
}

constexpr auto parley_fields(Tag<mcp::ElicitParams>) {
  using T = mcp::ElicitParams;
  return make_table<T>("mcp::ElicitParams", field("mode", &T::mode), field("message", &T::message),
                       field("requestedSchema", &T::requestedSchema), field("url", &T::url),
                       field("elicitationId", &T::elicitationId), field("task", &T::task),
                       field("_meta", &T::meta));
}
constexpr auto parley_fields(Tag<mcp::ElicitResult>) {
  using T = mcp::ElicitResult;
  return make_table<T>("mcp::ElicitResult", field("action", &T::action),
                       field("content", &T::content), field("_meta", &T::meta));
}

}  // namespace parley
