// Regular expressions, the one engine of the tree: RE2 behind a small interface. Expressions and
// texts are hostile input (a model, a web page, a settings file), so time is linear in the text and
// memory and size are bounded, whatever the expression.
//
// The syntax is RE2's (https://github.com/google/re2/wiki/Syntax): no back references and no
// look-behind. Look-ahead is known in one place, right behind a leading ^, where it means "and this
// too" or "but not this": ^(?!.*draft)(?=.*final).*report.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace parley {

struct RegexOptions {
  bool ignore_case = false;
  bool lines = false;  ///< ^ and $ match at the ends of lines, not of the text alone.
};

/// Immutable and cheap to copy; may be used by several threads.
class Regex {
 public:
  struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;  ///< May be equal to begin.

    bool operator==(const Span&) const = default;
  };

  /// nullopt if the expression is none or too large, and why.
  static std::optional<Regex> compile(std::string_view expression, RegexOptions options,
                                      std::string& why);
  static std::optional<Regex> compile(std::string_view expression, RegexOptions options = {});

  [[nodiscard]] bool found_in(std::string_view text) const;

  /// The first match at or behind `from`; of several there the one that Perl would take.
  [[nodiscard]] std::optional<Span> find(std::string_view text, std::size_t from = 0) const;

  /// A text that is in every match if letters are compared without case; itself in lower case.
  /// Worth a look before long texts are searched; empty if there is none. Beyond ASCII, case is
  /// Unicode's.
  [[nodiscard]] std::string required_text() const;

 private:
  struct Compiled;
  explicit Regex(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}

  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace parley
