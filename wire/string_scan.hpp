// Finds the next byte of a JSON string that needs a decision: quote, backslash, control character
// or the start of a multi-byte character. Everything else is plain text and is stepped over.
//
// Two implementations with one contract: SSE2, and a portable twin that tests hold equal to it.
#pragma once

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
  return static_cast<unsigned>(
      _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, slash), low)));
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

}  // namespace parley::detail
