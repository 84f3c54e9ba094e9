#include "json_reader.hpp"

namespace parley {

char JsonReader::peek_after_space() {
  while (p_ < end_ && (*p_ == ' ' || *p_ == '\n' || *p_ == '\t' || *p_ == '\r')) ++p_;
  return p_ < end_ ? *p_ : '\0';
}

bool JsonReader::skip_key() {
  std::string_view inside;
  bool escaped = false;
  if (peek() != '"') return fail("expected a key");
  if (!string_span(inside, escaped)) return false;
  return eat(':') || fail("expected ':'");
}

// Without recursion: one bit per open container says whether it is an object, so a hostile text
// costs neither stack nor heap.
bool JsonReader::skip_value() {
  std::array<std::uint64_t, kMaxDepth / 64 + 1> objects;
  const unsigned outside = depth_;
  const auto open = [&](bool object) {
    if (!enter()) return false;
    const std::uint64_t bit = std::uint64_t{1} << (depth_ % 64);
    if (object) {
      objects[depth_ / 64] |= bit;
    } else {
      objects[depth_ / 64] &= ~bit;
    }
    return true;
  };
  const auto in_object = [&] { return (objects[depth_ / 64] >> (depth_ % 64) & 1) != 0; };

  for (;;) {
    switch (peek()) {
      case '{':
        ++p_;
        if (!open(true)) return false;
        if (eat('}')) {
          leave();
          break;
        }
        if (!skip_key()) return false;
        continue;
      case '[':
        ++p_;
        if (!open(false)) return false;
        if (eat(']')) {
          leave();
          break;
        }
        continue;
      case '"': {
        std::string_view inside;
        bool escaped = false;
        if (!string_span(inside, escaped)) return false;
        break;
      }
      case 't':
        if (!skip_literal("true")) return fail("expected a value");
        break;
      case 'f':
        if (!skip_literal("false")) return fail("expected a value");
        break;
      case 'n':
        if (!skip_literal("null")) return fail("expected a value");
        break;
      case '-':
      case '0':
      case '1':
      case '2':
      case '3':
      case '4':
      case '5':
      case '6':
      case '7':
      case '8':
      case '9': {
        std::string_view text;
        if (!number(text)) return false;
        break;
      }
      default: return fail(p_ == end_ ? "unexpected end" : "expected a value");
    }
    // A value has ended: close every container that ends with it.
    for (;;) {
      if (depth_ == outside) return true;
      const bool object = in_object();
      if (eat(',')) {
        if (object && !skip_key()) return false;
        break;
      }
      if (!eat(object ? '}' : ']'))
        return fail(object ? "expected ',' or '}'" : "expected ',' or ']'");
      leave();
    }
  }
}

namespace {

unsigned hex4(const char* p) {
  unsigned value = 0;
  for (int i = 0; i < 4; ++i) {
    const auto c = static_cast<unsigned>(static_cast<unsigned char>(p[i]));
    value = value * 16 + (c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
  }
  return value;
}

}  // namespace

// The result is never longer than the input, so it is written in place into a string of the
// input's size and cut afterwards.
bool JsonReader::unescape(std::string_view inside, std::string& out) {
  out.resize(inside.size());
  const char* p = inside.data();
  const char* const end = p + inside.size();
  char* d = out.data();
  bool exact = true;
  for (;;) {
#ifdef PARLEY_HAS_SSE2
    // Copies plain text 16 bytes at a time; d never runs ahead of p, so the store stays inside.
    while (end - p >= 16) {
      const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(d), v);
      const int mask = _mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
      const int plain = mask == 0 ? 16 : __builtin_ctz(static_cast<unsigned>(mask));
      p += plain;
      d += plain;
      if (mask != 0) break;
    }
#endif
    while (p < end && *p != '\\') *d++ = *p++;
    if (p == end) break;
    const char kind = p[1];
    p += 2;
    switch (kind) {
      case 'n': *d++ = '\n'; break;
      case 't': *d++ = '\t'; break;
      case 'r': *d++ = '\r'; break;
      case 'b': *d++ = '\b'; break;
      case 'f': *d++ = '\f'; break;
      case 'u': {
        unsigned c = hex4(p);
        p += 4;
        if (c >= 0xD800 && c < 0xE000) {
          unsigned low = 0;
          if (c < 0xDC00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u') low = hex4(p + 2);
          if (low >= 0xDC00 && low < 0xE000) {
            p += 6;
            c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
          } else {
            c = 0xFFFD;
            exact = false;
          }
        }
        d = detail::put_utf8(c, d);
        break;
      }
      default: *d++ = kind; break;  // quote, backslash, slash
    }
  }
  out.resize(static_cast<std::size_t>(d - out.data()));
  return exact;
}

}  // namespace parley
