// Text while it is written, not only when it is complete.
#include <iostream>
#include <parley/client/query.hpp>

namespace {

/// The new piece of text that a message brings, if it brings one.
const std::string* new_text(const parley::Message& message) {
  const auto* event = std::get_if<parley::StreamEvent>(&message);
  if (event == nullptr) return nullptr;
  const auto* delta = std::get_if<parley::ContentBlockDelta>(&event->event);
  if (delta == nullptr) return nullptr;
  const auto* text = std::get_if<parley::TextDelta>(&delta->delta);
  return text != nullptr ? &text->text : nullptr;
}

}  // namespace

int main() try {
  parley::Options options;
  options.partial_messages = true;
  for (const parley::Message& message : parley::query("Tell me a story.", options)) {
    if (const std::string* text = new_text(message)) std::cout << *text << std::flush;
  }
  std::cout << "\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
