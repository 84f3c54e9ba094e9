// Small things that are done with text. ASCII only: bytes above 127 are nobody's blank and have no
// case here. Internal to Parley.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace parley {

inline constexpr std::string_view kBlanks = " \t\r\n";

/// Without `blanks` at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text, std::string_view blanks = kBlanks);
/// Nothing but blanks, or nothing at all.
[[nodiscard]] bool is_blank(std::string_view text);

[[nodiscard]] constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}
[[nodiscard]] std::string lower(std::string_view text);
[[nodiscard]] bool same_ignoring_case(std::string_view a, std::string_view b);

/// The parts between separators: one more than there are separators, empty ones too.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
/// Lines without their ends. An end of line at the end of the text begins no other line.
[[nodiscard]] std::vector<std::string_view> split_lines(std::string_view text, char end = '\n');
/// Whether `words`, a text with one space between words, has `word` among them.
[[nodiscard]] bool has_word(std::string_view words, std::string_view word);
[[nodiscard]] bool is_one_of(std::string_view text, std::initializer_list<std::string_view> texts);
[[nodiscard]] std::string join(const std::vector<std::string>& parts, std::string_view separator);

}  // namespace parley
