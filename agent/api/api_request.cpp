#include "agent/api/api_request.hpp"

#include <algorithm>

#include "agent/api/models.hpp"
#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

const std::string kMark = R"({"type":"ephemeral"})";
constexpr std::int64_t kLeastBudget = 1024;  // the API refuses less

/// Appends `"name":` with a comma in front if it is not the first member.
void key(std::string_view name, std::string& out) {
  if (out.back() != '{') out += ',';
  detail::write_string(name, out);
  out += ':';
}

void text_member(std::string_view name, std::string_view text, std::string& out) {
  key(name, out);
  detail::write_string(text, out);
}

/// The place of a block's cache mark, or null if it has none.
std::optional<RawJson>* mark_of(ContentBlock& block) {
  return std::visit(
      [](auto& value) -> std::optional<RawJson>* {
        if constexpr (requires { value.cache_control; }) {
          return &value.cache_control;
        } else {
          return nullptr;
        }
      },
      static_cast<ContentBlock::variant&>(block));
}

bool is_marked(const ContentBlock& block) {
  const auto* mark = mark_of(const_cast<ContentBlock&>(block));  // only looked at
  return mark != nullptr && mark->has_value();
}

/// The API refuses a mark on a text without any characters.
bool can_be_marked(ContentBlock& block) {
  const auto* text = std::get_if<TextBlock>(&block);
  return mark_of(block) != nullptr && (text == nullptr || !text->text.empty());
}

void mark_last(std::vector<ContentBlock>& blocks) {
  const auto last = std::find_if(blocks.rbegin(), blocks.rend(), can_be_marked);
  if (last != blocks.rend()) *mark_of(*last) = RawJson(kMark);
}

/// The message without marks, or with one at its end.
MessageParam remarked(MessageParam message, bool marked) {
  if (auto* text = std::get_if<std::string>(&message.content)) {
    TextBlock block;
    block.text = std::move(*text);
    message.content = std::vector<ContentBlock>{std::move(block)};
  }
  auto& blocks = std::get<std::vector<ContentBlock>>(message.content);
  for (ContentBlock& block : blocks) {
    if (auto* mark = mark_of(block)) mark->reset();
  }
  if (marked) mark_last(blocks);
  return message;
}

bool has_mark(const MessageParam& message) {
  const auto* blocks = std::get_if<std::vector<ContentBlock>>(&message.content);
  return blocks != nullptr && std::any_of(blocks->begin(), blocks->end(), is_marked);
}

void write_messages(const std::vector<MessageParam>& messages, bool cache, std::string& out) {
  std::size_t marked = messages.size();
  if (cache) {
    for (std::size_t i = messages.size(); i-- > 0;) {
      if (messages[i].role == "user") {
        marked = i;
        break;
      }
    }
  }
  out += '[';
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (i > 0) out += ',';
    // Most messages are written as they are, without a copy.
    if (i == marked || has_mark(messages[i])) {
      encode(remarked(messages[i], i == marked), out);
    } else {
      encode(messages[i], out);
    }
  }
  out += ']';
}

void write_system(const std::vector<std::string>& system, bool cache, std::string& out) {
  const auto last = std::find_if(system.rbegin(), system.rend(),
                                 [](const std::string& text) { return !text.empty(); });
  if (last == system.rend()) return;
  key("system", out);
  out += '[';
  for (const std::string& text : system) {
    if (text.empty()) continue;
    if (out.back() != '[') out += ',';
    out += R"({"type":"text","text":)";
    detail::write_string(text, out);
    if (cache && &text == &*last) out += R"(,"cache_control":)" + kMark;
    out += '}';
  }
  out += ']';
}

