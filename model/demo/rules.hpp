// The kinds of prompt that the demo understands. Internal to model/.
#pragma once

#include <string_view>
#include <vector>

#include "../turn.hpp"
#include "situation.hpp"

namespace parley::model {

struct DemoRule {
  std::string_view name;
  std::string_view example;  ///< A prompt that it answers to.
  bool (*applies)(const DemoSituation& situation);
  /// The next step: `situation.steps` says how far it is.
  Turn (*answer)(const DemoSituation& situation);
};

/// In order: the first that applies answers.
[[nodiscard]] const std::vector<DemoRule>& demo_rules();

/// Rules that only speak, and rules that use tools.
[[nodiscard]] std::vector<DemoRule> speaking_rules();
[[nodiscard]] std::vector<DemoRule> tool_rules();
[[nodiscard]] Turn help_answer(const DemoSituation& situation);

// ---- what rules answer with ----

/// Every answer begins so, because nobody should take this for a real model.
inline constexpr std::string_view kDemoMark = "Demo model: ";
[[nodiscard]] Turn speak(std::string_view text);
/// A tool call, or words of regret if the session does not offer the tool.
[[nodiscard]] Turn call(const DemoSituation& situation, std::string_view text,
                        std::string_view tool, Json input);

}  // namespace parley::model
