// RawJson keeps bytes; Extra keeps members.
#include "wire/json/raw_json.hpp"

#include <gtest/gtest.h>

#include <string>

#include "wire/json/json.hpp"

namespace parley {
namespace {

TEST(RawJson, IsNullUnlessToldOtherwise) {
  EXPECT_EQ(RawJson().text, "null");
  EXPECT_TRUE(RawJson().is_null());
  EXPECT_FALSE(RawJson("{}").is_null());
}

TEST(RawJson, ParseKeepsTheExactBytesWithoutTheSpaceAround) {
  for (const std::string text : {"1.0", "1e400", R"("\ud800\/")", R"({"a" : [ 1,2 ],"a":3})"}) {
    const Result<RawJson> raw = RawJson::parse(" \n" + text + "\t ");
    ASSERT_TRUE(raw.ok()) << text;
    EXPECT_EQ(raw->text, text);
  }
}

TEST(RawJson, ParseRefusesWhatIsNotExactlyOneValue) {
  for (const std::string_view text :
       {"", " ", "1 2", "{}{}", "[1,]", "x", "\"\xFF\"", "{\"a\":}"}) {
    const Result<RawJson> raw = RawJson::parse(text);
    ASSERT_FALSE(raw.ok()) << text;
    EXPECT_EQ(raw.error().code(), ErrorCode::malformed);
  }
  EXPECT_EQ(RawJson::parse("[1 2]").error().message(), "expected ',' or ']' at byte 3");
  EXPECT_EQ(RawJson::parse("1 2").error().message(), "unexpected text after the value at byte 2");
}

TEST(RawJson, ComparesBytesAndGivesTheTree) {
  EXPECT_EQ(RawJson("1"), RawJson("1"));
  EXPECT_FALSE(RawJson("1") == RawJson("1.0"));
  EXPECT_EQ((*RawJson(R"({"a":[5]})").json())["a"][0].as_int(), 5);
  EXPECT_FALSE(RawJson("by hand, and wrong").json().ok());
}

TEST(Extra, SetFindErase) {
  Extra extra;
  EXPECT_EQ(extra.find("a"), nullptr);
  extra.set("a", RawJson("1"));
  extra.set("b", RawJson("2"));
  extra.set("a", RawJson("3"));
  EXPECT_EQ(extra.unknown_count(), 2u);
  ASSERT_NE(extra.find("a"), nullptr);
  EXPECT_EQ(extra.find("a")->text, "3");
  extra.erase("a");
  extra.erase("nothing");
  EXPECT_EQ(extra.find("a"), nullptr);
  EXPECT_EQ(extra.unknown_count(), 1u);
}

TEST(Extra, KeysArePlainTextOutsideAndWireTextInside) {
  Extra extra;
  extra.set("quote \" and\nline", RawJson("1"));
  ASSERT_EQ(extra.members.size(), 1u);
  EXPECT_EQ(extra.members[0].key, R"(quote \" and\nline)");
  ASSERT_NE(extra.find("quote \" and\nline"), nullptr);
  extra.members.push_back({R"(\u0061b)", RawJson("2"), false});
  ASSERT_NE(extra.find("ab"), nullptr);
  EXPECT_EQ(extra.find("ab")->text, "2");
  extra.set("ab", RawJson("3"));
  EXPECT_EQ(extra.unknown_count(), 2u);
  EXPECT_EQ(extra.find("ab")->text, "3");
}

TEST(Extra, TheLastOfEqualKeysCounts) {
  Extra extra;
  extra.members.push_back({"a", RawJson("1"), false});
  extra.members.push_back({"a", RawJson("2"), false});
  EXPECT_EQ(extra.find("a")->text, "2");
  extra.erase("a");
  EXPECT_EQ(extra.find("a"), nullptr);
}

TEST(Extra, SpellingsOfKnownMembersAreNotItsBusiness) {
  Extra extra;
  extra.members.push_back({"known", RawJson("1.0"), true});
  EXPECT_EQ(extra.find("known"), nullptr);
  EXPECT_EQ(extra.unknown_count(), 0u);
  extra.erase("known");
  EXPECT_EQ(extra.members.size(), 1u);
}

}  // namespace
}  // namespace parley
