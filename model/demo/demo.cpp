#include "model/demo/demo.hpp"

#include <algorithm>

#include "model/ascii_json.hpp"
#include "model/demo/rules.hpp"

namespace parley::model {
namespace {

constexpr std::int64_t kCharactersPerToken = 4;
constexpr std::size_t kCharactersPerDelta = 14;
constexpr std::chrono::milliseconds kThinkingTime{120};
constexpr std::chrono::milliseconds kBetweenDeltas{12};
/// A long answer is told faster, so that nobody waits for minutes.
constexpr std::size_t kManyDeltas = 400;

std::int64_t tokens(const Json& value) {
  return static_cast<std::int64_t>(ascii_json(value).size()) / kCharactersPerToken + 1;
}

/// Streamed like a model that thinks and types, with figures that grow with the conversation.
Turn with_manners(Turn turn, const Json& request) {
  turn.delay = kThinkingTime;
  turn.chunk = kCharactersPerDelta;
  const std::int64_t output = tokens(Json(turn.content));
  const auto deltas = static_cast<std::size_t>(output * kCharactersPerToken) / turn.chunk;
  turn.chunk_delay = kBetweenDeltas;
  if (deltas > kManyDeltas) turn.chunk = turn.chunk * deltas / kManyDeltas;
  turn.usage_start = Json::object({{"input_tokens", tokens(request)}});
  turn.output_tokens = output;
  return turn;
}

}  // namespace

const std::vector<DemoRule>& demo_rules() {
  static const std::vector<DemoRule> all = [] {
    std::vector<DemoRule> rules = tool_rules();
    const std::vector<DemoRule> speaking = speaking_rules();
    rules.insert(rules.end(), speaking.begin(), speaking.end());
    return rules;
  }();
  return all;
}

Turn speak(std::string_view text) { return text_turn(std::string(kDemoMark).append(text)); }

Turn call(const DemoSituation& situation, std::string_view text, std::string_view tool,
          Json input) {
  if (!situation.offers(tool)) {
    return speak("I would call the tool `" + std::string(tool) +
                 "` now, but this session does not offer it.");
  }
  Turn turn = speak(text);
  // Unique in the conversation, and the same when the request is repeated.
  turn.content.push_back(Json::object({{"type", "tool_use"},
                                       {"id", "toolu_demo" + std::to_string(situation.messages)},
                                       {"name", tool},
                                       {"input", std::move(input)}}));
  return turn;
}

Choice Demo::choose(const Json& request) {
  const DemoSituation situation = read_situation(request);
  // Titles, summaries and the like: side business, where nobody watches.
  if (situation.tools.empty()) return {text_turn("Demo session"), "aux"};
  const auto& rules = demo_rules();
  const auto rule = std::find_if(rules.begin(), rules.end(), [&](const DemoRule& candidate) {
    return candidate.applies(situation);
  });
  if (rule == rules.end()) return {with_manners(help_answer(situation), request), "help"};
  return {with_manners(rule->answer(situation), request), std::string(rule->name)};
}

}  // namespace parley::model
