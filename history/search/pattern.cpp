#include "history/search/pattern.hpp"

#include "history/scan/find_bytes.hpp"
#include "support/text/text.hpp"

namespace parley::history {
namespace {

/// A character in JSON as it is: printable ASCII but the quote, the backslash and, because some
/// writers escape them, slash and angle brackets.
bool is_plain_in_json(char c) {
  return c >= ' ' && c < 0x7F && c != '"' && c != '\\' && c != '/' && c != '<' && c != '>' &&
         c != '&' && c != '\'';
}

/// The longest run of such characters in a text.
std::string needle_in(std::string_view text, std::string_view excluded = {}) {
  std::string_view longest;
  for (std::size_t begin = 0, at = 0; at <= text.size(); ++at) {
    if (at < text.size() && is_plain_in_json(text[at]) &&
        excluded.find(text[at]) == std::string_view::npos) {
      continue;
    }
    if (at - begin > longest.size()) longest = text.substr(begin, at - begin);
    begin = at + 1;
  }
  return std::string(longest);
}

}  // namespace

Result<Pattern> Pattern::literal(std::string_view text, bool ignore_case) {
  if (text.empty()) return Error(ErrorCode::invalid, "there is nothing to search for", "pattern");
  Pattern pattern;
  pattern.ignore_case_ = ignore_case;
  pattern.literal_ = ignore_case ? lower(text) : std::string(text);
  pattern.needle_ = needle_in(pattern.literal_);
  return pattern;
}

Result<Pattern> Pattern::regex(std::string_view expression, bool ignore_case) {
  if (expression.empty()) {
    return Error(ErrorCode::invalid, "there is nothing to search for", "pattern");
  }
  std::string why;
  auto regex = Regex::compile(expression, {.ignore_case = ignore_case, .lines = true}, why);
  if (!regex) {
    constexpr std::size_t kMostShown = 200;
    return Error(ErrorCode::invalid, std::move(why),
                 "regular expression " + std::string(expression.substr(0, kMostShown)));
  }
  Pattern pattern;
  pattern.ignore_case_ = ignore_case;
  // Without case these two stand for letters beyond ASCII as well: the sign of Kelvin and the long
  // s.
  pattern.needle_ = needle_in(regex->required_text(), ignore_case ? "ks" : "");
  pattern.regex_ = *std::move(regex);
  return pattern;
}

std::optional<Match> Pattern::find(std::string_view text, std::size_t from) const {
  if (regex_) return regex_->find(text, from);
  const std::size_t at =
      ignore_case_ ? find_ignoring_case(text, literal_, from) : find_bytes(text, literal_, from);
  if (at == std::string_view::npos) return std::nullopt;
  return Match{at, at + literal_.size()};
}

std::size_t find_ignoring_case(std::string_view text, std::string_view needle, std::size_t from) {
  const auto matches = [&](std::size_t at) {
    for (std::size_t i = 0; i < needle.size(); ++i) {
      if (lower(text[at + i]) != needle[i]) return false;
    }
    return true;
  };
  if (text.size() < needle.size()) return std::string_view::npos;
  const std::size_t last_place = text.size() - needle.size();
#if defined(__SSE2__)
  // As find_bytes(), but a byte may be in either case: setting 0x20 makes letters lower, and what
  // that makes of other characters is sorted out by the comparison.
  const std::size_t last = needle.size() - 1;
  const __m128i bit = _mm_set1_epi8(0x20);
  const auto lowered = [](char c) { return static_cast<char>(c | 0x20); };
  const __m128i first_byte = _mm_set1_epi8(lowered(needle.front()));
  const __m128i last_byte = _mm_set1_epi8(lowered(needle.back()));
  for (; from + last + 16 <= text.size(); from += 16) {
    const auto load = [&](std::size_t offset) {
      return _mm_or_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + offset)),
                          bit);
    };
    const __m128i hits = _mm_and_si128(_mm_cmpeq_epi8(load(from), first_byte),
                                       _mm_cmpeq_epi8(load(from + last), last_byte));
    auto mask = static_cast<unsigned>(_mm_movemask_epi8(hits));
    for (; mask != 0; mask &= mask - 1) {
      const std::size_t place = from + static_cast<std::size_t>(__builtin_ctz(mask));
      if (matches(place)) return place;
    }
  }
#endif
  for (; from <= last_place; ++from) {
    if (matches(from)) return from;
  }
  return std::string_view::npos;
}

}  // namespace parley::history
