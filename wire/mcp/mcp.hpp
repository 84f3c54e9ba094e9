// The Model Context Protocol as far as agents and their clients speak it: the JSON-RPC envelope
// that `mcp_message` carries, and the payloads inside (revision 2025-11-25). What servers define
// themselves (schemas, capabilities, annotations, metadata) stays raw.
#pragma once

#include "../codec/values.hpp"
#include "resource.hpp"

namespace parley {

// ---- JSON-RPC 2.0 ------------------------------------------------------------------------------

struct JsonRpcError {
  std::int64_t code = 0;
  std::string message;
  std::optional<RawJson> data;
  Extra extra;
  bool operator==(const JsonRpcError&) const = default;
};

/// A request, a notification or a response: which of them, its members tell.
struct JsonRpcMessage {
  std::string jsonrpc = "2.0";
  std::optional<RawJson> id;  ///< A string or a number, kept as the peer wrote it.
  std::optional<std::string> method;
  std::optional<RawJson> params;
  std::optional<RawJson> result;  ///< Empty in a response without `error`: the result was null.
  std::optional<JsonRpcError> error;
  Extra extra;
  bool operator==(const JsonRpcMessage&) const = default;

  [[nodiscard]] bool is_request() const { return method && id; }
  [[nodiscard]] bool is_notification() const { return method && !id; }
  /// Also an error without an id, which answers a request that could not be read.
  [[nodiscard]] bool is_response() const { return !method && (id || result || error); }
};

PARLEY_ENUM(ElicitationMode, form, url)
PARLEY_ENUM(ElicitationAction, accept, decline, cancel)

namespace mcp {

inline constexpr std::string_view kProtocolVersion = "2025-11-25";

inline constexpr std::int64_t kParseError = -32700;
inline constexpr std::int64_t kInvalidRequest = -32600;
inline constexpr std::int64_t kMethodNotFound = -32601;
inline constexpr std::int64_t kInvalidParams = -32602;
inline constexpr std::int64_t kInternalError = -32603;

// ---- handshake ---------------------------------------------------------------------------------

struct Implementation {
  std::string name;
  std::optional<std::string> title;
  std::optional<std::string> description;
  std::optional<std::string> websiteUrl;
  std::optional<std::string> version;
  std::optional<RawJson> icons;
  Extra extra;
  bool operator==(const Implementation&) const = default;
};

struct InitializeParams {
  std::string protocolVersion{kProtocolVersion};
  RawJson capabilities{"{}"};
  std::optional<Implementation> clientInfo;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const InitializeParams&) const = default;
};

struct InitializeResult {
  std::string protocolVersion{kProtocolVersion};
  RawJson capabilities{"{}"};
  std::optional<Implementation> serverInfo;
  std::optional<std::string> instructions;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const InitializeResult&) const = default;
};

// ---- tools -------------------------------------------------------------------------------------

/// Hints of the server about its tool; nothing to rely on unless the server is trusted.
struct ToolAnnotations {
  std::optional<std::string> title;
  std::optional<bool> readOnlyHint;
  std::optional<bool> destructiveHint;
  std::optional<bool> idempotentHint;
  std::optional<bool> openWorldHint;
  Extra extra;
  bool operator==(const ToolAnnotations&) const = default;
};

struct Tool {
  std::string name;
  std::optional<std::string> title;
  std::optional<std::string> description;
  RawJson inputSchema{R"({"type":"object"})"};
  std::optional<RawJson> outputSchema;
  std::optional<ToolAnnotations> annotations;
  std::optional<RawJson> execution;
  std::optional<RawJson> icons;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const Tool&) const = default;
};

/// Parameters of tools/list and resources/list.
struct ListParams {
  std::optional<std::string> cursor;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const ListParams&) const = default;
};

struct ListToolsResult {
  std::vector<Tool> tools;
  std::optional<std::string> nextCursor;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const ListToolsResult&) const = default;
};

struct CallMeta {
  std::optional<std::string> tool_use_id;  ///< Which tool_use block made the call.
  std::optional<RawJson> progressToken;    ///< To be repeated in progress notifications.
  Extra extra;
  bool operator==(const CallMeta&) const = default;
};

