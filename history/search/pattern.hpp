// What a search looks for: a literal text or a regular expression (support/regex/regex.hpp), in
// which ^ and $ match at lines.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "../../support/regex/regex.hpp"
#include "../../wire/error.hpp"

namespace parley::history {

/// Empty if the expression is content with nothing.
using Match = Regex::Span;

/// Immutable and cheap to copy; may be used by several threads.
class Pattern {
 public:
  static Result<Pattern> literal(std::string_view text, bool ignore_case);
  static Result<Pattern> regex(std::string_view expression, bool ignore_case);

  /// The first match at or after `from`.
  [[nodiscard]] std::optional<Match> find(std::string_view text, std::size_t from = 0) const;

  /// A text that stands in the JSON of everything that matches, unchanged but for the case of its
  /// letters if needle_ignores_case(), and then in lower case; empty if there is none.
  [[nodiscard]] const std::string& needle() const { return needle_; }
  [[nodiscard]] bool needle_ignores_case() const { return ignore_case_ || regex_; }

 private:
  Pattern() = default;

  std::string literal_;  ///< If not a regular expression.
  std::string needle_;
  bool ignore_case_ = false;
  std::optional<Regex> regex_;
};

/// Like find_bytes(), ASCII letters compared without case; `needle` must be in lower case.
[[nodiscard]] std::size_t find_ignoring_case(std::string_view text, std::string_view needle,
                                             std::size_t from = 0);

}  // namespace parley::history
