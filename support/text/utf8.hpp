// UTF-8 as the Unicode standard defines it: no overlong forms, no surrogates, at most U+10FFFF.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace parley {

namespace detail {

/// Length (1 to 4) of the valid character at p, or 0 if the bytes there are not one.
inline int utf8_length(const char* p, const char* end) {
  const auto byte = [&](int i) { return static_cast<unsigned char>(p[i]); };
  const auto trails = [&](int i) { return (byte(i) & 0xC0) == 0x80; };
  const std::ptrdiff_t left = end - p;
  if (left < 1) return 0;
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2) return 0;
  if (lead < 0xE0) return left >= 2 && trails(1) ? 2 : 0;
  if (lead < 0xF0) {
    if (left < 3 || !trails(1) || !trails(2)) return 0;
    if (lead == 0xE0 && byte(1) < 0xA0) return 0;
    if (lead == 0xED && byte(1) > 0x9F) return 0;
    return 3;
  }
  if (lead > 0xF4 || left < 4 || !trails(1) || !trails(2) || !trails(3)) return 0;
  if (lead == 0xF0 && byte(1) < 0x90) return 0;
  if (lead == 0xF4 && byte(1) > 0x8F) return 0;
  return 4;
}

/// The code point of a valid character of that length.
inline unsigned utf8_code_point(const char* p, int length) {
  unsigned code = static_cast<unsigned char>(*p);
  if (length == 1) return code;
  code &= 0xFFU >> (length + 1);
  for (int i = 1; i < length; ++i) code = code << 6 | (static_cast<unsigned char>(p[i]) & 0x3FU);
  return code;
}

/// Writes one code point (1 to 4 bytes) at `to` and returns the byte after it.
inline char* put_utf8(unsigned code_point, char* to) {
  const auto put = [&](unsigned byte) { *to++ = static_cast<char>(byte); };
  if (code_point < 0x80) {
    put(code_point);
    return to;
  }
  if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
  } else {
    if (code_point < 0x10000) {
      put(0xE0 | code_point >> 12);
    } else {
      put(0xF0 | code_point >> 18);
      put(0x80 | (code_point >> 12 & 0x3F));
    }
    put(0x80 | (code_point >> 6 & 0x3F));
  }
  put(0x80 | (code_point & 0x3F));
  return to;
}

}  // namespace detail

[[nodiscard]] bool is_utf8(std::string_view text);

/// The text with every byte that is not part of a valid character replaced by U+FFFD.
[[nodiscard]] std::string to_utf8(std::string_view bytes);

}  // namespace parley
