// The searches that JSON strings need, each with an SSE2 and a portable implementation of one
// contract, which tests hold equal:
// - find_special, for writing: the next byte that cannot be copied as it is;
// - find_string_stop, for reading: the next byte that ends a run of plain text;
// - find_string_end, for stepping over: the closing quote, with all escapes on the way checked.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__) && !defined(PARLEY_PORTABLE_SCAN)
#define PARLEY_HAS_SSE2 1
#include <emmintrin.h>
#endif

namespace parley::detail {

inline bool is_special(unsigned char c) { return c == '"' || c == '\\' || c < 0x20 || c >= 0x80; }

/// Eight bytes at a time in a plain register: the classic "has a zero byte" arithmetic.
inline const char* find_special_portable(const char* p, const char* end) {
  constexpr std::uint64_t kOnes = 0x0101010101010101u;
  constexpr std::uint64_t kHigh = 0x8080808080808080u;
  while (end - p >= 8) {
    std::uint64_t v;
    std::memcpy(&v, p, 8);
    const std::uint64_t quote = v ^ (kOnes * '"');
    const std::uint64_t slash = v ^ (kOnes * '\\');
    // Each term sets the high bit of a byte that matches. A borrow can set a bit above a true
    // match, never below one and never without one, so a non-zero word always holds a match.
    const std::uint64_t hit =
        ((quote - kOnes) & ~quote) | ((slash - kOnes) & ~slash) | ((v - kOnes * 0x20) & ~v) | v;
    if (hit & kHigh) break;
    p += 8;
  }
  while (p < end && !is_special(static_cast<unsigned char>(*p))) ++p;
  return p;
}

#ifdef PARLEY_HAS_SSE2
/// One bit per byte of a 16-byte block that is_special.
inline unsigned special_mask(const char* p) {
  const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  const __m128i quote = _mm_cmpeq_epi8(v, _mm_set1_epi8('"'));
  const __m128i slash = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));
  // Signed compare: control characters and bytes from 0x80 up are both below 0x20.
  const __m128i low = _mm_cmplt_epi8(v, _mm_set1_epi8(0x20));
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, slash), low)));
}

inline const char* find_special(const char* p, const char* end) {
  while (end - p >= 16) {
    if (const unsigned mask = special_mask(p)) return p + __builtin_ctz(mask);
    p += 16;
  }
  while (p < end && !is_special(static_cast<unsigned char>(*p))) ++p;
  return p;
}
#else
inline const char* find_special(const char* p, const char* end) {
  return find_special_portable(p, end);
}
#endif

/// What a string was found to hold on the way to its closing quote.
struct StringScan {
  bool escaped = false;  ///< At least one backslash.
  bool multi_byte =
      false;  ///< At least one byte from 0x80 up; whether it is UTF-8 was not looked at.
  const char* why = nullptr;  ///< Set on failure, and then the returned place is the culprit's.
};

/// What a backslash and this letter stand for; 0 if they are not a whole escape.
inline constexpr auto kSimpleEscapes = [] {
  std::array<char, 256> table{};
  for (const char c : {'"', '\\', '/'}) table[static_cast<unsigned char>(c)] = c;
  table['b'] = '\b';
  table['f'] = '\f';
  table['n'] = '\n';
  table['r'] = '\r';
  table['t'] = '\t';
  return table;
}();

/// Length of the escape at p (a backslash), or 0 if it is not a valid one.
inline int escape_length(const char* p, const char* end) {
  const auto is_hex = [](char c) {
    return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'f');
  };
  if (end - p < 2) return 0;
  if (kSimpleEscapes[static_cast<unsigned char>(p[1])] != 0) return 2;
  return end - p >= 6 && p[1] == 'u' && is_hex(p[2]) && is_hex(p[3]) && is_hex(p[4]) && is_hex(p[5])
             ? 6
             : 0;
}

/// One byte at a time; also the tail of the SSE2 version.
inline const char* find_string_stop_portable(const char* p, const char* end, bool& multi_byte) {
  for (; p < end; ++p) {
    const auto c = static_cast<unsigned char>(*p);
    if (c == '"' || c == '\\' || c < 0x20) return p;
    multi_byte |= c >= 0x80;
  }
  return end;
}

