// Nothing is lost between decode and encode, and a changed member is never overruled by what was
// kept of the old one.
#include "codec_support.hpp"
#include "wire/codec/codec.hpp"

namespace parley {
namespace {

using sample::Color;
using sample::Kinds;
using sample::Leaf;
using sample::Presences;
using sample::Tree;

TEST(CodecLossless, UnknownMembersKeepTheirBytesAndOrder) {
  expect_exact<Leaf>(R"({"id":"a","z":1.0,"y":{"a" : [ 1 ]},"x":"\ud800\/","w":null})");
  const auto leaf = decoded<Leaf>(R"({"x":1,"id":"a","y":2})");
  EXPECT_EQ(leaf.extra.unknown_count(), 2u);
  EXPECT_EQ(leaf.extra.find("y")->text, "2");
  EXPECT_EQ(encode(leaf), R"({"id":"a","x":1,"y":2})");
}

TEST(CodecLossless, UnknownKeysKeepTheirEscapes) {
  const auto leaf = decoded<Leaf>(R"({"id":"a","\u00e9\ud800\"":1})");
  EXPECT_EQ(encode(leaf), R"({"id":"a","\u00e9\ud800\"":1})");
  const auto plain = decoded<Leaf>(R"({"id":"a","k\u00e9y":1})");
  ASSERT_NE(plain.extra.find("k\xC3\xA9y"), nullptr);
}

TEST(CodecLossless, KnownKeysAreKnownHoweverTheyAreEscaped) {
  const auto leaf = decoded<Leaf>(R"({"\u0069d":"a","c\u006funt":null})");
  EXPECT_EQ(leaf.id, "a");
  EXPECT_EQ(leaf.extra.unknown_count(), 0u);
  EXPECT_EQ(encode(leaf), R"({"id":"a","count":null})");
}

TEST(CodecLossless, ExplicitNullsSurvive) {
  expect_exact<Leaf>(R"({"id":"a","count":null})");
  expect_exact<Kinds>(
      R"({"text":null,"number":null,"small":null,"ratio":null,"flag":null,"color":null,)"
      R"("mode":null,"raw":null,"tree":null,"list":null,"ratios":null,"map":null,"leaf":null,)"
      R"("point":null,"either":null,"any":null})");
}

TEST(CodecLossless, NumbersKeepTheirSpelling) {
  for (const std::string_view number : {"1.0", "1e2", "1E2", "-0", "1.5", "1e400", "-1e400",
                                        "9223372036854775808", "0.10", "1e-400", "100e-2"}) {
    expect_exact<Kinds>("{\"number\":" + std::string(number) + "}");
    expect_exact<Kinds>("{\"ratio\":" + std::string(number) + "}");
    expect_exact<Kinds>("{\"ratios\":[1," + std::string(number) + ",0.5]}");
    expect_exact<Kinds>("{\"map\":{\"a\":1,\"b\":" + std::string(number) + "}}");
    expect_exact<Kinds>("{\"any\":" + std::string(number) + "}");
    expect_exact<Kinds>("{\"tree\":[" + std::string(number) + "]}");
    expect_exact<Kinds>("{\"list\":[{\"id\":\"a\",\"count\":" + std::string(number) + "}]}");
  }
  expect_exact<Kinds>(R"({"small":1.0})");
  EXPECT_EQ(decoded<Kinds>(R"({"number":1.0})").number, 1);
}

TEST(CodecLossless, LoneSurrogatesSurviveInTypedStrings) {
  expect_exact<Leaf>(R"({"id":"a\ud800b"})");
  EXPECT_EQ(decoded<Leaf>(R"({"id":"a\ud800b"})").id,
            "a\xEF\xBF\xBD"
            "b");
  expect_exact<Kinds>(R"({"text":"\udc00"})");
  expect_exact<Kinds>(R"({"color":"\ud800"})");
  expect_exact<Kinds>(R"({"either":"\ud800"})");
  expect_exact<Kinds>(R"({"either":[{"id":"\ud800"}]})");
  expect_exact<Kinds>(R"({"leaf":{"id":"\ud800","count":null}})");
  expect_exact<Kinds>(R"({"map":{"\ud800":1,"\ud801":2}})");
  expect_exact<Kinds>(R"({"tree":["\ud800"]})");
  expect_exact<Kinds>(R"({"tree":{"\ud800":1}})");
}

