// Every message of a turn as it comes: text, tool calls, and the result at the end.
#include <iostream>
#include <parley/client/query.hpp>

namespace {

void show(const parley::AssistantMessage& message) {
  for (const parley::ContentBlock& block : message.message.content) {
    if (const auto* text = std::get_if<parley::TextBlock>(&block)) {
      std::cout << "says: " << text->text << "\n";
    } else if (const auto* call = std::get_if<parley::ToolUseBlock>(&block)) {
      std::cout << "calls: " << call->name << " " << call->input.text << "\n";
    }
  }
}

}  // namespace

int main() try {
  parley::Options options;
  options.tools.allowed = {"Read", "Glob"};
  for (const parley::Message& message : parley::query("How big is README.md?", options)) {
    if (const auto* answer = message.get_if<parley::AssistantMessage>()) {
      show(*answer);
    } else if (const auto* result = message.get_if<parley::ResultMessage>()) {
      std::cout << "done after " << result->num_turns.value_or(0) << " turns\n";
    }
  }
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
