#include "support/text/javascript_text.hpp"

#include <algorithm>

#include "support/text/utf8.hpp"

namespace parley {
namespace {

/// Length of the white space character at the beginning of `text`, 0 if there is none.
std::size_t space_at(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  if (byte(0) == ' ' || (byte(0) >= '\t' && byte(0) <= '\r')) return 1;
  if (byte(0) == 0xC2) return byte(1) == 0xA0 ? 2 : 0;
  const unsigned code = (byte(0) & 0x0FU) << 12 | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU);
  if ((byte(0) & 0xF0U) != 0xE0 || text.size() < 3) return 0;
  const bool space = code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 ||
                     code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000 ||
                     code == 0xFEFF;
  return space ? 3 : 0;
}

/// Bytes of the character that the text begins with.
std::size_t length_of_first(std::string_view text) {
  const int length = detail::utf8_length(text.data(), text.data() + text.size());
  return static_cast<std::size_t>(std::max(length, 1));
}

std::size_t length_of_last(std::string_view text) {
  for (std::size_t length = 2; length <= 4 && length <= text.size(); ++length) {
    if (length_of_first(text.substr(text.size() - length)) == length) return length;
  }
  return 1;
}

/// Only characters beyond the first 65,536 take two units, and only they have four bytes.
std::size_t units_of(std::size_t length) { return length == 4 ? 2 : 1; }

}  // namespace

std::string_view trimmed_unicode(std::string_view text) {
  while (const std::size_t length = space_at(text)) text.remove_prefix(length);
  for (bool again = true; again && !text.empty();) {
    again = false;
    for (std::size_t length = 1; length <= 3 && length <= text.size(); ++length) {
      if (space_at(text.substr(text.size() - length)) != length) continue;
      text.remove_suffix(length);
      again = true;
      break;
    }
  }
  return text;
}

std::size_t utf16_length(std::string_view text) {
  std::size_t units = 0;
  while (!text.empty()) {
    const std::size_t length = length_of_first(text);
    units += units_of(length);
    text.remove_prefix(length);
  }
  return units;
}

std::string_view first_units(std::string_view text, std::size_t units) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t length = length_of_first(rest);
    if (units_of(length) > units) break;
    units -= units_of(length);
    rest.remove_prefix(length);
  }
  return text.substr(0, text.size() - rest.size());
}

std::string_view last_units(std::string_view text, std::size_t units) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t length = length_of_last(rest);
    if (units_of(length) > units) break;
    units -= units_of(length);
    rest.remove_suffix(length);
  }
  return text.substr(rest.size());
}

}  // namespace parley