void write_tools(const std::vector<ToolDefinition>& tools, bool cache, std::string& out) {
  if (tools.empty()) return;
  key("tools", out);
  out += '[';
  for (const ToolDefinition& tool : tools) {
    if (out.back() != '[') out += ',';
    out += '{';
    text_member("name", tool.name, out);
    text_member("description", tool.description, out);
    key("input_schema", out);
    tool.input_schema.write(out);
    if (cache && &tool == &tools.back()) {
      key("cache_control", out);
      out += kMark;
    }
    out += '}';
  }
  out += ']';
}

/// How the model shall think: the wish, as far as the model can.
struct Thinking {
  ThinkingKind kind;
  std::int64_t budget;  ///< Of `budget`; it has to stay below the tokens of the answer.
};

Thinking thinking_of(const ApiRequest& request, const ModelInfo& info) {
  const std::int64_t most = request.max_tokens.value_or(info.max_output_tokens) - 1;
  const std::int64_t budget = std::min(request.thinking_tokens.value_or(most), most);
  const bool off = info.thinking == ThinkingKind::none || request.thinking == "disabled" ||
                   request.thinking_tokens == 0 || budget < kLeastBudget;
  if (off) return {ThinkingKind::none, 0};
  const bool by_budget = info.thinking == ThinkingKind::budget || request.thinking == "enabled";
  return {by_budget ? ThinkingKind::budget : ThinkingKind::adaptive, budget};
}

void write_thinking(const ApiRequest& request, const ModelInfo& info, std::string& out) {
  if (info.thinking == ThinkingKind::none) return;
  key("thinking", out);
  const Thinking thinking = thinking_of(request, info);
  switch (thinking.kind) {
    case ThinkingKind::none: out += R"({"type":"disabled"})"; return;
    case ThinkingKind::budget:
      out += R"({"type":"enabled","budget_tokens":)" + std::to_string(thinking.budget) + '}';
      return;
    case ThinkingKind::adaptive: out += R"({"type":"adaptive"})"; return;
  }
}

/// Empty: the model takes none.
std::string_view effort_of(const ApiRequest& request, const ModelInfo& info) {
  if (info.effort.empty() || !request.effort) return info.effort;
  return *request.effort;
}

}  // namespace

std::string ApiRequest::body() const {
  const ModelInfo info = model_info(model);
  std::string out = "{";
  text_member("model", api_model(model), out);
  key("max_tokens", out);
  out += std::to_string(max_tokens.value_or(info.max_output_tokens));
  write_system(system, cache, out);
  write_tools(tools, cache, out);
  key("messages", out);
  write_messages(messages, cache, out);
  if (tool_choice) {
    key("tool_choice", out);
    out += tool_choice->text;
  }
  write_thinking(*this, info, out);
  if (const std::string_view wanted = effort_of(*this, info); !wanted.empty()) {
    key("output_config", out);
    out += '{';
    text_member("effort", wanted, out);
    out += '}';
  }
  if (!session_id.empty()) {
    // One text for the API, which takes no other members here.
    std::string user = "{";
    text_member("session_id", session_id, user);
    user += '}';
    key("metadata", out);
    out += '{';
    text_member("user_id", user, out);
    out += '}';
  }
  if (!stop_sequences.empty()) {
    key("stop_sequences", out);
    encode(stop_sequences, out);
  }
  if (temperature) {
    key("temperature", out);
    detail::write_number(*temperature, out);
  }
  if (stream) {
    key("stream", out);
    out += "true";
  }
  out += '}';
  return out;
}

std::vector<std::string> ApiRequest::betas() const {
  const ModelInfo info = model_info(model);
  std::vector<std::string> betas;
  if (thinking_of(*this, info).kind != ThinkingKind::none) {
    betas.emplace_back("interleaved-thinking-2025-05-14");
  }
  // A mark on the name that enlarges nothing needs no header either.
  if (info.context_window > model_info(api_model(model)).context_window) {
    betas.emplace_back("context-1m-2025-08-07");
  }
  if (!effort_of(*this, info).empty()) betas.emplace_back("effort-2025-11-24");
  return betas;
}

}  // namespace parley::agent
