#include "agent/hooks/matcher.hpp"

#include <algorithm>

namespace parley::agent {
namespace {

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
  expression_ = Regex::compile(pattern, {}, problem_);
}

bool Matcher::matches(std::string_view subject) const {
  if (all_) return true;
  if (expression_) return expression_->found_in(subject);
  return std::find(names_.begin(), names_.end(), subject) != names_.end();
}

}  // namespace parley::agent
