#include "apps/parley/run/view.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "apps/parley/terminal.hpp"
#include "wire/json/json.hpp"

namespace parley::app {
namespace {

constexpr std::size_t kIndent = 2;

/// The text of a tool result, its first line.
std::string first_line(const std::optional<Content>& content) {
  std::string text;
  if (!content) return text;
  if (const auto* plain = std::get_if<std::string>(&*content)) {
    text = *plain;
  } else {
    for (const ContentBlock& block : std::get<std::vector<ContentBlock>>(*content)) {
      if (const auto* part = std::get_if<TextBlock>(&block)) text += part->text;
    }
  }
  return text.substr(0, text.find('\n'));
}

std::string seconds(double milliseconds) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f s", milliseconds / 1000);
  return text.data();
}

}  // namespace

std::string coloured_note(std::string_view text, int sgr) {
  static const bool colours = ::isatty(STDERR_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
  if (!colours) return std::string(text);
  return "\x1b[" + std::to_string(sgr) + "m" + std::string(text) + "\x1b[0m";
}

std::string call_line(std::string_view tool, const RawJson& input) {
  constexpr const char* kTelling[] = {"command", "file_path", "notebook_path", "pattern", "path",
                                      "url",     "query",     "description",   "skill",   "prompt"};
  std::string about;
  if (const auto json = input.json()) {
    for (const char* key : kTelling) {
      if (const Json* value = json->find(key); value != nullptr && value->is_string()) {
        about = value->as_string();
        break;
      }
    }
  }
  if (about.empty() && input.text != "{}") about = input.text;
  return on_one_line(std::string(tool) + (about.empty() ? "" : "  " + about));
}

void RunView::show(const Message& message) {
  const auto guard = lock();
  if (json_) {
    std::cout << printable_json(encode_message(message)) << '\n' << std::flush;
    return;
  }
  if (const auto* event = std::get_if<StreamEvent>(&message)) show_event(*event);
  if (const auto* answer = std::get_if<AssistantMessage>(&message)) show_answer(*answer);
  if (const auto* user = std::get_if<UserMessage>(&message)) show_results(*user);
  if (const auto* retry = std::get_if<ApiRetry>(&message)) {
    break_line();
    std::cerr << coloured_note("the API failed; attempt " +
                                   std::to_string(retry->attempt.value_or(0)) + " follows",
                               kDim)
              << '\n';
  }
}

void RunView::show_event(const StreamEvent& event) {
  if (event.parent_tool_use_id) return;  // a subagent's
  if (std::holds_alternative<MessageStart>(event.event)) streamed_ = false;
  if (const auto* delta = std::get_if<ContentBlockDelta>(&event.event)) {
    if (const auto* text = std::get_if<TextDelta>(&delta->delta)) {
      write_answer(text->text);
      streamed_ = true;
    }
  }
}

void RunView::show_answer(const AssistantMessage& answer) {
  const bool subagent = answer.parent_tool_use_id.has_value();
  for (const ContentBlock& block : answer.message.content) {
    if (const auto* text = std::get_if<TextBlock>(&block); text != nullptr && !subagent) {
      if (!std::exchange(streamed_, false)) write_answer(text->text);
      break_line();
    }
    if (const auto* call = std::get_if<ToolUseBlock>(&block)) {
      break_line();
      const std::size_t indent = subagent ? kIndent : 0;
      std::cerr << std::string(indent, ' ') << coloured_note("*", kBlue) << ' '
                << fitted(call_line(call->name, call->input), terminal_width() - indent - 3)
                << '\n';
    }
  }
}

void RunView::show_results(const UserMessage& message) {
  const auto* blocks = std::get_if<std::vector<ContentBlock>>(&message.message.content);
  if (blocks == nullptr) return;
  for (const ContentBlock& block : *blocks) {
    const auto* result = std::get_if<ToolResultBlock>(&block);
    if (result == nullptr || !result->is_error.value_or(false)) continue;
    break_line();
    std::cerr << coloured_note(fitted("  failed: " + on_one_line(first_line(result->content)),
                                      terminal_width() - 1),
                               kRed)
              << '\n';
  }
}

void RunView::write_answer(std::string_view text) {
  if (text.empty()) return;
  std::cout << printable(text) << std::flush;
  line_open_ = text.back() != '\n';
}

void RunView::note(std::string_view text) {
  const std::unique_lock guard(mutex_, std::try_to_lock);
  if (guard) break_line();
  std::cerr << (guard ? "" : "\n") << coloured_note(text, kDim) << '\n';
}

void RunView::break_line() {
  if (std::exchange(line_open_, false)) std::cout << '\n' << std::flush;
}

void RunView::show_end(const ResultMessage& result, const Spending& spending) {
  const auto guard = lock();
  if (json_) return;
  break_line();
  std::string line = shown_money(spending.total_cost_usd);
  if (result.duration_ms) line += " · " + seconds(*result.duration_ms);
  line += " · " + shown_count(spending.input_tokens) + " tokens in, " +
          shown_count(spending.output_tokens) + " out";
  std::cerr << coloured_note(line, kDim) << '\n';
}

}  // namespace parley::app
