#include "model/playback.hpp"

#include "model/ascii_json.hpp"

namespace parley::model {
namespace {

/// The texts that conditions look at, made when first asked for: requests are long, conditions
/// rare.
class Texts {
 public:
  explicit Texts(const Json& request) : request_(request) {}

  const std::string& first_user() {
    if (!first_user_) {
      const auto& messages = request_["messages"].items();
      for (const Json& message : messages) {
        if (message["role"].as_string() != "user") continue;
        return first_user_.emplace(ascii_json(message));
      }
      first_user_.emplace();
    }
    return *first_user_;
  }
  const std::string& last() {
    if (!last_) {
      const auto& messages = request_["messages"].items();
      last_ = messages.empty() ? std::string() : ascii_json(messages.back());
    }
    return *last_;
  }
  const std::string& all() {
    if (!all_) all_ = ascii_json(Json(request_["messages"].items()));
    return *all_;
  }

 private:
  const Json& request_;
  std::optional<std::string> first_user_, last_, all_;
};

}  // namespace

Playback::Playback(Script script) : script_(std::move(script)), used_(script_.turns.size()) {}

Choice Playback::choose(const Json& request) {
  const bool side_business = request["tools"].items().empty();
  Texts texts(request);
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < script_.turns.size(); ++i) {
    ScriptedTurn& scripted = script_.turns[i];
    if (used_[i]) continue;
    if (!scripted.conditional() && side_business && !script_.tools_zero_main) continue;
    if (scripted.aux && !side_business) continue;
    if (scripted.when_first && !scripted.when_first->holds_for(texts.first_user())) continue;
    if (scripted.when_last && !scripted.when_last->holds_for(texts.last())) continue;
    if (scripted.when_any && !scripted.when_any->holds_for(texts.all())) continue;
    if (scripted.when_model && !scripted.when_model->holds_for(request["model"].as_string())) {
      continue;
    }
    used_[i] = !scripted.repeat;
    Choice choice{scripted.turn, std::to_string(i)};
    // A pause happens once, also in a turn that repeats.
    if (scripted.turn.hang_for) scripted.turn.hang_after.reset();
    return choice;
  }
  if (side_business) return {text_turn(script_.aux), "aux"};
  return {text_turn("(script exhausted)"), "exhausted"};
}

}  // namespace parley::model
