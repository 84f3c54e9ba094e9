#include "writer.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "../../support/text/utf8.hpp"
#include "string_scan.hpp"

namespace parley::detail {

namespace {

void write_escape(unsigned char c, std::string& out) {
  constexpr char kHex[] = "0123456789abcdef";
  switch (c) {
    case '"': out += "\\\""; break;
    case '\\': out += "\\\\"; break;
    case '\n': out += "\\n"; break;
    case '\t': out += "\\t"; break;
    case '\r': out += "\\r"; break;
    case '\b': out += "\\b"; break;
    case '\f': out += "\\f"; break;
    default:
      out += "\\u00";
      out += kHex[c >> 4];
      out += kHex[c & 15];
  }
}

}  // namespace

void write_string(std::string_view text, std::string& out) {
  out += '"';
  const char* p = text.data();
  const char* const end = p + text.size();
  const char* plain = p;  // everything from here to p is copied as it is
  for (;;) {
    p = find_special(p, end);
    if (p == end) break;
    const auto c = static_cast<unsigned char>(*p);
    if (c >= 0x80) {
      if (const int length = utf8_length(p, end)) {
        p += length;
        continue;
      }
      out.append(plain, p);
      out += "\xEF\xBF\xBD";
    } else {
      out.append(plain, p);
      write_escape(c, out);
    }
    plain = ++p;
  }
  out.append(plain, end);
  out += '"';
}

void write_number(std::int64_t value, std::string& out) {
  std::array<char, 24> buffer;
  const auto done = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  out.append(buffer.data(), done.ptr);
}

void write_number(double value, std::string& out) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  // Shortest digits from the standard library, laid out the way JavaScript prints numbers, so that
  // what a peer sent usually comes back letter for letter: 100000, 0.000001, 1e-7, 1e+21.
  std::array<char, 40> buffer;
  const auto done = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                  std::chars_format::scientific);
  std::string_view text(buffer.data(), static_cast<std::size_t>(done.ptr - buffer.data()));
  if (text.front() == '-') {
    if (value != 0) out += '-';
    text.remove_prefix(1);
  }
  const std::size_t e = text.find('e');
  int exponent = 0;
  const std::size_t digits_from = text[e + 1] == '+' ? e + 2 : e + 1;
  std::from_chars(text.data() + digits_from, text.data() + text.size(), exponent);
  std::string digits(1, text[0]);
  if (e > 2) digits.append(text.substr(2, e - 2));
  const int count = static_cast<int>(digits.size());
  const int point = exponent + 1;  // where the decimal point stands, counted in digits
  if (point > 21 || point < -5) {
    out += digits[0];
    if (count > 1) out.append(1, '.').append(digits, 1);
    out += exponent < 0 ? "e-" : "e+";
    write_number(std::int64_t{exponent < 0 ? -exponent : exponent}, out);
  } else if (point <= 0) {
    out.append("0.").append(static_cast<std::size_t>(-point), '0').append(digits);
  } else if (point >= count) {
    out.append(digits).append(static_cast<std::size_t>(point - count), '0');
  } else {
    out.append(digits, 0, static_cast<std::size_t>(point)).append(1, '.');
    out.append(digits, static_cast<std::size_t>(point));
  }
}

}  // namespace parley::detail
