#include "agent/tools/search/glob_pattern.hpp"

#include "support/text/text.hpp"

namespace parley::agent {
namespace {

/// {a,b}{a,b}... doubles with every brace.
constexpr std::size_t kMostAlternatives = 1000;

/// Where the brace that opens at `open` closes; npos if it does not.
std::size_t closing(std::string_view pattern, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < pattern.size(); ++i) {
    if (pattern[i] == '\\') {
      ++i;
    } else if (pattern[i] == '{') {
      ++depth;
    } else if (pattern[i] == '}' && --depth == 0) {
      return i;
    }
  }
  return std::string_view::npos;
}

std::vector<std::string> choices(std::string_view inside) {
  std::vector<std::string> list(1);
  int depth = 0;
  for (const char c : inside) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (c == ',' && depth == 0) {
      list.emplace_back();
    } else {
      list.back() += c;
    }
  }
  return list;
}

bool expand(const std::string& pattern, std::vector<std::string>& out) {
  const std::size_t open = pattern.find('{');
  const std::size_t close = open == std::string::npos ? open : closing(pattern, open);
  if (close == std::string::npos) {
    out.push_back(pattern);
    return out.size() <= kMostAlternatives;
  }
  for (const std::string& choice :
       choices(std::string_view(pattern).substr(open + 1, close - open - 1))) {
    if (!expand(pattern.substr(0, open) + choice + pattern.substr(close + 1), out)) return false;
  }
  return true;
}

/// Whether `c` is in the set that begins at `at`; moves `at` behind the set.
bool in_set(std::string_view pattern, std::size_t& at, char c) {
  std::size_t i = at + 1;
  const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (negated) ++i;
  bool found = false;
  for (bool first = true; i < pattern.size() && (pattern[i] != ']' || first); first = false) {
    const char low = pattern[i];
    char high = low;
    if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
      high = pattern[i + 2];
      i += 2;
    }
    found = found || (low <= c && c <= high);
    ++i;
  }
  at = i + 1;
  return found != negated;
}

/// One name against one piece. Going back to the last star is enough, so it takes n times m steps.
bool name_matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = std::string_view::npos, star_name = 0;
  while (n < name.size()) {
    std::size_t next = p;
    bool fits = false;
    if (p < pattern.size()) {
      if (pattern[p] == '*') {
        star = p++;
        star_name = n;
        continue;
      }
      if (pattern[p] == '?') {
        fits = true;
        next = p + 1;
      } else if (pattern[p] == '[' && pattern.find(']', p + 1) != std::string_view::npos) {
        fits = in_set(pattern, next, name[n]);
      } else {
        const bool escaped = pattern[p] == '\\' && p + 1 < pattern.size();
        fits = pattern[p + (escaped ? 1 : 0)] == name[n];
        next = p + (escaped ? 2 : 1);
      }
    }
    if (fits) {
      p = next;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++star_name;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

/// `**` stands for any number of folders; the last star pattern is gone back to, as within names.
bool path_matches(const std::vector<std::string>& pieces,
                  const std::vector<std::string_view>& names) {
  std::size_t p = 0, n = 0, star = std::string::npos, star_name = 0;
  while (n < names.size()) {
    if (p < pieces.size() && pieces[p] == "**") {
      star = p++;
      star_name = n;
    } else if (p < pieces.size() && name_matches(pieces[p], names[n])) {
      ++p, ++n;
    } else if (star != std::string::npos) {
      p = star + 1;
      n = ++star_name;
    } else {
      return false;
    }
  }
  while (p < pieces.size() && pieces[p] == "**") ++p;
  return p == pieces.size();
}

}  // namespace

Result<GlobPattern> GlobPattern::compile(std::string_view pattern) {
  GlobPattern compiled;
  std::vector<std::string> flat;
  if (!expand(std::string(pattern), flat)) {
    return Error(ErrorCode::too_large, "the pattern has too many alternatives");
  }
  for (std::string& one : flat) {
    const bool anchored = one.find('/') != std::string::npos;
    if (one.starts_with("./")) one.erase(0, 2);
    if (one.starts_with('/')) one.erase(0, 1);
    const auto parts = split(one, '/');
    std::vector<std::string> pieces(parts.begin(), parts.end());
    if (!anchored) pieces.insert(pieces.begin(), "**");
    compiled.alternatives_.push_back(std::move(pieces));
  }
  return compiled;
}

bool GlobPattern::matches(std::string_view path) const {
  const std::vector<std::string_view> names = split(path, '/');
  for (const std::vector<std::string>& pieces : alternatives_) {
    if (path_matches(pieces, names)) return true;
  }
  return false;
}

}  // namespace parley::agent
