// What an MCP server has to offer besides tools, and what it asks of its client: resource
// templates, prompts, completion, the level of logging, sampling. Apart from mcp.hpp because only
// servers need it.
#pragma once

#include <array>

#include "mcp.hpp"

namespace parley {

namespace mcp {

/// The revisions of the protocol that a server of ours speaks, the newest last.
inline constexpr std::array<std::string_view, 4> kProtocolVersions = {"2024-11-05", "2025-03-26",
                                                                      "2025-06-18", "2025-11-25"};

inline constexpr std::int64_t kResourceNotFound = -32002;

/// logging/setLevel
struct SetLevelParams {
  Enum<LoggingLevel> level;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const SetLevelParams&) const = default;
};

// ---- resources ---------------------------------------------------------------------------------

/// Resources whose addresses differ in a few places: `notes:///{day}`.
struct ResourceTemplate {
  std::string uriTemplate;
  std::string name;
  std::optional<std::string> title;
  std::optional<std::string> description;
  std::optional<std::string> mimeType;
  std::optional<RawJson> annotations;
  std::optional<RawJson> icons;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const ResourceTemplate&) const = default;
};

struct ListResourceTemplatesResult {
  std::vector<ResourceTemplate> resourceTemplates;
  std::optional<std::string> nextCursor;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const ListResourceTemplatesResult&) const = default;
};

// ---- prompts -----------------------------------------------------------------------------------

PARLEY_ENUM(Role, user, assistant)

struct PromptArgument {
  std::string name;
  std::optional<std::string> title;
  std::optional<std::string> description;
  std::optional<bool> required;
  Extra extra;
  bool operator==(const PromptArgument&) const = default;
};

struct Prompt {
  std::string name;
  std::optional<std::string> title;
  std::optional<std::string> description;
  std::optional<std::vector<PromptArgument>> arguments;
  std::optional<RawJson> icons;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const Prompt&) const = default;
};

struct ListPromptsResult {
  std::vector<Prompt> prompts;
  std::optional<std::string> nextCursor;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const ListPromptsResult&) const = default;
};

struct GetPromptParams {
  std::string name;
  std::optional<RawJson> arguments;  ///< An object whose values are strings.
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const GetPromptParams&) const = default;
};

/// One message of a prompt, or of what a model is asked to go on with.
struct PromptMessage {
  Enum<Role> role = Role::user;
  ContentBlock content;
  Extra extra;
  bool operator==(const PromptMessage&) const = default;
};

struct GetPromptResult {
  std::optional<std::string> description;
  std::vector<PromptMessage> messages;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const GetPromptResult&) const = default;
};

// ---- completion --------------------------------------------------------------------------------

/// Whose argument is being typed: a prompt by `name`, or a template of resources by `uri`.
struct CompletionReference {
  std::string type;  ///< ref/prompt, ref/resource
  std::optional<std::string> name;
  std::optional<std::string> uri;
  Extra extra;
  bool operator==(const CompletionReference&) const = default;
};

struct CompletionArgument {
  std::string name;
  std::string value;  ///< What has been typed so far.
  Extra extra;
  bool operator==(const CompletionArgument&) const = default;
};

struct CompleteParams {
  CompletionReference ref;
  CompletionArgument argument;
  std::optional<RawJson> context;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const CompleteParams&) const = default;
};

struct Completion {
  std::vector<std::string> values;  ///< At most 100.
  std::optional<std::int64_t> total;
  std::optional<bool> hasMore;
  Extra extra;
  bool operator==(const Completion&) const = default;
};

struct CompleteResult {
  Completion completion;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const CompleteResult&) const = default;
};

// ---- sampling ----------------------------------------------------------------------------------

/// sampling/createMessage: the server asks the model of its client.
struct CreateMessageParams {
  std::vector<PromptMessage> messages;
  std::int64_t maxTokens = 0;
  std::optional<std::string> systemPrompt;
  std::optional<double> temperature;
  std::optional<std::vector<std::string>> stopSequences;
  std::optional<RawJson> modelPreferences;
  std::optional<RawJson> metadata;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const CreateMessageParams&) const = default;
};

struct CreateMessageResult {
  Enum<Role> role = Role::assistant;
  ContentBlock content;  ///< Several only come if tools were offered, which is not done here.
  std::string model;
  std::optional<std::string> stopReason;
  std::optional<RawJson> meta;
  Extra extra;
  bool operator==(const CreateMessageResult&) const = default;
};

}  // namespace mcp

PARLEY_CODEC(mcp::SetLevelParams)
PARLEY_CODEC(mcp::ListResourceTemplatesResult)
PARLEY_CODEC(mcp::ListPromptsResult)
PARLEY_CODEC(mcp::GetPromptParams)
PARLEY_CODEC(mcp::GetPromptResult)
PARLEY_CODEC(mcp::CompleteParams)
PARLEY_CODEC(mcp::CompleteResult)
PARLEY_CODEC(mcp::CreateMessageParams)
PARLEY_CODEC(mcp::CreateMessageResult)

}  // namespace parley
