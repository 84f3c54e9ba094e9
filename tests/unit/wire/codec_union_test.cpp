// Tagged unions: choosing by discriminators that may stand anywhere, and keeping what is unknown.
#include "codec_support.hpp"
#include "wire/codec/codec.hpp"

namespace parley {
namespace {

using sample::Circle;
using sample::Drawing;
using sample::Event;
using sample::Shape;
using sample::Square;
using sample::Started;
using sample::Status;

TEST(CodecUnion, ChoosesByTheDiscriminator) {
  EXPECT_EQ(std::get<Circle>(decoded<Shape>(R"({"type":"circle","radius":1.5})")).radius, 1.5);
  EXPECT_EQ(std::get<Square>(decoded<Shape>(R"({"type":"square","side":2})")).side, 2);
  EXPECT_EQ(encode(Shape(Circle{2.5, {}})), R"({"type":"circle","radius":2.5})");
  expect_exact<Shape>(R"({"type":"square","side":2,"label":{"id":"a"},"new":1})");
}

TEST(CodecUnion, TheDiscriminatorMayComeLateOrBeEscaped) {
  for (const std::string_view text :
       {R"({"radius":1.5,"type":"circle"})",
        R"({"x":{"type":"square"},"type":"circle","radius":1.5})",
        R"({"x":[{"type":"square"}],"radius":1.5,"type":"circle"})",
        R"({ "type" : "circle" , "radius" : 1.5 })", R"({"t\u0079pe":"c\u0069rcle","radius":1.5})",
        R"({"radius":1.5,"\u0074ype":"circle"})"}) {
    const auto shape = decoded<Shape>(text);
    ASSERT_TRUE(std::holds_alternative<Circle>(shape)) << text;
    EXPECT_EQ(std::get<Circle>(shape).radius, 1.5) << text;
    EXPECT_EQ(std::get<Circle>(shape).extra.find("type"), nullptr) << text;
  }
  expect_same_json<Shape>(R"({"x":{"type":"square"},"radius":1.5,"type":"circle","y":null})");
}

TEST(CodecUnion, TwoDiscriminatorsInAnyOrder) {
  for (const std::string_view text :
       {R"({"type":"system","subtype":"started","session":"s","pid":7})",
        R"({"subtype":"started","type":"system","session":"s","pid":7})",
        R"({"type":"system","session":"s","subtype":"started","pid":7})",
        R"({"subtype":"started","session":"s","pid":7,"type":"system"})",
        R"({"session":"s","pid":7,"subtype":"started","type":"system"})",
        R"({"session":"s","type":"system","pid":7,"subtype":"started"})"}) {
    const auto event = decoded<Event>(text);
    ASSERT_TRUE(std::holds_alternative<Started>(event)) << text;
    EXPECT_EQ(std::get<Started>(event).pid, 7);
    EXPECT_EQ(encode(event), R"({"type":"system","subtype":"started","session":"s","pid":7})");
  }
  expect_exact<Event>(R"({"type":"system","subtype":"status","session":"s","status":null})");
}

TEST(CodecUnion, ASecondDiscriminatorThatTheTypeDoesNotHaveIsAMember) {
  const std::string_view text =
      R"({"type":"drawing","session":"s","shapes":[],"subtype":"started"})";
  const auto event = decoded<Event>(text);
  ASSERT_TRUE(std::holds_alternative<Drawing>(event));
  EXPECT_EQ(std::get<Drawing>(event).extra.find("subtype")->text, R"("started")");
  expect_exact<Event>(text);
  expect_same_json<Event>(R"({"subtype":"started","type":"drawing","session":"s","shapes":[]})");
  expect_same_json<Event>(R"({"type":"drawing","subtype":null,"session":"s","shapes":[]})");
}

TEST(CodecUnion, WhatIsUnknownIsDeliveredWhole) {
  struct Case {
    std::string_view text, type, subtype;
  };
  for (const Case& c :
       {Case{R"({"type":"hexagon","side":1.0,"x":"\ud800"})", "hexagon", ""},
        Case{R"({ "a" : 1, "type" : "new" })", "new", ""},
        Case{R"({"type":"new","subtype":"s"})", "new", "s"},
        Case{R"({"subtype":"s","type":"new"})", "new", "s"},
        Case{R"({"type":"new","a":{"subtype":"no"},"subtype":"s"})", "new", "s"},
        Case{R"({"type":"system","subtype":"later"})", "system", "later"},
        Case{R"({"subtype":"later","type":"system"})", "system", "later"},
        Case{R"({"type":"system"})", "system", ""},
        Case{R"({"type":"system","subtype":5})", "system", ""},
        Case{R"({"subtype":"started"})", "", "started"},
        Case{R"({"type":5,"subtype":null})", "", ""}, Case{R"({"type":null})", "", ""},
        Case{R"({"type":"a\"\u00e9"})", "a\"\xC3\xA9", ""}, Case{"{}", "", ""},
        Case{R"({"type":""})", "", ""}}) {
    const auto event = decoded<Event>(c.text);
    ASSERT_TRUE(std::holds_alternative<Unknown>(event)) << c.text;
    const Unknown& unknown = std::get<Unknown>(event);
    EXPECT_EQ(unknown.type, c.type) << c.text;
    EXPECT_EQ(unknown.subtype, c.subtype) << c.text;
    EXPECT_EQ(unknown.raw.text, c.text);
    EXPECT_EQ(encode(event), c.text);
  }
}

