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

#include "../../support/text/utf8.hpp"
#include "string_scan.hpp"

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
    // Peers write compact JSON: white space is the rare case.
    if (p_<end_&& static_cast<unsigned char>(*p_)> ' ') [[likely]]
      return *p_;
    return peek_after_space();
  }
  /// Steps over `c`, which is not 0, if it comes next.
  bool eat(char c) {
    if (peek() != c) return false;
    ++p_;
    return true;
  }
  bool at_end() {
    peek();
    return p_ == end_;
  }
  /// Steps over the key `name`, which needs no escapes, and its colon, if exactly that comes next.
  /// False says nothing: the key may be spelled in another way.
  bool eat_key(std::string_view name) {
    const std::size_t size = name.size();
    if (peek() != '"' || static_cast<std::size_t>(end_ - p_) < size + 3 || p_[size + 1] != '"' ||
        p_[size + 2] != ':' || std::memcmp(p_ + 1, name.data(), size) != 0) {
      return false;
    }
    p_ += size + 3;
    return true;
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
  char peek_after_space();
  bool skip_value();
  bool skip_key();
  bool string_with_escapes(const char* from, std::string& out);
  bool skip_literal(std::string_view word);

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
  detail::StringScan scan;
  p_ = detail::find_string_end(p_, end_, scan);
  if (scan.why != nullptr) return fail(scan.why);
  inside = {from, static_cast<std::size_t>(p_ - from)};
  escaped = scan.escaped;
  if (scan.multi_byte && !is_utf8(inside)) {
    p_ = from;
    return fail("invalid UTF-8 in string");
  }
  ++p_;
  return true;
}

inline bool JsonReader::string(std::string& out) {
  if (peek() != '"') return fail("expected string");
  const char* from = ++p_;
  bool multi_byte = false;
  p_ = detail::find_string_stop(p_, end_, multi_byte);
  if (p_ == end_ || *p_ != '"') return string_with_escapes(from, out);
  const std::string_view inside(from, static_cast<std::size_t>(p_ - from));
  if (multi_byte && !is_utf8(inside)) {
    p_ = from;
    return fail("invalid UTF-8 in string");
  }
  out.assign(inside);
  ++p_;
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
