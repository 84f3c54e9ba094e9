// What a search looks for: a literal text or a regular expression. The engine is our own because
// transcripts are hostile input: it takes time linear in the text whatever the expression, and no
// stack (std::regex recurses per character and crashes on long lines).
//
// Expressions: . [a-z] [^…] \d \w \s \D \W \S \b \B ^ $ (…) (?:…) | * + ? {m,n}, lazy forms
// accepted; the leftmost longest match counts. No back references, no look-around. ^ and $ match at
// lines.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "../wire/error.hpp"

namespace parley::history {

struct Match {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< Never equal to begin: empty matches find nothing.

  bool operator==(const Match&) const = default;
};

/// Immutable and cheap to copy; may be used by several threads.
class Pattern {
 public:
  static Result<Pattern> literal(std::string_view text, bool ignore_case);
  static Result<Pattern> regex(std::string_view expression, bool ignore_case);

  /// The first match at or after `from`. A large expression over a long text takes its time: from
  /// time to time `over` is asked whether anybody still wants to know; if not, there is no match.
  [[nodiscard]] std::optional<Match> find(std::string_view text, std::size_t from = 0,
                                          const std::function<bool()>& over = {}) const;

  /// A text that stands unchanged in the JSON of everything that matches; empty if there is none.
  [[nodiscard]] const std::string& needle() const { return needle_; }
  [[nodiscard]] bool ignores_case() const { return ignore_case_; }

 private:
  struct Program;

  Pattern() = default;

  std::string literal_;  ///< If not a regular expression.
  std::string needle_;
  bool ignore_case_ = false;
  std::shared_ptr<const Program> program_;

  friend class PatternCompiler;
  friend class PatternRun;
};

/// Like find_bytes(), ASCII letters compared without case; `needle` must be in lower case.
[[nodiscard]] std::size_t find_ignoring_case(std::string_view text, std::string_view needle,
                                             std::size_t from = 0);

}  // namespace parley::history
