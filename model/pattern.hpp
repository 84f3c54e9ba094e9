// Regular expressions for scripts: whether a text contains a match, nothing else. An own engine,
// because requests are long: std::regex recurses per character and overflows the stack on them.
// Time is linear in the text, but for look-ahead, which costs the rest of the text at each place
// where it is tried.
//
// Expressions: . [a-z] [^...] \d \w \s \D \W \S \b \B ^ $ \A \Z (...) (?:...) (?=...) (?!...)
// | * + ? {m,n} and their lazy forms, (?i) (?s) (?m) at the beginning. No back references, no
// look-behind.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "../wire/error.hpp"

namespace parley::model {

/// Immutable and cheap to copy; may be used by several threads.
class Pattern {
 public:
  /// The error says what is wrong at which character.
  static Result<Pattern> parse(std::string_view expression);

  [[nodiscard]] bool found_in(std::string_view text) const;

  struct Program;

 private:
  explicit Pattern(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  std::shared_ptr<const Program> program_;
};

}  // namespace parley::model