TEST(CodecLossless, EscapesOfTextAreNotKept) {
  EXPECT_EQ(round_trip<Leaf>(R"({"id":"\u0041\/\u00e9"})"), "{\"id\":\"A/\xC3\xA9\"}");
}

TEST(CodecLossless, WhatATypeWithoutExtraCannotKeepItsHolderKeeps) {
  expect_exact<Kinds>(R"({"point":{"x":1,"z":[2]}})");
  expect_exact<Kinds>(R"({"point":{"x":1.0,"note":null}})");
  expect_exact<Kinds>(R"({"point":{"x":1,"y":null,"note":"n"}})");
  expect_exact<Kinds>(R"({"point":{"x":1}})");
  auto kinds = decoded<Kinds>(R"({"point":{"x":1,"z":[2]}})");
  kinds.point->x = 5;
  EXPECT_EQ(encode(kinds), R"({"point":{"x":5,"note":null}})");
}

TEST(CodecLossless, LenientMembersComeBackAsTheyWere) {
  const std::string start = R"({"required":"","nullable":null)";
  for (const std::string rest :
       {"", R"(,"lenient":"")", R"(,"lenient":"x")", R"(,"lenient_default":"user")",
        R"(,"lenient_default":"")", R"(,"lenient_default":"x")", R"(,"continue":"")"}) {
    expect_exact<Presences>(start + rest + "}");
  }
}

TEST(CodecLossless, NullableMembersComeBackAsTheyWere) {
  for (const std::string_view text : {R"({"required":"r"})", R"({"required":"r","nullable":null})",
                                      R"({"required":"r","nullable":"n"})"}) {
    expect_exact<Presences>(text);
    auto value = decoded<Presences>(text);
    value.nullable = "new";
    EXPECT_EQ(encode(value), R"({"required":"r","nullable":"new"})");
  }
  auto value = decoded<Presences>(R"({"required":"r","nullable":"n"})");
  value.nullable.reset();
  EXPECT_EQ(encode(value), R"({"required":"r","nullable":null})");
}

TEST(CodecLossless, AliasesComeBackUnderTheNameTheyCameWith) {
  const std::string start = R"({"required":"","nullable":null)";
  EXPECT_EQ(decoded<Presences>(start + R"(,"isError":true})").is_error, true);
  EXPECT_EQ(decoded<Presences>(start + R"(,"is_error":true})").is_error, true);
  for (const std::string rest : {R"(,"isError":true)", R"(,"is_error":true)", R"(,"isError":null)",
                                 R"(,"is_error":null)", R"(,"isError":false)"}) {
    expect_exact<Presences>(start + rest + "}");
  }
}

TEST(CodecLossless, BothNamesOfAMemberSurvive) {
  const std::string start = R"({"required":"","nullable":null)";
  for (const std::string rest :
       {R"(,"is_error":true,"isError":false)", R"(,"isError":true,"is_error":null)",
        R"(,"is_error":null,"isError":null)", R"(,"is_error":true,"isError":"of another kind")"}) {
    expect_same_json<Presences>(start + rest + "}");
  }
}

TEST(CodecLossless, TheLastOfEqualMembersCounts) {
  EXPECT_EQ(round_trip<Leaf>(R"({"id":"a","id":"b"})"), R"({"id":"b"})");
  EXPECT_EQ(round_trip<Leaf>(R"({"id":"a","\u0069d":"b"})"), R"({"id":"b"})");
  EXPECT_EQ(round_trip<Leaf>(R"({"id":"a","count":1.0,"count":2})"), R"({"id":"a","count":2})");
  EXPECT_EQ(round_trip<Leaf>(R"({"id":"a","count":1,"count":null})"), R"({"id":"a","count":null})");
  EXPECT_EQ(round_trip<Leaf>(R"({"id":"a","count":null,"count":1})"), R"({"id":"a","count":1})");
  EXPECT_EQ(round_trip<Leaf>(R"({"id":"a","count":2.0,"count":1.0})"), R"({"id":"a","count":1.0})");
  EXPECT_EQ(round_trip<Kinds>(R"({"leaf":{"id":"a","count":1,"x":1},"leaf":{"id":"b"}})"),
            R"({"leaf":{"id":"b"}})");
  EXPECT_EQ(round_trip<Kinds>(R"({"list":[{"id":"a"}],"list":[]})"), R"({"list":[]})");
  expect_same_json<Leaf>(R"({"id":"a","x":1,"x":2})");
}

