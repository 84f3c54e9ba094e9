#include "agent/hooks/matcher.hpp"

#include <algorithm>

namespace parley::agent {
namespace {

/// The library backtracks by recursion, so both sides are kept short. Names of tools are far below.
constexpr std::size_t kLongestExpression = 1000;
constexpr std::size_t kLongestSubject = 256;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '|';
}

}  // namespace

Matcher::Matcher(std::string_view pattern) {
  all_ = pattern.empty() || pattern == "*";
  if (all_) return;
  if (std::all_of(pattern.begin(), pattern.end(), is_name_character)) {
    for (;;) {
      const std::size_t bar = pattern.find('|');
      names_.emplace_back(pattern.substr(0, bar));
      if (bar == std::string_view::npos) return;
      pattern.remove_prefix(bar + 1);
    }
  }
  if (pattern.size() > kLongestExpression) return;
  try {
    expression_.emplace(pattern.begin(), pattern.end(), std::regex::ECMAScript);
  } catch (const std::regex_error&) {
    expression_.reset();
  }
}

bool Matcher::matches(std::string_view subject) const {
  if (all_) return true;
  if (!expression_) return std::find(names_.begin(), names_.end(), subject) != names_.end();
  if (subject.size() > kLongestSubject) return false;
  try {
    return std::regex_search(subject.begin(), subject.end(), *expression_);
  } catch (const std::regex_error&) {  // too complex
    return false;
  }
}

}  // namespace parley::agent
