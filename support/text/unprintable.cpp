#include "support/text/unprintable.hpp"

#include <cstddef>

#include "support/text/utf8.hpp"

namespace parley {
namespace {

struct Character {
  char32_t code = 0;
  std::size_t size = 1;
  bool valid = true;
};

Character character_at(std::string_view text, std::size_t at) {
  const int length = detail::utf8_length(text.data() + at, text.data() + text.size());
  if (length == 0) return {0, 1, false};
  return {detail::utf8_code_point(text.data() + at, length), static_cast<std::size_t>(length),
          true};
}

bool is_unprintable(const Character& c) {
  return !c.valid || c.code < 0x20 || (c.code >= 0x7F && c.code < 0xA0) ||
         (c.code >= 0x202A && c.code <= 0x202E) || (c.code >= 0x2066 && c.code <= 0x2069);
}

bool is_line_end(std::string_view text, std::size_t at) {
  return text[at] == '\n' || text.substr(at).starts_with("\r\n");
}

/// `stays` and `replaced` are asked about unprintable characters only.
template <class Stays, class Replaced>
std::string cleaned(std::string_view text, const Stays& stays, const Replaced& replaced) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Character c = character_at(text, at);
    if (is_unprintable(c) && !stays(at)) {
      out += replaced(c);
    } else {
      out += text.substr(at, c.size);
    }
    at += c.size;
  }
  return out;
}

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

}  // namespace

std::string printable(std::string_view text) {
  return cleaned(
      text, [&](std::size_t at) { return text[at] == '\t' || is_line_end(text, at); },
      [](const Character&) { return kReplacement; });
}

std::string on_one_line(std::string_view text) {
  return cleaned(
      text, [](std::size_t) { return false; },
      [](const Character&) { return std::string_view(" "); });
}

std::string printable_json(std::string_view json) {
  return cleaned(
      json, [&](std::size_t at) { return json[at] == '\t' || is_line_end(json, at); },
      [](const Character& c) {
        if (!c.valid) return std::string(kReplacement);
        constexpr std::string_view kDigits = "0123456789abcdef";
        std::string escape = "\\u";
        for (unsigned shift = 16; shift > 0; shift -= 4) {
          escape += kDigits[(c.code >> (shift - 4)) & 0xFU];
        }
        return escape;
      });
}

}  // namespace parley
