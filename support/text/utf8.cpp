#include "support/text/utf8.hpp"

#include <cstdint>
#include <cstring>

#if defined(__x86_64__) && !defined(PARLEY_PORTABLE_SCAN)
#define PARLEY_HAS_SSSE3_PATH 1
#include <tmmintrin.h>
#endif

namespace parley {

namespace {

bool is_utf8_portable(const char* p, const char* end) {
  while (p < end) {
    // ASCII eight bytes at a time.
    while (end - p >= 8) {
      std::uint64_t word;
      std::memcpy(&word, p, 8);
      if (word & 0x8080808080808080u) break;
      p += 8;
    }
    if (p == end) return true;
    const int length = detail::utf8_length(p, end);
    if (length == 0) return false;
    p += length;
  }
  return true;
}

#ifdef PARLEY_HAS_SSSE3_PATH

// Sixteen bytes at a time (the method of Keiser and Lemire, "Validating UTF-8 in less than one
// instruction per byte"). Every way two neighbouring bytes can be wrong has a bit; three tables,
// indexed by the nibbles of the pair, say which ways remain possible, and a pair is wrong where
// all three agree. That leaves only whether third and fourth bytes stand where a lead byte calls
// for them.
namespace pair {
constexpr char kTooShort = 1 << 0;      // a lead byte followed by no continuation
constexpr char kTooLong = 1 << 1;       // ASCII followed by a continuation
constexpr char kOverlong3 = 1 << 2;     // E0 and below A0
constexpr char kSurrogate = 1 << 4;     // ED and above 9F
constexpr char kOverlong2 = 1 << 5;     // C0, C1
constexpr char kTooLarge = 1 << 3;      // F4 and above 8F, and beyond
constexpr char kTooLarge1000 = 1 << 6;  // F5 and up with a low second byte
constexpr char kOverlong4 = 1 << 6;     // F0 and below 90
constexpr char kTwoContinuations = static_cast<char>(1 << 7);
constexpr char kCarry = kTooShort | kTooLong | kTwoContinuations;
}  // namespace pair

__attribute__((target("ssse3"))) inline __m128i pair_errors(__m128i input, __m128i before1) {
  using namespace pair;
  const __m128i low_nibble = _mm_set1_epi8(0x0F);
  const __m128i first_high =
      _mm_setr_epi8(kTooLong, kTooLong, kTooLong, kTooLong, kTooLong, kTooLong, kTooLong, kTooLong,
                    kTwoContinuations, kTwoContinuations, kTwoContinuations, kTwoContinuations,
                    kTooShort | kOverlong2, kTooShort, kTooShort | kOverlong3 | kSurrogate,
                    kTooShort | kTooLarge | kTooLarge1000 | kOverlong4);
  const __m128i first_low = _mm_setr_epi8(
      kCarry | kOverlong3 | kOverlong2 | kOverlong4, kCarry | kOverlong2, kCarry, kCarry,
      kCarry | kTooLarge, kCarry | kTooLarge | kTooLarge1000, kCarry | kTooLarge | kTooLarge1000,
      kCarry | kTooLarge | kTooLarge1000, kCarry | kTooLarge | kTooLarge1000,
      kCarry | kTooLarge | kTooLarge1000, kCarry | kTooLarge | kTooLarge1000,
      kCarry | kTooLarge | kTooLarge1000, kCarry | kTooLarge | kTooLarge1000,
      kCarry | kTooLarge | kTooLarge1000 | kSurrogate, kCarry | kTooLarge | kTooLarge1000,
      kCarry | kTooLarge | kTooLarge1000);
  const __m128i second_high = _mm_setr_epi8(
      kTooShort, kTooShort, kTooShort, kTooShort, kTooShort, kTooShort, kTooShort, kTooShort,
      kTooLong | kOverlong2 | kTwoContinuations | kOverlong3 | kTooLarge1000 | kOverlong4,
      kTooLong | kOverlong2 | kTwoContinuations | kOverlong3 | kTooLarge,
      kTooLong | kOverlong2 | kTwoContinuations | kSurrogate | kTooLarge,
      kTooLong | kOverlong2 | kTwoContinuations | kSurrogate | kTooLarge, kTooShort, kTooShort,
      kTooShort, kTooShort);
  const __m128i high1 = _mm_and_si128(_mm_srli_epi16(before1, 4), low_nibble);
  const __m128i low1 = _mm_and_si128(before1, low_nibble);
  const __m128i high2 = _mm_and_si128(_mm_srli_epi16(input, 4), low_nibble);
  return _mm_and_si128(
      _mm_and_si128(_mm_shuffle_epi8(first_high, high1), _mm_shuffle_epi8(first_low, low1)),
      _mm_shuffle_epi8(second_high, high2));
}

__attribute__((target("ssse3"))) bool is_utf8_ssse3(const char* p, const char* end) {
  __m128i error = _mm_setzero_si128();
  __m128i previous = _mm_setzero_si128();
  const auto check = [&](__m128i input) __attribute__((target("ssse3"))) {
    const __m128i before1 = _mm_alignr_epi8(input, previous, 15);
    const __m128i before2 = _mm_alignr_epi8(input, previous, 14);
    const __m128i before3 = _mm_alignr_epi8(input, previous, 13);
    // 0x80 where two bytes back stands E0 or more, or three bytes back F0 or more.
    const __m128i third = _mm_subs_epu8(before2, _mm_set1_epi8(0xE0 - 0x80));
    const __m128i fourth = _mm_subs_epu8(before3, _mm_set1_epi8(0xF0 - 0x80));
    const __m128i called_for =
        _mm_and_si128(_mm_or_si128(third, fourth), _mm_set1_epi8(static_cast<char>(0x80)));
    error = _mm_or_si128(error, _mm_xor_si128(called_for, pair_errors(input, before1)));
    previous = input;
  };
  while (end - p >= 16) {
    check(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
    p += 16;
  }
  // The rest padded with zeroes: ASCII that also exposes a character cut off at the end.
  alignas(16) char tail[16] = {};
  std::memcpy(tail, p, static_cast<std::size_t>(end - p));
  check(_mm_load_si128(reinterpret_cast<const __m128i*>(tail)));
  check(_mm_setzero_si128());
  return _mm_movemask_epi8(_mm_cmpeq_epi8(error, _mm_setzero_si128())) == 0xFFFF;
}

#endif

}  // namespace

bool is_utf8(std::string_view text) {
  const char* end = text.data() + text.size();
#ifdef PARLEY_HAS_SSSE3_PATH
  static const bool fast = __builtin_cpu_supports("ssse3") != 0;
  if (fast && text.size() >= 32) return is_utf8_ssse3(text.data(), end);
#endif
  return is_utf8_portable(text.data(), end);
}

std::string to_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  const char* p = bytes.data();
  const char* end = p + bytes.size();
  while (p < end) {
    const int length = detail::utf8_length(p, end);
    if (length == 0) {
      out += "\xEF\xBF\xBD";
      ++p;
    } else {
      out.append(p, static_cast<std::size_t>(length));
      p += length;
    }
  }
  return out;
}

}  // namespace parley
