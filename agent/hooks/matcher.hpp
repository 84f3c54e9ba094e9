// Which calls a hook wants to hear of.
#pragma once

#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace parley::agent {

/// A value. A tool name or names joined by `|` are compared whole; nothing and `*` match
/// everything; a text with any other character is a regular expression (ECMAScript) that has to be
/// found somewhere in the subject. An expression that is none matches nothing.
class Matcher {
 public:
  explicit Matcher(std::string_view pattern);

  [[nodiscard]] bool matches(std::string_view subject) const;

 private:
  bool all_ = false;
  std::vector<std::string> names_;
  std::optional<std::regex> expression_;
};

}  // namespace parley::agent
