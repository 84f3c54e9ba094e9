// The ordered JSON tree: parse, look up, change, compare, dump.
#include "wire/json/json.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

namespace parley {
namespace {

Json parsed(std::string_view text) {
  Result<Json> result = Json::parse(text);
  EXPECT_TRUE(result.ok()) << text;
  return result.ok() ? *result : Json();
}

std::string again(std::string_view text) { return parsed(text).dump(); }

TEST(Json, ParseAndDumpGiveTheSameCompactText) {
  for (const std::string_view text :
       {"null", "true", "false", "0", "-0", "1.0", "1e400", "123456789012345678901234567890",
        R"("")", R"("a\"b\\c\n\u0001")", "[]", "{}", R"([1,"a",null,[true],{"k":[]}])",
        R"({"b":1,"a":{"":2},"c":[{}]})", "\"na\xC3\xAFve \xF0\x9F\x8E\x89\""}) {
    EXPECT_EQ(again(text), text);
  }
}

TEST(Json, DumpIsCanonicalWhereTheInputWasNot) {
  EXPECT_EQ(again(" { \"a\" : [ 1 , 2 ] } "), R"({"a":[1,2]})");
  EXPECT_EQ(again(R"("\u0041\/\u00e9\ud83c\udf89")"), "\"A/\xC3\xA9\xF0\x9F\x8E\x89\"");
  EXPECT_EQ(again(R"({"\u0061":1})"), R"({"a":1})");
  EXPECT_EQ(again(R"("\ud800")"), "\"\xEF\xBF\xBD\"");
}

TEST(Json, MembersKeepTheirOrder) {
  EXPECT_EQ(again(R"({"z":1,"10":2,"a":3,"2":4})"), R"({"z":1,"10":2,"a":3,"2":4})");
}

TEST(Json, TheLastOfEqualKeysCountsInThePlaceOfTheFirst) {
  EXPECT_EQ(again(R"({"a":1,"a":2})"), R"({"a":2})");
  EXPECT_EQ(again(R"({"a":1,"b":2,"a":3,"c":4,"b":5,"a":6})"), R"({"a":6,"b":5,"c":4})");
  EXPECT_EQ(again(R"({"a":1,"\u0061":2})"), R"({"a":2})");
  EXPECT_EQ(again(R"({"x":{"a":1,"a":null},"x":{"b":1,"b":[]}})"), R"({"x":{"b":[]}})");
  EXPECT_EQ(again(R"({"":1,"":2})"), R"({"":2})");
}

TEST(Json, ErrorsSayWhatAndWhere) {
  const auto message = [](std::string_view text) {
    const Result<Json> result = Json::parse(text);
    EXPECT_FALSE(result.ok()) << text;
    EXPECT_EQ(result.error().code(), ErrorCode::malformed);
    return result.error().message();
  };
  EXPECT_EQ(message("[1 2]"), "expected ',' or ']' at byte 3");
  EXPECT_EQ(message("{\"a\":1 \"b\":2}"), "expected ',' or '}' at byte 7");
  EXPECT_EQ(message("{a:1}"), "expected a key at byte 1");
  EXPECT_EQ(message("{\"a\" 1}"), "expected ':' at byte 5");
  EXPECT_EQ(message("1 2"), "unexpected text after the value at byte 2");
  EXPECT_EQ(message("\"\xFF\""), "invalid UTF-8 in string at byte 1");
  EXPECT_EQ(message("[[\"\\q\"]]"), "bad escape at byte 3");
  EXPECT_FALSE(message("").empty());
  EXPECT_FALSE(message("x").empty());
}

TEST(Json, DepthLimit) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(again(nested(1024)), nested(1024));
  EXPECT_FALSE(Json::parse(nested(1025)).ok());
  EXPECT_FALSE(Json::parse(std::string(1000000, '[')).ok());
  EXPECT_FALSE(Json::parse(std::string(3000, '[') + "{").ok());
}

TEST(Json, KindsAndConstructors) {
  EXPECT_TRUE(Json().is_null());
  EXPECT_TRUE(Json(nullptr).is_null());
  EXPECT_TRUE(Json(true).is_bool());
  EXPECT_TRUE(Json(1).is_number());
  EXPECT_TRUE(Json(std::int64_t{1}).is_number());
  EXPECT_TRUE(Json(std::uint64_t{1}).is_number());
  EXPECT_TRUE(Json(1.5).is_number());
  EXPECT_TRUE(Json("text").is_string());
  EXPECT_TRUE(Json(std::string("text")).is_string());
  EXPECT_TRUE(Json(std::string_view("text")).is_string());
  EXPECT_TRUE(Json::array().is_array());
  EXPECT_TRUE(Json::object().is_object());
  EXPECT_EQ(Json::array({1, "a", nullptr}).dump(), R"([1,"a",null])");
  EXPECT_EQ(Json::object({{"a", 1}, {"b", Json::array()}}).dump(), R"({"a":1,"b":[]})");
}

TEST(Json, NumbersAreWrittenExactly) {
  EXPECT_EQ(Json(std::numeric_limits<std::int64_t>::min()).dump(), "-9223372036854775808");
  EXPECT_EQ(Json(std::numeric_limits<std::uint64_t>::max()).dump(), "18446744073709551615");
  EXPECT_EQ(Json(0.1).dump(), "0.1");
  EXPECT_EQ(Json(3.0).dump(), "3");
  EXPECT_EQ(Json::number("1e400").dump(), "1e400");
  EXPECT_TRUE(Json(std::numeric_limits<double>::infinity()).is_null());
  EXPECT_TRUE(Json(std::numeric_limits<double>::quiet_NaN()).is_null());
}

