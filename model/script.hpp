// The script of a model: what it answers to whom. Scripts are the `api` part of scenario files, or
// a file with nothing but a list of turns; docs/model.md has the format.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "../support/regex/regex.hpp"
#include "../wire/error.hpp"
#include "turn.hpp"

namespace parley::model {

/// What a text must contain, and what it must not.
struct Condition {
  std::vector<Regex> all, none;

  [[nodiscard]] bool holds_for(std::string_view text) const;
};

struct ScriptedTurn {
  /// All that are there must hold: for the first user message, the last message, all messages, the
  /// name of the model.
  std::optional<Condition> when_first, when_last, when_any, when_model;
  bool aux = false;     ///< Only for requests without tools.
  bool repeat = false;  ///< Stays after it was taken.
  Turn turn;

  [[nodiscard]] bool conditional() const {
    return when_first || when_last || when_any || when_model || aux;
  }
};

struct Script {
  std::vector<ScriptedTurn> turns;
  std::string aux = "ok";  ///< What requests without tools get that no turn is for.
  /// Requests without tools are no side business: they get turns like the others.
  bool tools_zero_main = false;

  /// `run` chooses one of a scenario with several. The error names the place:
  /// "api[2].content[0].text: expected string".
  static Result<Script> parse(std::string_view text, std::size_t run = 0);
  static Result<Script> load(const std::filesystem::path& file, std::size_t run = 0);
};

}  // namespace parley::model
