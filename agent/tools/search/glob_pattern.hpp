// File name patterns as .gitignore and ripgrep read them: * ? [a-z] {a,b} within a name, ** across
// folders; a pattern without a slash matches names in any folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "../../../wire/error.hpp"

namespace parley::agent {

/// Matching takes time bounded by the lengths, whatever the pattern.
class GlobPattern {
 public:
  static Result<GlobPattern> compile(std::string_view pattern);
  /// `path` is relative to where the pattern counts from, without "./".
  [[nodiscard]] bool matches(std::string_view path) const;

 private:
  /// One way through the braces, split at its slashes.
  std::vector<std::vector<std::string>> alternatives_;
};

}  // namespace parley::agent