struct CallToolParams {
  std::string name;  ///< The server's own name for the tool, without the `mcp__` prefix.
  std::optional<RawJson> arguments;
  std::optional<CallMeta> meta;
  std::optional<RawJson> task;
  Extra extra;
  bool operator==(const CallToolParams&) const = default;
};

// ---- content -----------------------------------------------------------------------------------

struct TextContent {
  std::string text;
  std::optional<RawJson> annotations;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const TextContent&) const = default;
};

struct ImageContent {
  std::string data;  ///< Base64.
  std::string mimeType;
  std::optional<RawJson> annotations;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const ImageContent&) const = default;
};

struct AudioContent {
  std::string data;  ///< Base64.
  std::string mimeType;
  std::optional<RawJson> annotations;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const AudioContent&) const = default;
};

/// What a resource holds: `text`, or `blob` in base64.
struct ResourceContents {
  std::string uri;
  std::optional<std::string> mimeType;
  std::optional<std::string> text;
  std::optional<std::string> blob;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const ResourceContents&) const = default;
};

struct EmbeddedResource {
  ResourceContents resource;
  std::optional<RawJson> annotations;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const EmbeddedResource&) const = default;
};

struct ContentBlock
    : std::variant<TextContent, ImageContent, AudioContent, Resource, EmbeddedResource, Unknown> {
  PARLEY_UNION(ContentBlock)
};

struct CallToolResult {
  std::vector<ContentBlock> content;
  std::optional<RawJson> structuredContent;
  /// The tool failed, and `content` tells the model how. A JSON-RPC error says that there was no
  /// call at all.
  std::optional<bool> isError;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const CallToolResult&) const = default;
};

// ---- resources ---------------------------------------------------------------------------------

struct ListResourcesResult {
  std::vector<Resource> resources;
  std::optional<std::string> nextCursor;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const ListResourcesResult&) const = default;
};

struct ReadResourceParams {
  std::string uri;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const ReadResourceParams&) const = default;
};

struct ReadResourceResult {
  std::vector<ResourceContents> contents;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const ReadResourceResult&) const = default;
};

// ---- notifications -----------------------------------------------------------------------------

struct ProgressParams {
  RawJson progressToken;
  double progress = 0;
  std::optional<double> total;
  std::optional<std::string> message;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const ProgressParams&) const = default;
};

struct CancelledParams {
  std::optional<RawJson> requestId;
  std::optional<std::string> reason;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const CancelledParams&) const = default;
};

PARLEY_ENUM(LoggingLevel, debug, info, notice, warning, error, critical, alert, emergency)

/// notifications/message
struct LoggingParams {
  std::optional<Enum<LoggingLevel>> level;
  std::optional<std::string> logger;
  RawJson data;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const LoggingParams&) const = default;
};

// ---- elicitation -------------------------------------------------------------------------------

/// A question of the server to the user. Without `mode` it is a form.
struct ElicitParams {
  std::optional<Enum<ElicitationMode>> mode;
  std::string message;
  std::optional<RawJson> requestedSchema;
  std::optional<std::string> url;
  std::optional<std::string> elicitationId;
  std::optional<RawJson> task;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const ElicitParams&) const = default;
};

struct ElicitResult {
  Enum<ElicitationAction> action = ElicitationAction::cancel;
  std::optional<RawJson> content;  ///< The filled-in form, only with `accept`.
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const ElicitResult&) const = default;
};

}  // namespace mcp

PARLEY_CODEC(JsonRpcMessage)
PARLEY_CODEC(mcp::InitializeParams)
PARLEY_CODEC(mcp::InitializeResult)
PARLEY_CODEC(mcp::Tool)
PARLEY_CODEC(mcp::ListToolsResult)
PARLEY_CODEC(mcp::CallToolParams)
PARLEY_CODEC(mcp::ContentBlock)
PARLEY_CODEC(mcp::CallToolResult)
PARLEY_CODEC(mcp::Resource)
PARLEY_CODEC(mcp::ListResourcesResult)
PARLEY_CODEC(mcp::ReadResourceParams)
PARLEY_CODEC(mcp::ReadResourceResult)
PARLEY_CODEC(mcp::ProgressParams)
PARLEY_CODEC(mcp::CancelledParams)
PARLEY_CODEC(mcp::LoggingParams)
PARLEY_CODEC(mcp::ElicitParams)
PARLEY_CODEC(mcp::ElicitResult)

}  // namespace parley
