// From number text to int64 and double: clamped, cut, and never refused.
#include "wire/json/numbers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace parley::detail {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

void expect_int(std::string_view text, std::int64_t value, bool exact) {
  const Integer got = to_int64(text);
  EXPECT_EQ(got.value, value) << text;
  EXPECT_EQ(got.exact, exact) << text;
}

TEST(Numbers, PlainIntegersAreExact) {
  expect_int("0", 0, true);
  expect_int("7", 7, true);
  expect_int("-7", -7, true);
  expect_int("9007199254740993", 9007199254740993, true);
  expect_int("9223372036854775807", kMax, true);
  expect_int("-9223372036854775808", kMin, true);
}

TEST(Numbers, OtherSpellingsOfIntegersAreReadButNotExact) {
  expect_int("-0", 0, false);
  expect_int("1.0", 1, false);
  expect_int("1e3", 1000, false);
  expect_int("1E+3", 1000, false);
  expect_int("12e-1", 1, false);
  expect_int("-1.0", -1, false);
  expect_int("0.0", 0, false);
  expect_int("0e5", 0, false);
}

TEST(Numbers, FractionsAreCut) {
  expect_int("1.5", 1, false);
  expect_int("1.999", 1, false);
  expect_int("-1.999", -1, false);
  expect_int("0.9", 0, false);
  expect_int("-0.9", 0, false);
}

TEST(Numbers, IntegersAreClamped) {
  expect_int("9223372036854775808", kMax, false);  // 2^63
  expect_int("-9223372036854775809", kMin, false);
  expect_int("18446744073709551615", kMax, false);
  expect_int("9223372036854775807.0", kMax, false);
  expect_int("9223372036854775808.5", kMax, false);
  expect_int("-9223372036854775808.0", kMin, false);
  expect_int("1e19", kMax, false);
  expect_int("-1e19", kMin, false);
  expect_int("1e400", kMax, false);
  expect_int("-1e400", kMin, false);
  expect_int("1e-400", 0, false);
  expect_int(std::string(400, '9'), kMax, false);
  expect_int("-" + std::string(400, '9'), kMin, false);
}

TEST(Numbers, DoublesInRange) {
  EXPECT_EQ(to_double("0"), 0.0);
  EXPECT_FALSE(std::signbit(to_double("0")));
  EXPECT_TRUE(std::signbit(to_double("-0")));
  EXPECT_TRUE(std::signbit(to_double("-0.0e5")));
  EXPECT_EQ(to_double("1.5"), 1.5);
  EXPECT_EQ(to_double("-2.5E-3"), -2.5e-3);
  EXPECT_EQ(to_double("1e+2"), 100.0);
  EXPECT_EQ(to_double("9223372036854775808"), 9223372036854775808.0);
  EXPECT_EQ(to_double("1.7976931348623157e308"), std::numeric_limits<double>::max());
  EXPECT_EQ(to_double("5e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(to_double("2.2250738585072011e-308"), 2.2250738585072011e-308);
}

TEST(Numbers, DoublesBeyondRange) {
  EXPECT_EQ(to_double("1e400"), kInfinity);
  EXPECT_EQ(to_double("-1e400"), -kInfinity);
  EXPECT_EQ(to_double("1.7976931348623159e308"), kInfinity);
  EXPECT_EQ(to_double(std::string(400, '9')), kInfinity);
  EXPECT_EQ(to_double("123456789e301"), kInfinity);
  EXPECT_EQ(to_double("0.00001e314"), kInfinity);
  EXPECT_EQ(to_double("1e-400"), 0.0);
  EXPECT_TRUE(std::signbit(to_double("-1e-400")));
  EXPECT_EQ(to_double("0." + std::string(400, '0') + "1"), 0.0);
  EXPECT_EQ(to_double("123456789e-340"), 0.0);
  EXPECT_EQ(to_double("2e-324"), 0.0);
  EXPECT_EQ(to_double("3e-324"), std::numeric_limits<double>::denorm_min());
}

TEST(Numbers, ZeroStaysZeroWhateverTheExponent) {
  for (const std::string_view text : {"0e400", "0e99999999999999999999", "0.000e400", "0e-400"}) {
    EXPECT_EQ(to_double(text), 0.0) << text;
  }
  EXPECT_TRUE(std::signbit(to_double("-0e99999999999999999999")));
}

// The exponent itself may be beyond 64 bits, or so near to it that adding to it overflows.
TEST(Numbers, HugeExponents) {
  for (const std::string_view exponent :
       {"2147483647", "2147483648", "4294967296", "9223372036854775806", "9223372036854775807",
        "9223372036854775808", "18446744073709551616", "99999999999999999999999999999999"}) {
    for (const std::string_view digits : {"1", "9", "10", "123.456", "0.001"}) {
      const std::string plus = std::string(digits) + "e" + std::string(exponent);
      EXPECT_EQ(to_double(plus), kInfinity) << plus;
      EXPECT_EQ(to_double("-" + plus), -kInfinity) << plus;
      const std::string minus = std::string(digits) + "e-" + std::string(exponent);
      EXPECT_EQ(to_double(minus), 0.0) << minus;
    }
  }
  EXPECT_EQ(to_double("1e-9223372036854775808"), 0.0);
  EXPECT_EQ(to_double("0.1e-9223372036854775808"), 0.0);
}

TEST(Numbers, LongMantissas) {
  // Halfway between two doubles, decided by the very last digit.
  const std::string half = "9007199254740993";
  EXPECT_EQ(to_double(half), 9007199254740992.0);
  EXPECT_EQ(to_double(half + "." + std::string(1000, '0')), 9007199254740992.0);
  EXPECT_EQ(to_double(half + "." + std::string(1000, '0') + "1"), 9007199254740994.0);
  // A small number written with many digits, and its opposite.
  EXPECT_EQ(to_double("1" + std::string(1000, '0') + "e-1000"), 1.0);
  EXPECT_EQ(to_double("0." + std::string(1000, '0') + "1e1001"), 1.0);
  EXPECT_EQ(to_double(std::string(100000, '1') + "e-99999"), 1.1111111111111112);
  expect_int("1" + std::string(1000, '0') + "e-1000", 1, false);
}

}  // namespace
}  // namespace parley::detail
