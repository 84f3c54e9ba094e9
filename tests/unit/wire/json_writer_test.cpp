// The writer: strings escaped and numbers laid out as JSON.stringify does it.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "wire/json/numbers.hpp"
#include "wire/json/reader.hpp"
#include "wire/json/writer.hpp"

namespace parley::detail {
namespace {

std::string written(std::string_view text) {
  std::string out;
  write_string(text, out);
  return out;
}

template <class T>
std::string number(T value) {
  std::string out;
  write_number(value, out);
  return out;
}

TEST(JsonWriter, EscapesWhatJsonStringifyEscapes) {
  EXPECT_EQ(written(""), R"("")");
  EXPECT_EQ(written("plain / text"), R"("plain / text")");
  EXPECT_EQ(written("\"\\\b\f\n\r\t"), R"("\"\\\b\f\n\r\t")");
  EXPECT_EQ(written(std::string_view("\0\x01\x0B\x1F", 4)), R"("\u0000\u0001\u000b\u001f")");
  EXPECT_EQ(written("\x7F"), "\"\x7F\"");
  EXPECT_EQ(written("caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8E\x89"),
            "\"caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8E\x89\"");
  EXPECT_EQ(written("\xE2\x80\xA8"), "\"\xE2\x80\xA8\"");
}

TEST(JsonWriter, AppendsToWhatIsThere) {
  std::string out = "[";
  write_string("a", out);
  write_number(std::int64_t{1}, out);
  write_bool(true, out);
  write_bool(false, out);
  EXPECT_EQ(out, R"(["a"1truefalse)");
}

TEST(JsonWriter, BytesThatAreNoUtf8BecomeTheReplacementCharacter) {
  EXPECT_EQ(written("\xFF"), "\"\xEF\xBF\xBD\"");
  EXPECT_EQ(written("a\xE2\x82z"), "\"a\xEF\xBF\xBD\xEF\xBF\xBDz\"");
  EXPECT_EQ(written("\xC3"), "\"\xEF\xBF\xBD\"");
  EXPECT_EQ(written("\xED\xA0\x80\n"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\\n\"");
}

TEST(JsonWriter, WhateverGoesInComesOutAsReadableJson) {
  std::mt19937 random(2);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes(random() % 60, '\0');
    for (char& c : bytes) {
      c = static_cast<char>(random() % 3 == 0 ? random() % 256 : 0x20 + random() % 95);
    }
    const std::string text = written(bytes);
    JsonReader reader(text);
    std::string back;
    ASSERT_TRUE(reader.string(back) && reader.at_end()) << text;
    ASSERT_EQ(back, to_utf8(bytes));
    ASSERT_FALSE(reader.inexact());
  }
}

TEST(JsonWriter, Integers) {
  EXPECT_EQ(number(std::int64_t{0}), "0");
  EXPECT_EQ(number(std::int64_t{-42}), "-42");
  EXPECT_EQ(number(std::numeric_limits<std::int64_t>::max()), "9223372036854775807");
  EXPECT_EQ(number(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
}

// Each line as JavaScript prints it.
TEST(JsonWriter, DoublesAreLaidOutAsInJavaScript) {
  const std::vector<std::pair<double, std::string>> cases = {
      {0.0, "0"},
      {-0.0, "0"},
      {1.0, "1"},
      {-1.0, "-1"},
      {0.5, "0.5"},
      {-0.25, "-0.25"},
      {0.1, "0.1"},
      {0.1 + 0.2, "0.30000000000000004"},
      {1.0 / 3, "0.3333333333333333"},
      {123.456, "123.456"},
      {100.0, "100"},
      {100000.0, "100000"},
      {123456789.0, "123456789"},
      {4294967296.5, "4294967296.5"},
      {9007199254740991.0, "9007199254740991"},
      {9007199254740993.0, "9007199254740992"},
      {1e20, "100000000000000000000"},
      {123456789012345680000.0, "123456789012345680000"},
      {999999999999999900000.0, "999999999999999900000"},
      {1e21, "1e+21"},
      {1.5e21, "1.5e+21"},
      {-1.25e30, "-1.25e+30"},
      {1e100, "1e+100"},
      {0.000001, "0.000001"},
      {0.00000123, "0.00000123"},
      {0.0000001, "1e-7"},
      {0.000000123, "1.23e-7"},
      {-1e-10, "-1e-10"},
      {5e-324, "5e-324"},
      {2.2250738585072014e-308, "2.2250738585072014e-308"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {9223372036854775808.0, "9223372036854776000"},
      {18446744073709551616.0, "18446744073709552000"},
      {4.35, "4.35"},
      {2e-6, "0.000002"}};
  for (const auto& [value, text] : cases) EXPECT_EQ(number(value), text);
}

TEST(JsonWriter, WhatJsonLacksIsNull) {
  EXPECT_EQ(number(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(number(-std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(number(std::numeric_limits<double>::quiet_NaN()), "null");
}

TEST(JsonWriter, EveryDoubleReadsBackAsItself) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 100000; ++round) {
    const double value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    const std::string text = number(value);
    JsonReader reader(text);
    std::string_view seen;
    ASSERT_TRUE(reader.number(seen) && reader.at_end()) << text;
    ASSERT_EQ(to_double(text), value) << text;
  }
}

}  // namespace
}  // namespace parley::detail
