#include "reader.hpp"

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

/// The code point of the checked \u escapes at p, and how many bytes they take: two escapes may be
/// one. A lone surrogate stands for U+FFFD.
struct UnicodeEscape {
  unsigned code_point;
  int length = 6;
  bool exact = true;

  UnicodeEscape(const char* p, const char* end) : code_point(hex4(p + 2)) {
    if (code_point < 0xD800 || code_point >= 0xE000) return;
    const bool second = code_point < 0xDC00 && end - p >= 12 && p[6] == '\\' &&
                        detail::escape_length(p + 6, end) == 6;
    const unsigned low = second ? hex4(p + 8) : 0;
    if (low >= 0xDC00 && low < 0xE000) {
      code_point = 0x10000 + ((code_point - 0xD800) << 10) + (low - 0xDC00);
      length = 12;
    } else {
      code_point = 0xFFFD;
      exact = false;
    }
  }
};

}  // namespace

// Checks, copies and unescapes in one pass, piece by piece: a std::string cannot grow without
// filling what it grows by.
bool JsonReader::string_with_escapes(const char* from, std::string& out) {
  constexpr std::size_t kBlock = 16;
  constexpr std::size_t kLarge = 64 * 1024;
  std::array<char, 4096> piece;
  char* d = piece.data();
  const char* const full = d + piece.size() - kBlock;
  const char* found_end = nullptr;
  bool multi_byte = false;
  bool exact = true;
  const char* p = from;
  out.clear();
  for (;;) {
    if (d > full) {
      out.append(piece.data(), d);
      d = piece.data();
      if (out.size() > kLarge && !found_end) {
        // Before it costs much memory, see that it has an end, and where.
        detail::StringScan rest;
        found_end = detail::find_string_end(p, end_, rest);
        if (rest.why != nullptr) {
          p_ = found_end;
          out = {};
          return fail(rest.why);
        }
        out.reserve(out.size() + static_cast<std::size_t>(found_end - p));
      }
    }
#ifdef PARLEY_HAS_SSE2
    if (end_ - p >= static_cast<std::ptrdiff_t>(kBlock)) {
      // Stores a whole block, and then counts what was plain of it.
      const std::uint32_t mask = detail::string_mask(p);
      std::memcpy(d, p, kBlock);
      multi_byte |= mask > 0xFFFF;
      const std::uint32_t stop = mask & 0xFFFF;
      const int plain = stop == 0 ? static_cast<int>(kBlock) : __builtin_ctz(stop);
      p += plain;
      d += plain;
      if (stop == 0) continue;
    }
#endif
    const auto c = p == end_ ? 0 : static_cast<unsigned char>(*p);
    if (c == '"') break;
    if (c == '\\') {
      const int length = detail::escape_length(p, end_);
      if (length == 2) {
        *d++ = detail::kSimpleEscapes[static_cast<unsigned char>(p[1])];
        p += 2;
        continue;
      }
      if (length == 6) {
        const UnicodeEscape escape(p, end_);
        d = detail::put_utf8(escape.code_point, d);
        p += escape.length;
        exact &= escape.exact;
        continue;
      }
    } else if (c >= 0x20) {
      multi_byte |= c >= 0x80;
      *d++ = *p++;
      continue;
    }
    p_ = p;
    return fail(p == end_   ? "unterminated string"
                : c == '\\' ? "bad escape"
                            : "control character in string");
  }
  if (multi_byte && !is_utf8({from, static_cast<std::size_t>(p - from)})) {
    p_ = from;
    return fail("invalid UTF-8 in string");
  }
  out.append(piece.data(), d);
  p_ = p + 1;
  inexact_ |= !exact;
  return true;
}

// The result is never longer than the input, so it is written in place into a string of the
// input's size and cut afterwards.
bool JsonReader::unescape(std::string_view inside, std::string& out) {
  out.resize(inside.size());
  const char* p = inside.data();
  const char* const end = p + inside.size();
  char* d = out.data();
  bool exact = true;
  while (p < end) {
    if (*p != '\\') {
      *d++ = *p++;
    } else if (const char simple = detail::kSimpleEscapes[static_cast<unsigned char>(p[1])]) {
      *d++ = simple;
      p += 2;
    } else {
      const UnicodeEscape escape(p, end);
      d = detail::put_utf8(escape.code_point, d);
      p += escape.length;
      exact &= escape.exact;
    }
  }
  out.resize(static_cast<std::size_t>(d - out.data()));
  return exact;
}

}  // namespace parley
