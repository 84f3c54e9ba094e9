// The head of a Markdown file: lines "key: value" between two lines "---", as people write them for
// agents and the like. The part of YAML that such heads use: plain and quoted values, lists in
// brackets, with commas or with dashes, and texts over several lines.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace parley::agent {

/// A value.
struct FrontMatter {
  /// What each key says, as text. Of a list the entries, each on a line of its own.
  std::map<std::string, std::string> values;
  std::string body;  ///< What follows the head, without blank lines around it.
  bool found = false;

  /// Empty if there is no such key.
  [[nodiscard]] std::string text(const std::string& key) const;
  /// The entries of a list, however it is written.
  [[nodiscard]] std::vector<std::string> list(const std::string& key) const;
};

[[nodiscard]] FrontMatter read_front_matter(std::string_view file);

}  // namespace parley::agent
