#include "agent/turn/prompt_suggestion.hpp"

#include <algorithm>

#include "agent/tools/files/files.hpp"
#include "support/text/text.hpp"

namespace parley::agent {
namespace {

constexpr std::size_t kMostWords = 12;
constexpr std::size_t kLongest = 100;   ///< Bytes of a suggestion.
constexpr std::size_t kEnough = 4'000;  ///< Bytes of a text that the guess is made from.

constexpr const char* kQuestion =
    "[PROMPT SUGGESTION] Below is the end of a conversation between a user and a coding agent. "
    "What would this user "
    "type next? Answer with those words alone, two to twelve of them, in the user's own style, as "
    "an order or a question to the agent. If nothing is obvious, answer with nothing.";

}  // namespace

std::optional<std::string> as_suggestion(std::string_view words) {
  words = trimmed(words);
  if (words.size() >= 2 && words.front() == '"' && words.back() == '"') {
    words = words.substr(1, words.size() - 2);
  }
  const auto spaces = static_cast<std::size_t>(std::count(words.begin(), words.end(), ' '));
  if (words.size() > kLongest || words.find('\n') != std::string_view::npos || spaces == 0 ||
      spaces >= kMostWords) {
    return std::nullopt;
  }
  return std::string(words);
}

void suggest_prompt(const AskModel& ask, MessageSink& messages, const std::string& prompt,
                    const std::string& answer, const std::stop_token& stop) {
  const auto words =
      ask(std::string(kQuestion) + "\n\n<user>\n" + std::string(prefix(prompt, kEnough)) +
              "\n</user>\n<agent>\n" + std::string(suffix(answer, kEnough)) + "\n</agent>",
          stop);
  if (!words || stop.stop_requested()) return;
  const auto suggestion = as_suggestion(*words);
  if (!suggestion) return;
  PromptSuggestion message;
  message.suggestion = *suggestion;
  messages.send(std::move(message));
}

}  // namespace parley::agent
