// Strict pull reader over one JSON text held in memory. It accepts exactly what JavaScript's
// JSON.parse accepts (valid UTF-8 and a depth limit assumed), copies nothing it is not asked for,
// and allocates only in string(). The cursor functions are inline: they are the hot path of every
// decoder.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "string_scan.hpp"
#include "utf8.hpp"

namespace parley {

class JsonReader {
 public:
  /// Containers may nest this deep; deeper input is refused before it can cost stack or memory.
  static constexpr unsigned kMaxDepth = 1024;

  /// The text must outlive the reader and every slice it hands out.
  explicit JsonReader(std::string_view text)
      : begin_(text.data()), p_(begin_), end_(begin_ + text.size()) {}

  /// Steps over white space and looks at the next byte; 0 at the end of the text.
  char peek() {
    while (p_ < end_ && static_cast<unsigned char>(*p_) <= ' ') {
      if (*p_ != ' ' && *p_ != '\n' && *p_ != '\t' && *p_ != '\r') return *p_;
      ++p_;
    }
    return p_ < end_ ? *p_ : '\0';
  }
  bool eat(char c) {
    if (peek() != c || p_ == end_) return false;
    ++p_;
    return true;
  }
  bool at_end() {
    peek();
    return p_ == end_;
  }

  /// Call when a container is entered and left by the caller, so that the depth limit holds.
  bool enter() { return ++depth_ <= kMaxDepth || fail("nested too deeply"); }
  void leave() { --depth_; }

  /// Steps over one string at the cursor, checking it. `inside` is what stands between the quotes,
  /// escapes untouched.
  bool string_span(std::string_view& inside, bool& escaped);
  /// Reads one string. A lone surrogate becomes U+FFFD and sets inexact().
  bool string(std::string& out);
  /// Steps over one number and gives its text.
  bool number(std::string_view& text);
  bool boolean(bool& out);
  bool null();
  /// Steps over one value of any kind, checking all of it; `raw` is its exact bytes.
  bool skip(std::string_view& raw) {
    peek();
    const char* from = p_;
    if (!skip_value()) return false;
    raw = {from, static_cast<std::size_t>(p_ - from)};
    return true;
  }

  /// Remembers the first reason and returns false, so that callers can `return r.fail(...)`.
  bool fail(const char* why) {
    if (why_ == nullptr) {
      why_ = why;
      fail_at_ = p_;
    }
    return false;
  }
  [[nodiscard]] bool failed() const { return why_ != nullptr; }
  [[nodiscard]] const char* why() const { return why_ == nullptr ? "malformed" : why_; }
  /// Where the first failure was, as a byte offset into the text.
  [[nodiscard]] std::size_t fail_offset() const {
    return static_cast<std::size_t>((why_ == nullptr ? p_ : fail_at_) - begin_);
  }

  [[nodiscard]] const char* position() const { return p_; }
  void rewind(const char* position) { p_ = position; }

  /// Set when something was read whose typed value cannot give the same bytes back (a lone
  /// surrogate, a number written in an unusual way). The codec then keeps the bytes as well.
  [[nodiscard]] bool inexact() const { return inexact_; }
  void set_inexact(bool value) { inexact_ = value; }

  /// Replaces the escapes of a checked string. False if a lone surrogate became U+FFFD.
  static bool unescape(std::string_view inside, std::string& out);

 private:
  bool skip_value();
  bool skip_key();
  bool skip_literal(std::string_view word);
  bool escape_at_cursor();

  const char* begin_;
  const char* p_;
  const char* end_;
  const char* why_ = nullptr;
  const char* fail_at_ = nullptr;
  unsigned depth_ = 0;
  bool inexact_ = false;
};

inline bool JsonReader::string_span(std::string_view& inside, bool& escaped) {
  if (peek() != '"') return fail("expected string");
  const char* from = ++p_;
  escaped = false;
  for (;;) {
    p_ = detail::find_special(p_, end_);
    if (p_ == end_) return fail("unterminated string");
    const auto c = static_cast<unsigned char>(*p_);
    if (c == '"') {
      inside = {from, static_cast<std::size_t>(p_ - from)};
      ++p_;
      return true;
    }
    if (c == '\\') {
      escaped = true;
      if (!escape_at_cursor()) return false;
    } else if (c < 0x20) {
      return fail("control character in string");
    } else {
      do {
        const int length = detail::utf8_length(p_, end_);
        if (length == 0) return fail("invalid UTF-8");
        p_ += length;
      } while (p_ < end_ && static_cast<unsigned char>(*p_) >= 0x80);
    }
  }
}

inline bool JsonReader::escape_at_cursor() {
  const auto is_hex = [](char c) {
    return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'f');
  };
  if (end_ - p_ < 2) return fail("unterminated string");
  switch (p_[1]) {
    case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
      p_ += 2;
      return true;
    case 'u':
      if (end_ - p_ < 6 || !is_hex(p_[2]) || !is_hex(p_[3]) || !is_hex(p_[4]) || !is_hex(p_[5])) {
        return fail("bad \\u escape");
      }
      p_ += 6;
      return true;
    default:
      return fail("bad escape");
  }
}

inline bool JsonReader::string(std::string& out) {
  std::string_view inside;
  bool escaped = false;
  if (!string_span(inside, escaped)) return false;
  if (!escaped) {
    out.assign(inside);
  } else if (!unescape(inside, out)) {
    inexact_ = true;
  }
  return true;
}

inline bool JsonReader::number(std::string_view& text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  peek();
  const char* q = p_;
  const auto digits = [&] {
    if (q == end_ || !is_digit(*q)) return false;
    while (q < end_ && is_digit(*q)) ++q;
    return true;
  };
  if (q < end_ && *q == '-') ++q;
  if (q < end_ && *q == '0') {
    ++q;
  } else if (!digits()) {
    return fail("expected number");
  }
  if (q < end_ && *q == '.') {
    ++q;
    if (!digits()) return fail("malformed number");
  }
  if (q < end_ && (*q == 'e' || *q == 'E')) {
    ++q;
    if (q < end_ && (*q == '+' || *q == '-')) ++q;
    if (!digits()) return fail("malformed number");
  }
  text = {p_, static_cast<std::size_t>(q - p_)};
  p_ = q;
  return true;
}

inline bool JsonReader::skip_literal(std::string_view word) {
  if (static_cast<std::size_t>(end_ - p_) < word.size() ||
      std::memcmp(p_, word.data(), word.size()) != 0) {
    return false;
  }
  p_ += word.size();
  return true;
}

inline bool JsonReader::boolean(bool& out) {
  peek();
  if (skip_literal("true")) {
    out = true;
  } else if (skip_literal("false")) {
    out = false;
  } else {
    return fail("expected boolean");
  }
  return true;
}

inline bool JsonReader::null() {
  peek();
  return skip_literal("null") || fail("expected null");
}

}  // namespace parley
