#include <cstdio>

#include "support/text/unprintable.hpp"
#include "support/text/utf8.hpp"
#include "wire/json/json.hpp"
#include "wire/messages/messages.hpp"

namespace parley {
namespace {

constexpr std::size_t kShownText = 120;

std::string quoted(std::string_view text) {
  std::string shown = "\"" + on_one_line(text.substr(0, kShownText));
  return shown + (text.size() > kShownText ? "…\"" : "\"");
}

std::string shown(const Content& content);

std::string shown(const ContentBlock& block) {
  if (const auto* text = std::get_if<TextBlock>(&block)) return quoted(text->text);
  if (const auto* call = std::get_if<ToolUseBlock>(&block)) {
    return "calls " + on_one_line(call->name) + " " + quoted(call->input.text);
  }
  if (const auto* result = std::get_if<ToolResultBlock>(&block)) {
    const std::string what = result->is_error.value_or(false) ? "tool error " : "tool result ";
    return what + (result->content ? shown(*result->content) : "");
  }
  if (const auto* thought = std::get_if<ThinkingBlock>(&block)) {
    return "thinks " + quoted(thought->thinking);
  }
  return "(other content)";
}

std::string shown(const std::vector<ContentBlock>& blocks) {
  std::string text;
  for (const ContentBlock& block : blocks) text += (text.empty() ? "" : ", ") + shown(block);
  return text;
}

std::string shown(const Content& content) {
  if (const auto* text = std::get_if<std::string>(&content)) return quoted(*text);
  return shown(std::get<std::vector<ContentBlock>>(content));
}

std::string shown(const ResultMessage& result) {
  std::string text = "result";
  char number[64];
  if (result.is_error.value_or(false)) text += " (error)";
  if (result.duration_ms) {
    (void)std::snprintf(number, sizeof number, " after %.1f s", *result.duration_ms / 1000);
    text += number;
  }
  if (result.total_cost_usd) {
    (void)std::snprintf(number, sizeof number, ", $%.4f so far", *result.total_cost_usd);
    text += number;
  }
  if (result.result) text += ": " + quoted(*result.result);
  if (result.errors) {
    for (const std::string& error : *result.errors) text += ": " + quoted(error);
  }
  return text;
}

/// The names that the wire gives it.
std::string kind(const Message& message) {
  const auto json = Json::parse(encode_message(message));
  if (!json) return "(no message)";
  const auto name = [&json](std::string_view member) {
    const Json& value = (*json)[member];
    return value.is_string() ? on_one_line(value.as_string()) : std::string();
  };
  std::string subtype = name("subtype");
  for (const std::string_view inner : {"event", "request", "response"}) {
    const Json& part = (*json)[inner];
    if (!subtype.empty() || !part.is_object()) continue;
    const Json& value = part[inner == "event" ? "type" : "subtype"];
    if (value.is_string()) subtype = on_one_line(value.as_string());
  }
  return subtype.empty() ? name("type") : name("type") + "/" + subtype;
}

}  // namespace

std::string to_string(const Message& message) {
  if (const auto* answer = message.get_if<AssistantMessage>()) {
    return (answer->parent_tool_use_id ? "subagent: " : "assistant: ") +
           shown(answer->message.content);
  }
  if (const auto* user = message.get_if<UserMessage>()) {
    return "user: " + shown(user->message.content);
  }
  if (const auto* result = message.get_if<ResultMessage>()) return shown(*result);
  return kind(message);
}

}  // namespace parley
