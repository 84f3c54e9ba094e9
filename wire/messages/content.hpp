// What messages are made of: the content blocks of the Messages API, and its messages.
#pragma once

#include "usage.hpp"

namespace parley {

struct ContentBlock;

/// Text, or a list of blocks: the API takes and gives both.
using Content = std::variant<std::string, std::vector<ContentBlock>>;

// ---- where the bytes of an image or document come from -----------------------------------------

struct Base64Source {
  std::string media_type;
  std::string data;
  Extra extra;
  bool operator==(const Base64Source&) const = default;
};
struct UrlSource {
  std::string url;
  Extra extra;
  bool operator==(const UrlSource&) const = default;
};
struct TextSource {
  std::string media_type;
  std::string data;
  Extra extra;
  bool operator==(const TextSource&) const = default;
};
struct FileSource {
  std::string file_id;
  Extra extra;
  bool operator==(const FileSource&) const = default;
};
struct Source : std::variant<Base64Source, UrlSource, TextSource, FileSource, Unknown> {
  PARLEY_UNION(Source)
};

// ---- blocks ------------------------------------------------------------------------------------

struct TextBlock {
  std::string text;
  std::optional<std::vector<RawJson>> citations;
  std::optional<RawJson> cache_control;
  Extra extra;
  bool operator==(const TextBlock&) const = default;
};

struct ThinkingBlock {
  std::string thinking;
  std::optional<std::string> signature;
  Extra extra;
  bool operator==(const ThinkingBlock&) const = default;
};

struct RedactedThinkingBlock {
  std::string data;
  Extra extra;
  bool operator==(const RedactedThinkingBlock&) const = default;
};

struct ToolUseBlock {
  std::string id;
  std::string name;
  RawJson input;  ///< Typed by wire/tools/tools.hpp: `block.input.as<tools::BashInput>()`.
  std::optional<RawJson> caller;
  std::optional<RawJson> cache_control;
  Extra extra;
  bool operator==(const ToolUseBlock&) const = default;
};

struct ToolResultBlock {
  std::string tool_use_id;
  Optional<Content> content;
  std::optional<bool> is_error;
  std::optional<RawJson> cache_control;
  Extra extra;
  bool operator==(const ToolResultBlock&) const;  // not inline: the type is recursive
};

struct ImageBlock {
  Source source;
  std::optional<RawJson> cache_control;
  Extra extra;
  bool operator==(const ImageBlock&) const = default;
};

struct DocumentBlock {
  Source source;
  std::optional<std::string> title;
  std::optional<std::string> context;
  std::optional<RawJson> citations;
  std::optional<RawJson> cache_control;
  Extra extra;
  bool operator==(const DocumentBlock&) const = default;
};

/// A tool that the API runs itself (web search, code execution).
struct ServerToolUseBlock {
  std::string id;
  std::string name;
  RawJson input;
  Extra extra;
  bool operator==(const ServerToolUseBlock&) const = default;
};

struct WebSearchToolResultBlock {
  std::string tool_use_id;
  RawJson content;
  Extra extra;
  bool operator==(const WebSearchToolResultBlock&) const = default;
};

struct WebFetchToolResultBlock {
  std::string tool_use_id;
  RawJson content;
  Extra extra;
  bool operator==(const WebFetchToolResultBlock&) const = default;
};

/// A tool of a remote MCP server that the API calls itself.
struct McpToolUseBlock {
  std::string id;
  std::string name;
  std::optional<std::string> server_name;
  RawJson input;
  Extra extra;
  bool operator==(const McpToolUseBlock&) const = default;
};

struct McpToolResultBlock {
  std::string tool_use_id;
  Optional<Content> content;
  std::optional<bool> is_error;
  Extra extra;
  bool operator==(const McpToolResultBlock&) const;  // not inline: the type is recursive
};

/// Inside a tool result: a deferred tool whose definition is now loaded.
struct ToolReferenceBlock {
  std::string tool_name;
  Extra extra;
  bool operator==(const ToolReferenceBlock&) const = default;
};

struct ContentBlock
    : std::variant<TextBlock, ToolUseBlock, ToolResultBlock, ThinkingBlock, RedactedThinkingBlock,
                   ImageBlock, DocumentBlock, ServerToolUseBlock, WebSearchToolResultBlock,
                   WebFetchToolResultBlock, McpToolUseBlock, McpToolResultBlock, ToolReferenceBlock,
                   Unknown> {
  PARLEY_UNION(ContentBlock)
};

// ---- messages of the Messages API --------------------------------------------------------------

/// An answer of the model. Over the wire it comes one content block at a time, under one `id`.
struct ApiMessage {
  std::optional<std::string> id;
  std::optional<std::string> type;
  std::string role;
  std::optional<std::string> model;
  std::vector<ContentBlock> content;
  std::optional<std::string> stop_reason;
  std::optional<std::string> stop_sequence;
  std::optional<RawJson> stop_details;
  Optional<Usage> usage;
  std::optional<RawJson> context_management;
  std::optional<RawJson> container;
  std::optional<RawJson> diagnostics;
  Extra extra;
  bool operator==(const ApiMessage&) const = default;
};

/// What is said to the model: a prompt, tool results.
struct MessageParam {
  std::string role;
  Content content;
  Extra extra;
  bool operator==(const MessageParam&) const = default;
};

PARLEY_CODEC(Source)
PARLEY_CODEC(ContentBlock)
PARLEY_CODEC(ApiMessage)
PARLEY_CODEC(MessageParam)

}  // namespace parley
