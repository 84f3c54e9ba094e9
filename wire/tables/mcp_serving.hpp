// Field tables of wire/mcp/serving.hpp.
#pragma once

#include "../mcp/serving.hpp"
#include "mcp.hpp"

namespace parley {

PARLEY_OFFSETS_BEGIN

constexpr auto parley_fields(Tag<mcp::SetLevelParams>) {
  using T = mcp::SetLevelParams;
  return make_table<T>("mcp::SetLevelParams", PARLEY_FIELD(T, level),
                       PARLEY_FIELD_AS(T, meta, "_meta"));
}
constexpr auto parley_fields(Tag<mcp::ResourceTemplate>) {
  using T = mcp::ResourceTemplate;
  return make_table<T>("mcp::ResourceTemplate", PARLEY_FIELD(T, uriTemplate), PARLEY_FIELD(T, name),
                       PARLEY_FIELD(T, title), PARLEY_FIELD(T, description),
                       PARLEY_FIELD(T, mimeType), PARLEY_FIELD(T, annotations),
                       PARLEY_FIELD(T, icons), PARLEY_FIELD_AS(T, meta, "_meta"));
}
constexpr auto parley_fields(Tag<mcp::ListResourceTemplatesResult>) {
  using T = mcp::ListResourceTemplatesResult;
  return make_table<T>("mcp::ListResourceTemplatesResult", PARLEY_FIELD(T, resourceTemplates),
                       PARLEY_FIELD(T, nextCursor), PARLEY_FIELD_AS(T, meta, "_meta"));
}
PARLEY_FIELDS(mcp::PromptArgument, name, title, description, required)
constexpr auto parley_fields(Tag<mcp::Prompt>) {
  using T = mcp::Prompt;
  return make_table<T>("mcp::Prompt", PARLEY_FIELD(T, name), PARLEY_FIELD(T, title),
                       PARLEY_FIELD(T, description), PARLEY_FIELD(T, arguments),
                       PARLEY_FIELD(T, icons), PARLEY_FIELD_AS(T, meta, "_meta"));
}
constexpr auto parley_fields(Tag<mcp::ListPromptsResult>) {
  using T = mcp::ListPromptsResult;
  return make_table<T>("mcp::ListPromptsResult", PARLEY_FIELD(T, prompts),
                       PARLEY_FIELD(T, nextCursor), PARLEY_FIELD_AS(T, meta, "_meta"));
}
constexpr auto parley_fields(Tag<mcp::GetPromptParams>) {
  using T = mcp::GetPromptParams;
  return make_table<T>("mcp::GetPromptParams", PARLEY_FIELD(T, name), PARLEY_FIELD(T, arguments),
                       PARLEY_FIELD_AS(T, meta, "_meta"));
}
PARLEY_FIELDS(mcp::PromptMessage, role, content)
constexpr auto parley_fields(Tag<mcp::GetPromptResult>) {
  using T = mcp::GetPromptResult;
  return make_table<T>("mcp::GetPromptResult", PARLEY_FIELD(T, description),
                       PARLEY_FIELD(T, messages), PARLEY_FIELD_AS(T, meta, "_meta"));
}
PARLEY_FIELDS(mcp::CompletionReference, type, name, uri)
PARLEY_FIELDS(mcp::CompletionArgument, name, value)
constexpr auto parley_fields(Tag<mcp::CompleteParams>) {
  using T = mcp::CompleteParams;
  return make_table<T>("mcp::CompleteParams", PARLEY_FIELD(T, ref), PARLEY_FIELD(T, argument),
                       PARLEY_FIELD(T, context), PARLEY_FIELD_AS(T, meta, "_meta"));
}
PARLEY_FIELDS(mcp::Completion, values, total, hasMore)
constexpr auto parley_fields(Tag<mcp::CompleteResult>) {
  using T = mcp::CompleteResult;
  return make_table<T>("mcp::CompleteResult", PARLEY_FIELD(T, completion),
                       PARLEY_FIELD_AS(T, meta, "_meta"));
}
constexpr auto parley_fields(Tag<mcp::CreateMessageParams>) {
  using T = mcp::CreateMessageParams;
  return make_table<T>("mcp::CreateMessageParams", PARLEY_FIELD(T, messages),
                       PARLEY_FIELD(T, maxTokens), PARLEY_FIELD(T, systemPrompt),
                       PARLEY_FIELD(T, temperature), PARLEY_FIELD(T, stopSequences),
                       PARLEY_FIELD(T, modelPreferences), PARLEY_FIELD(T, metadata),
                       PARLEY_FIELD_AS(T, meta, "_meta"));
}
constexpr auto parley_fields(Tag<mcp::CreateMessageResult>) {
  using T = mcp::CreateMessageResult;
  return make_table<T>("mcp::CreateMessageResult", PARLEY_FIELD(T, role), PARLEY_FIELD(T, content),
                       PARLEY_FIELD(T, model), PARLEY_FIELD(T, stopReason),
                       PARLEY_FIELD_AS(T, meta, "_meta"));
}

PARLEY_OFFSETS_END

}  // namespace parley
