// Which calls a hook wants to hear of.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../../support/regex/regex.hpp"

namespace parley::agent {

/// A value. A tool name or names joined by `|` are compared whole; nothing and `*` match
/// everything; a text with any other character is a regular expression that has to be found
/// somewhere in the subject. An expression that is none, or that the engine does not know, matches
/// nothing; problem() says why.
class Matcher {
 public:
  explicit Matcher(std::string_view pattern);

  [[nodiscard]] bool matches(std::string_view subject) const;
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  bool all_ = false;
  std::vector<std::string> names_;
  std::optional<Regex> expression_;
  std::string problem_;
};

}  // namespace parley::agent