TEST(CodecUnion, UnknownThingsInsideKnownOnes) {
  const std::string_view text =
      R"({"type":"drawing","session":"s","shapes":[{"type":"circle","radius":1.5},)"
      R"({"type":"hexagon","n":[1.0]},{}]})";
  const auto event = decoded<Event>(text);
  ASSERT_EQ(std::get<Drawing>(event).shapes.size(), 3u);
  EXPECT_TRUE(std::holds_alternative<Unknown>(std::get<Drawing>(event).shapes[1]));
  expect_exact<Event>(text);
}

TEST(CodecUnion, AContradictionIsAnError) {
  EXPECT_EQ(error_of<Shape>(R"({"type":"circle","radius":1,"type":"square"})"),
            "type: appears twice with different values");
  EXPECT_EQ(error_of<Shape>(R"({"type":"circle","type":"square","radius":1,"side":1})"),
            "type: appears twice with different values");
  EXPECT_EQ(error_of<Event>(R"({"type":"system","subtype":"started","session":"s","pid":1,)"
                            R"("subtype":"status"})"),
            "subtype: appears twice with different values");
  EXPECT_EQ(error_of<Shape>(R"({"type":"circle","radius":1,"type":5})"),
            "type: expected string at byte 35");
  // The same twice is no contradiction.
  EXPECT_EQ(round_trip<Shape>(R"({"type":"circle","radius":1.5,"type":"circle"})"),
            R"({"type":"circle","radius":1.5})");
}

TEST(CodecUnion, RefusesWhatIsNoObject) {
  for (const std::string_view text : {"null", "1", "\"circle\"", "[]", "true"}) {
    EXPECT_EQ(error_of<Shape>(text), "expected object at byte 0") << text;
  }
}

TEST(CodecUnion, MalformedTextIsAnErrorWhereverItStands) {
  for (const std::string_view text :
       {"", "{", R"({"type")", R"({"type":)", R"({"type":"circle")", R"({"type":"circle",)",
        R"({"type":"circle",})", R"({"type":"circle" "radius":1})",
        R"({"type":"circle","radius":1)", R"({"radius":1,"type":"circle")",
        R"({"x":[1,,2],"type":"circle","radius":1})", R"({"type":"hexagon","x":tru})",
        R"({"type":"hexagon")", R"({"type":"hexagon"]})", R"({,"type":"circle","radius":1})",
        R"({"type":"circle","radius":1}})", R"({"type":"cir)"}) {
    const Result<Shape> result = decode<Shape>(text);
    ASSERT_FALSE(result.ok()) << text;
    EXPECT_EQ(result.error().code(), ErrorCode::malformed) << text;
    const Result<Event> event = decode<Event>(text);
    ASSERT_FALSE(event.ok()) << text;
    EXPECT_EQ(event.error().code(), ErrorCode::malformed) << text;
  }
}

TEST(CodecUnion, AChangedAlternativeIsWritten) {
  auto shape = decoded<Shape>(R"({"type":"circle","radius":1.0,"x":1})");
  shape = Square{3, {}, {}};
  EXPECT_EQ(encode(shape), R"({"type":"square","side":3})");
  EXPECT_FALSE(shape == Shape(Square{4, {}, {}}));
  EXPECT_TRUE(shape == Shape(Square{3, {}, {}}));
}

TEST(CodecUnion, AFreshUnionIsItsFirstAlternative) {
  EXPECT_EQ(encode(Shape()), R"({"type":"circle","radius":0})");
}

}  // namespace
}  // namespace parley
