// What the demo says without any tool.
#include "model/demo/rules.hpp"

namespace parley::model {
namespace {

Turn think(const DemoSituation&) {
  Turn turn;
  turn.content.push_back(Json::object(
      {{"type", "thinking"},
       {"thinking",
        "The user wants to see me think. I am a handful of rules, so there is not much to think "
        "about. Still: a thought has a beginning, then a turn, and then it has to end somewhere. "
        "First I note what was asked. Then I consider that any answer will do, as long as the "
        "thinking can be seen. That is settled, then."}}));
  turn.content.push_back(Json::object(
      {{"type", "text"},
       {"text", std::string(kDemoMark) +
                    "I have thought about it; the thought is in the block above this answer."}}));
  return turn;
}

Turn long_answer(const DemoSituation&) {
  constexpr int kSections = 12;
  std::string text = "here is a long answer, so that you can scroll while it grows.\n";
  for (int i = 1; i <= kSections; ++i) {
    const std::string number = std::to_string(i);
    text += "\n## Part " + number + " of " + std::to_string(kSections) + "\n\n";
    text += "This is paragraph " + number +
            ". It is made of ordinary words, long enough to fill a few lines on the screen, and it "
            "arrives in small pieces as the words of a real model would. You can scroll up to read "
            "again what came before, and the page should stay where you put it.\n\n";
    text += "- a first point, which is short\n- a second one with *emphasis* and `code`\n";
  }
  return speak(text + "\nThat was all of it.");
}

Turn table_and_code(const DemoSituation&) {
  return speak(
      "a table and some code.\n\n"
      "| Module | Role | Depends on |\n"
      "|---|---|---|\n"
      "| `wire` | the protocol | nothing |\n"
      "| `transport` | bytes in and out | `wire` |\n"
      "| `client` | sessions | `wire`, `transport` |\n\n"
      "```cpp\n"
      "#include <iostream>\n\n"
      "int main() {\n"
      "  for (int i = 1; i <= 3; ++i) std::cout << \"demo \" << i << '\\n';\n"
      "}\n"
      "```\n\n"
      "> Quotes, **bold**, *italic* and [links](https://example.com) are there as well.\n\n"
      "1. first\n2. second\n   - nested\n");
}

Turn api_error(const DemoSituation&) {
  Turn turn;
  turn.status = 400;
  turn.error = Json::object(
      {{"type", "error"},
       {"error", Json::object({{"type", "invalid_request_error"},
                               {"message", "Demo model: you asked for an error of the API."}})}});
  return turn;
}

Turn see_image(const DemoSituation& situation) {
  std::string kinds;
  for (const std::string& image : situation.images) kinds += (kinds.empty() ? "" : ", ") + image;
  return speak("I was given " + std::to_string(situation.images.size()) + " image(s) (" + kinds +
               "). I cannot see, but they have arrived.");
}

bool asks_for_error(const DemoSituation& s) { return s.says("API") && s.says("error"); }
bool asks_to_think(const DemoSituation& s) { return s.says_any({"think", "thinking"}); }
bool asks_for_length(const DemoSituation& s) { return s.says_any({"long", "essay"}); }
bool asks_for_table(const DemoSituation& s) {
  return s.says_any({"table", "code", "markdown", "snippet"});
}
bool has_images(const DemoSituation& s) { return !s.images.empty(); }

}  // namespace

std::vector<DemoRule> speaking_rules() {
  return {
      {"see image", "(a prompt with an image)", has_images, see_image},
      {"api error", "Show me an API error", asks_for_error, api_error},
      {"think", "Think about it", asks_to_think, think},
      {"long answer", "Give me a long answer", asks_for_length, long_answer},
      {"table and code", "Show a table and code", asks_for_table, table_and_code},
  };
}

Turn help_answer(const DemoSituation&) {
  std::string text =
      "I am no real model, only a few rules that show what a session can do. Real are the tools "
      "and the permissions you will be asked for. Try one of these:\n\n";
  for (const DemoRule& rule : demo_rules()) text += "- " + std::string(rule.example) + "\n";
  return speak(text +
               "\nTo talk to a real model, start the agent with a key or an endpoint of your own.");
}

}  // namespace parley::model