TEST(Json, LenientAccess) {
  const Json j = parsed(R"({"b":true,"i":42,"d":1.5,"s":"text","big":1e30})");
  EXPECT_TRUE(j["b"].as_bool());
  EXPECT_EQ(j["i"].as_int(), 42);
  EXPECT_EQ(j["d"].as_int(), 1);
  EXPECT_EQ(j["big"].as_int(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(j["d"].as_double(), 1.5);
  EXPECT_EQ(j["s"].as_string(), "text");
  EXPECT_EQ(j["i"].number_text(), "42");
  EXPECT_EQ(j["s"].number_text(), "");
  EXPECT_TRUE(j["s"].as_bool(true));
  EXPECT_EQ(j["s"].as_int(7), 7);
  EXPECT_EQ(j["b"].as_double(0.5), 0.5);
  EXPECT_EQ(j["i"].as_string("none"), "none");
  EXPECT_TRUE(j["s"].items().empty());
  EXPECT_TRUE(j["s"].members().empty());
}

TEST(Json, ChainsNeedNoChecks) {
  const Json j = parsed(R"({"message":{"content":[{"text":"hi"}]}})");
  EXPECT_EQ(j["message"]["content"][0]["text"].as_string(), "hi");
  EXPECT_TRUE(j["message"]["content"][1]["text"].is_null());
  EXPECT_TRUE(j["message"]["content"][-1].is_null());
  EXPECT_TRUE(j["nothing"][5]["at"]["all"].is_null());
  EXPECT_TRUE(j["message"][0].is_null());
  EXPECT_EQ(j.find("nothing"), nullptr);
  EXPECT_EQ(j["message"]["content"].find("text"), nullptr);
}

TEST(Json, Changes) {
  Json j;
  j.set("a", 1).set("b", 2).set("a", "new");
  EXPECT_EQ(j.dump(), R"({"a":"new","b":2})");
  EXPECT_TRUE(j.erase("a"));
  EXPECT_FALSE(j.erase("a"));
  EXPECT_FALSE(Json("text").erase("a"));
  j.push(1).push(2);  // turns into an array
  EXPECT_EQ(j.dump(), "[1,2]");
  j.members();
  EXPECT_EQ(j.dump(), "{}");
  j.set("list", Json::array());
  j.find("list")->push(Json::object({{"x", nullptr}}));
  EXPECT_EQ(j.dump(), R"({"list":[{"x":null}]})");
}

TEST(Json, DumpWithIndent) {
  EXPECT_EQ(parsed(R"({"a":[1,{"b":[]}],"c":{}})").dump(2),
            "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    }\n  ],\n  \"c\": {}\n}");
  EXPECT_EQ(parsed("[]").dump(4), "[]");
  EXPECT_EQ(parsed("1").dump(4), "1");
}

TEST(Json, DumpEscapesKeysAndMendsBytes) {
  Json j;
  j.set("a\"\n", "\xFF");
  EXPECT_EQ(j.dump(), "{\"a\\\"\\n\":\"\xEF\xBF\xBD\"}");
}

TEST(Json, Equality) {
  // One item per line would fill pages.
  // clang-format off
  const std::vector<std::string_view> distinct = {
      "null", "true", "false", "0", "1", "1.0", R"("")", R"("1")", R"("null")", "[]", "[1]",
      "[1,2]", "[2,1]", "[[]]", "{}", R"({"a":1})", R"({"a":2})", R"({"b":1})",
      R"({"a":1,"b":2})", R"({"a":null})"};
  // clang-format on
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    for (std::size_t k = 0; k < distinct.size(); ++k) {
      EXPECT_EQ(parsed(distinct[i]) == parsed(distinct[k]), i == k)
          << distinct[i] << ' ' << distinct[k];
    }
  }
  EXPECT_EQ(parsed(R"({"a":1,"b":{"c":2,"d":[3]}})"), parsed(R"({"b":{"d":[3],"c":2},"a":1})"));
  EXPECT_EQ(parsed(R"({"a":1,"a":2})"), parsed(R"({"a":2})"));
}

TEST(Json, ValuesCopyAndMove) {
  const Json original = parsed(R"({"a":[1,2,{"b":"c"}]})");
  Json copy = original;
  copy.set("a", 0);
  EXPECT_EQ(original["a"][2]["b"].as_string(), "c");
  Json moved = std::move(copy);
  EXPECT_EQ(moved.dump(), R"({"a":0})");
  // A part of a value may be assigned to the value itself.
  Json self = original;
  self = Json(self["a"][2]);
  EXPECT_EQ(self.dump(), R"({"b":"c"})");
}

// Large objects must not cost the square of their size: a hostile line is one of those.
/// Processor time for reading and comparing two objects of so many members.
std::clock_t time_for_members(int count) {
  std::string forwards = "{";
  std::string backwards = "{";
  for (int i = 0; i < count; ++i) {
    forwards += "\"k" + std::to_string(i) + "\":0,";
    backwards += "\"k" + std::to_string(count - 1 - i) + "\":0,";
  }
  forwards += "\"k0\":1}";
  backwards += "\"k0\":1}";
  const std::clock_t start = std::clock();
  const Json a = parsed(forwards);
  const Json b = parsed(backwards);
  EXPECT_EQ(a.members().size(), static_cast<std::size_t>(count));
  EXPECT_EQ(a["k0"].as_int(), 1);
  EXPECT_TRUE(a == b);
  return std::clock() - start;
}

TEST(Json, LargeObjectsTakeTimeInProportionToTheirSize) {
  // Ten times the members would take a hundred times as long if each were looked for among all.
  const std::clock_t small = time_for_members(20'000);
  EXPECT_LT(time_for_members(200'000), 50 * std::max<std::clock_t>(small, CLOCKS_PER_SEC / 1000));
}

}  // namespace
}  // namespace parley
