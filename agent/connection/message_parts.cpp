#include "agent/connection/message_parts.hpp"

#include "support/random.hpp"
#include "support/time.hpp"

namespace parley::agent {

void write_null(Extra& extra, std::string_view member) {
  extra.members.push_back({std::string(member), RawJson("null"), true});
}

UserMessage prompt_of(std::string text) {
  UserMessage prompt;
  prompt.message.role = "user";
  prompt.message.content = std::move(text);
  return prompt;
}

MessageParam user_text(const std::string& text) {
  MessageParam param;
  param.role = "user";
  param.content = std::vector<ContentBlock>{TextBlock{text, {}, {}, {}}};
  return param;
}

std::string text_of(const Content& content) {
  if (const auto* text = std::get_if<std::string>(&content)) return *text;
  std::string all;
  for (const ContentBlock& block : std::get<std::vector<ContentBlock>>(content)) {
    if (const auto* text = std::get_if<TextBlock>(&block)) {
      all += (all.empty() ? "" : "\n") + text->text;
    }
  }
  return all;
}

AssistantMessage synthetic_answer(std::string text) {
  AssistantMessage message;
  message.message.id = make_uuid();
  message.message.type = "message";
  message.message.role = "assistant";
  message.message.model = "<synthetic>";
  message.message.stop_reason = "stop_sequence";
  message.message.stop_sequence = "";
  message.message.content.emplace_back(TextBlock{std::move(text), {}, {}, {}});
  Usage usage;
  usage.input_tokens = usage.output_tokens = 0;
  usage.cache_creation_input_tokens = usage.cache_read_input_tokens = 0;
  usage.server_tool_use.emplace();
  usage.server_tool_use->web_search_requests = usage.server_tool_use->web_fetch_requests = 0;
  usage.cache_creation.emplace();
  usage.cache_creation->ephemeral_1h_input_tokens = 0;
  usage.cache_creation->ephemeral_5m_input_tokens = 0;
  for (const char* member : {"output_tokens_details", "service_tier", "inference_geo", "iterations",
                             "speed", "fallback_credit"}) {
    write_null(usage.extra, member);
  }
  message.message.usage = usage;
  for (const char* member : {"container", "context_management", "diagnostics", "stop_details"}) {
    write_null(message.message.extra, member);
  }
  message.timestamp = timestamp();
  return message;
}

}  // namespace parley::agent