/// One byte at a time, from anywhere inside a string. Also the tail of the SSE2 version.
inline const char* find_string_end_portable(const char* p, const char* end, StringScan& scan) {
  while (p < end) {
    const auto c = static_cast<unsigned char>(*p);
    if (c == '"') return p;
    if (c == '\\') {
      scan.escaped = true;
      const int length = escape_length(p, end);
      if (length == 0) {
        scan.why = "bad escape";
        return p;
      }
      p += length;
      continue;
    }
    if (c < 0x20) {
      scan.why = "control character in string";
      return p;
    }
    if (c >= 0x80) scan.multi_byte = true;
    ++p;
  }
  scan.why = "unterminated string";
  return end;
}

#ifdef PARLEY_HAS_SSE2
/// Quote, backslash and control characters in the low half, bytes from 0x80 up in the high half.
inline std::uint32_t string_mask(const char* p) {
  const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  const __m128i quote = _mm_cmpeq_epi8(v, _mm_set1_epi8('"'));
  const __m128i slash = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));
  // A byte is below 0x20 when taking the smaller of it and 0x1F leaves it as it is.
  const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1F)), v);
  const auto stop = static_cast<std::uint32_t>(
      _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, slash), control)));
  return stop | static_cast<std::uint32_t>(_mm_movemask_epi8(v)) << 16;
}

/// The first quote, backslash or control character, or the end.
inline const char* find_string_stop(const char* p, const char* end, bool& multi_byte) {
  while (end - p >= 16) {
    const std::uint32_t mask = string_mask(p);
    const std::uint32_t stop = mask & 0xFFFF;
    if (stop != 0) {
      const int at = __builtin_ctz(stop);
      multi_byte |= (mask >> 16 & ((1u << at) - 1)) != 0;
      return p + at;
    }
    multi_byte |= mask != 0;
    p += 16;
  }
  return find_string_stop_portable(p, end, multi_byte);
}

inline const char* find_string_end(const char* p, const char* end, StringScan& scan) {
  // Most strings are names, words and ids: up to three blocks decide.
  for (int block = 0; block < 3 && end - p >= 16; ++block) {
    const std::uint32_t mask = string_mask(p);
    const std::uint32_t stop = mask & 0xFFFF;
    if (stop == 0) {
      scan.multi_byte |= mask != 0;
      p += 16;
      continue;
    }
    const int at = __builtin_ctz(stop);
    scan.multi_byte |= (mask >> 16 & ((1u << at) - 1)) != 0;
    p += at;
    if (*p == '"') return p;
    break;
  }
  // Long ones are searched 64 bytes at a time, and every find of a block is dealt with before the
  // next block is loaded: text with an escape per line would otherwise load each block twice.
  while (end - p >= 64) {
    const std::uint32_t m0 = string_mask(p);
    const std::uint32_t m1 = string_mask(p + 16);
    const std::uint32_t m2 = string_mask(p + 32);
    const std::uint32_t m3 = string_mask(p + 48);
    if ((m0 | m1 | m2 | m3) >> 16) scan.multi_byte = true;
    std::uint64_t stops = std::uint64_t{m0 & 0xFFFF} | std::uint64_t{m1 & 0xFFFF} << 16 |
                          std::uint64_t{m2 & 0xFFFF} << 32 | std::uint64_t{m3 & 0xFFFF} << 48;
    int next = 64;
    while (stops != 0) {
      const int at = __builtin_ctzll(stops);
      const char c = p[at];
      if (c == '"') return p + at;
      const int length = c == '\\' ? escape_length(p + at, end) : 0;
      if (length == 0) return find_string_end_portable(p + at, end, scan);
      scan.escaped = true;
      if (at + length >= 64) {
        next = at + length;
        break;
      }
      stops &= ~std::uint64_t{0} << (at + length);
    }
    p += next;
  }
  while (end - p >= 16) {
    const std::uint32_t mask = string_mask(p);
    if (mask >> 16) scan.multi_byte = true;
    if (mask & 0xFFFF) break;
    p += 16;
  }
  return find_string_end_portable(p, end, scan);
}
#else
inline const char* find_string_stop(const char* p, const char* end, bool& multi_byte) {
  return find_string_stop_portable(p, end, multi_byte);
}
inline const char* find_string_end(const char* p, const char* end, StringScan& scan) {
  return find_string_end_portable(p, end, scan);
}
#endif

}  // namespace parley::detail
