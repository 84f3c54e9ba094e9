// Finds a short text in a long one at the speed of memory: the C library's memmem() is several
// times slower, and bulk scans do little else.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace parley::history {

/// Like text.find(needle, from); `needle` must not be empty.
[[nodiscard]] inline std::size_t find_bytes(std::string_view text, std::string_view needle,
                                            std::size_t from = 0) {
#if defined(__SSE2__)
  if (needle.size() >= 2 && text.size() >= needle.size()) {
    // Candidates have the needle's first and last byte in the right places, 16 places at a time.
    const std::size_t last = needle.size() - 1;
    const __m128i first_byte = _mm_set1_epi8(needle.front());
    const __m128i last_byte = _mm_set1_epi8(needle.back());
    std::size_t at = from;
    for (; at + last + 16 <= text.size(); at += 16) {
      const auto load = [&](std::size_t offset) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + offset));
      };
      const __m128i hits = _mm_and_si128(_mm_cmpeq_epi8(load(at), first_byte),
                                         _mm_cmpeq_epi8(load(at + last), last_byte));
      auto mask = static_cast<unsigned>(_mm_movemask_epi8(hits));
      for (; mask != 0; mask &= mask - 1) {
        const std::size_t place = at + static_cast<std::size_t>(__builtin_ctz(mask));
        if (std::memcmp(text.data() + place, needle.data(), needle.size()) == 0) return place;
      }
    }
    from = at;
  }
#endif
  return text.find(needle, from);
}

/// Like text.rfind(needle); `needle` must not be empty.
[[nodiscard]] inline std::size_t find_last_bytes(std::string_view text, std::string_view needle) {
  if (text.size() < needle.size()) return std::string_view::npos;
  std::size_t end = text.size() - needle.size() + 1;  // places from here on have been looked at
#if defined(__SSE2__)
  const std::size_t last = needle.size() - 1;
  const __m128i first_byte = _mm_set1_epi8(needle.front());
  const __m128i last_byte = _mm_set1_epi8(needle.back());
  for (; end >= 16; end -= 16) {
    const std::size_t at = end - 16;
    const auto load = [&](std::size_t offset) {
      return _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + offset));
    };
    const __m128i hits = _mm_and_si128(_mm_cmpeq_epi8(load(at), first_byte),
                                       _mm_cmpeq_epi8(load(at + last), last_byte));
    auto mask = static_cast<unsigned>(_mm_movemask_epi8(hits));
    while (mask != 0) {
      const auto highest = static_cast<std::size_t>(31 - __builtin_clz(mask));
      if (std::memcmp(text.data() + at + highest, needle.data(), needle.size()) == 0) {
        return at + highest;
      }
      mask &= ~(1U << highest);
    }
  }
#endif
  return end == 0 ? std::string_view::npos : text.rfind(needle, end - 1);
}

/// The line around `at`: without its newline, as an offset and a length.
struct LineSpan {
  std::size_t begin;
  std::size_t end;
};
[[nodiscard]] inline LineSpan line_around(std::string_view text, std::size_t at) {
  const void* before = ::memrchr(text.data(), '\n', at);
  const void* after = std::memchr(text.data() + at, '\n', text.size() - at);
  return {before == nullptr
              ? 0
              : static_cast<std::size_t>(static_cast<const char*>(before) - text.data()) + 1,
          after == nullptr
              ? text.size()
              : static_cast<std::size_t>(static_cast<const char*>(after) - text.data())};
}

}  // namespace parley::history
