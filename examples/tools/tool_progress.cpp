// A tool that takes its time: it says how far it is, and stops when the agent no longer waits. Its
// second argument is described to the model.
#include <iostream>
#include <parley/client/handlers/tools.hpp>
#include <parley/client/session.hpp>

struct CountArgs {
  std::string text;
  std::string letter;
};
constexpr auto parley_fields(parley::Tag<CountArgs>) {
  return parley::make_table<CountArgs>(
      "CountArgs", parley::field("text", &CountArgs::text),
      parley::field("letter", &CountArgs::letter).doc("One lower-case letter"));
}

namespace {

parley::ToolOutput count(const CountArgs& arguments, parley::ToolContext& context) {
  if (arguments.letter.size() != 1) return parley::ToolOutput::error("One letter, please.");
  int found = 0;
  for (std::size_t i = 0; i < arguments.text.size(); ++i) {
    if (context.stop().stop_requested()) return parley::ToolOutput::error("Stopped.");
    if (arguments.text[i] == arguments.letter[0]) ++found;
    context.progress(static_cast<double>(i + 1), static_cast<double>(arguments.text.size()));
  }
  return found;
}

}  // namespace

int main() try {
  parley::McpServer letters("letters");
  letters.add(parley::tool("count", "Counts a letter in a text",
                           [](const CountArgs& arguments, parley::ToolContext& context) {
                             return count(arguments, context);
                           }));
  parley::Options options;
  options.tools.in_process.push_back(letters);
  parley::Session session(options);
  session.connect().value();
  std::cout << session.ask("How many r are in strawberry?").answer().value() << "\n";
} catch (const parley::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
