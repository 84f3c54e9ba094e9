#include "numbers.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace parley::detail {

namespace {

/// from_chars refuses what a double cannot hold and does not say on which side. The place of the
/// first digit that counts does: above the decimal point is infinity, below it is zero.
double beyond_range(std::string_view text) {
  const bool negative = text.front() == '-';
  if (negative) text.remove_prefix(1);
  std::int64_t exponent = 0;
  const std::size_t e = text.find_first_of("eE");
  if (e != std::string_view::npos) {
    const std::size_t from = text[e + 1] == '+' ? e + 2 : e + 1;
    const auto done = std::from_chars(text.data() + from, text.data() + text.size(), exponent);
    // No text is this long, so beyond it the mantissa no longer matters, and the sum below fits.
    constexpr std::int64_t kHuge = std::int64_t{1} << 40;
    if (done.ec != std::errc{}) exponent = text[e + 1] == '-' ? -kHuge : kHuge;
    exponent = std::clamp(exponent, -kHuge, kHuge);
    text = text.substr(0, e);
  }
  const auto point = static_cast<std::int64_t>(std::min(text.find('.'), text.size()));
  const auto first = static_cast<std::int64_t>(text.find_first_of("123456789"));
  const double size = exponent + point - first > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  return negative ? -size : size;
}

}  // namespace

Integer to_int64(std::string_view text) {
  Integer out;
  const char* end = text.data() + text.size();
  const auto done = std::from_chars(text.data(), end, out.value);
  if (done.ec == std::errc{} && done.ptr == end) {
    out.exact = text != "-0";
    return out;
  }
  out.exact = false;
  const double value = to_double(text);
  // 2^63 is exact as a double; the largest int64 is not.
  constexpr double kLimit = 9223372036854775808.0;
  if (value >= kLimit) {
    out.value = std::numeric_limits<std::int64_t>::max();
  } else if (value <= -kLimit) {
    out.value = std::numeric_limits<std::int64_t>::min();
  } else {
    out.value = static_cast<std::int64_t>(value);
  }
  return out;
}

double to_double(std::string_view text) {
  double value = 0;
  const auto done = std::from_chars(text.data(), text.data() + text.size(), value);
  if (done.ec == std::errc{}) return value;
  return beyond_range(text);
}

}  // namespace parley::detail