TEST(CodecLossless, AChangedMemberIsWrittenAsItIsNow) {
  auto leaf = decoded<Leaf>(R"({"id":"\ud800","count":1.0})");
  leaf.count = 2;
  EXPECT_EQ(encode(leaf), R"({"id":"\ud800","count":2})");
  leaf.count.reset();
  EXPECT_EQ(encode(leaf), R"({"id":"\ud800"})");
  leaf.id = "new";
  EXPECT_EQ(encode(leaf), R"({"id":"new"})");
  leaf.count = 1;  // what was read before, and as it was read
  EXPECT_EQ(encode(leaf), R"({"id":"new","count":1.0})");

  leaf = decoded<Leaf>(R"({"id":"a","count":null})");
  leaf.count = 0;
  EXPECT_EQ(encode(leaf), R"({"id":"a","count":0})");

  auto kinds =
      decoded<Kinds>(R"({"ratio":1e400,"ratios":[1.0,2],"map":{"a":1.0},"color":"\ud800"})");
  kinds.ratio = 0.5;
  kinds.ratios->push_back(3);
  (*kinds.map)["a"] = 7;
  kinds.color = Color::red;
  EXPECT_EQ(encode(kinds), R"({"ratio":0.5,"color":"red","ratios":[1,2,3],"map":{"a":7}})");
}

TEST(CodecLossless, AChangeDeepInsideIsSeen) {
  auto kinds = decoded<Kinds>(
      R"({"leaf":{"id":"\ud800","count":1.0,"x":1},"list":[{"id":"a","count":null}]})");
  kinds.leaf->count = 3;
  (*kinds.list)[0].count = 4;
  EXPECT_EQ(encode(kinds),
            R"({"list":[{"id":"a","count":4}],"leaf":{"id":"\ud800","count":3,"x":1}})");
}

TEST(CodecLossless, AMemberReadUnderItsOtherNameIsWrittenOnceAfterAChange) {
  auto value = decoded<Presences>(R"({"required":"","nullable":null,"isError":true})");
  value.is_error = false;
  const Result<Json> written = Json::parse(encode(value));
  ASSERT_TRUE(written.ok());
  EXPECT_EQ((*written)["is_error"].is_bool() + (*written)["isError"].is_bool(), 1);
  EXPECT_FALSE((*written)["is_error"].as_bool() || (*written)["isError"].as_bool());
}

TEST(CodecLossless, UnknownMembersCanBeChanged) {
  auto leaf = decoded<Leaf>(R"({"id":"a","x":1,"\u0079":2})");
  leaf.extra.set("x", RawJson("[3]"));
  leaf.extra.erase("y");
  leaf.extra.set("q\"", RawJson("true"));
  EXPECT_EQ(encode(leaf), R"({"id":"a","x":[3],"q\"":true})");
}

TEST(CodecLossless, DecodedValuesCompareWithWhatWasKept) {
  EXPECT_TRUE(decoded<Leaf>(R"({"id":"a","x":1})") == decoded<Leaf>(R"({"x":1,"id":"a"})"));
  EXPECT_FALSE(decoded<Leaf>(R"({"id":"a","x":1})") == decoded<Leaf>(R"({"id":"a","x":2})"));
  EXPECT_FALSE(decoded<Leaf>(R"({"id":"a"})") == decoded<Leaf>(R"({"id":"a","x":2})"));
}

}  // namespace
}  // namespace parley
