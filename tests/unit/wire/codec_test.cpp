// The codec on every kind of member: what decodes to what, and what is written.
#include "wire/codec/codec.hpp"

#include <limits>
#include <random>
#include <thread>

#include "codec_support.hpp"

namespace parley {
namespace {

using sample::Color;
using sample::Kinds;
using sample::Leaf;
using sample::Mode;
using sample::Point;
using sample::Presences;
using sample::Tree;

TEST(Codec, PlainValues) {
  EXPECT_EQ(decoded<std::string>(R"( "a\nb" )"), "a\nb");
  EXPECT_EQ(decoded<std::int64_t>("-5"), -5);
  EXPECT_EQ(decoded<double>("1.5"), 1.5);
  EXPECT_TRUE(decoded<bool>("true"));
  EXPECT_EQ(decoded<RawJson>(" [ 1 ] ").text, "[ 1 ]");
  EXPECT_EQ(decoded<Json>(R"({"a":[1]})")["a"][0].as_int(), 1);
  EXPECT_EQ(decoded<std::vector<std::int64_t>>("[1,2,3]"), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(decoded<std::vector<bool>>("[true,false]"), (std::vector<bool>{true, false}));
  EXPECT_TRUE(decoded<std::vector<std::string>>("[]").empty());
  EXPECT_EQ(decoded<std::optional<bool>>("null"), std::nullopt);
  EXPECT_EQ(decoded<std::optional<bool>>("false"), false);
}

TEST(Codec, PlainValuesAreWritten) {
  EXPECT_EQ(encode(std::string("a\nb")), R"("a\nb")");
  EXPECT_EQ(encode(std::int64_t{-5}), "-5");
  EXPECT_EQ(encode(0.5), "0.5");
  EXPECT_EQ(encode(true), "true");
  EXPECT_EQ(encode(RawJson("[ 1 ]")), "[ 1 ]");
  EXPECT_EQ(encode(std::vector<std::optional<std::int64_t>>{1, std::nullopt}), "[1,null]");
  EXPECT_EQ(encode(std::vector<bool>{true, false}), "[true,false]");
  EXPECT_EQ(to_raw(Leaf{"a", {}, {}}).text, R"({"id":"a"})");
  EXPECT_EQ(RawJson(R"({"id":"a"})").as<Leaf>()->id, "a");
  EXPECT_FALSE(RawJson("[]").as<Leaf>().ok());
  std::string out = "before ";
  encode(true, out);
  EXPECT_EQ(out, "before true");
}

TEST(Codec, NarrowIntegersAreCheckedWideUnsignedOnesWritten) {
  EXPECT_EQ(decoded<std::int32_t>("-2147483648"), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(error_of<std::int32_t>("2147483648"), "number out of range");
  EXPECT_EQ(error_of<std::uint8_t>("-1"), "number out of range");
  EXPECT_EQ(error_of<std::int32_t>("1e400"), "number out of range");
  EXPECT_EQ(error_of<Kinds>(R"({"small":3000000000})"), "small: number out of range");
  constexpr auto kHuge = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(encode(kHuge), "18446744073709551615");
  EXPECT_EQ(decoded<std::uint64_t>("9223372036854775807"), kHuge / 2);
}

TEST(Codec, EveryKindOfMember) {
  constexpr std::string_view kText =
      R"({"text":"a","number":1,"small":2,"ratio":0.5,"flag":true,"color":"green",)"
      R"("mode":"plan only","raw":{"x":[]},"tree":[1,{"y":null}],"list":[{"id":"a"},)"
      R"({"id":"b","count":3}],"ratios":[1,0.25],"map":{"k":1,"":2},"leaf":{"id":"c"},)"
      R"("point":{"x":1,"y":2,"note":null},"either":[{"id":"d"}],"any":{"z":1}})";
  const auto kinds = decoded<Kinds>(kText);
  EXPECT_EQ(kinds.text, "a");
  EXPECT_EQ(kinds.number, 1);
  EXPECT_EQ(kinds.small, 2);
  EXPECT_EQ(kinds.ratio, 0.5);
  EXPECT_EQ(kinds.flag, true);
  EXPECT_EQ(*kinds.color, Color::green);
  EXPECT_EQ(*kinds.mode, Mode::plan_only);
  EXPECT_EQ(kinds.raw->text, R"({"x":[]})");
  EXPECT_EQ((*kinds.tree)[0].as_int(), 1);
  ASSERT_EQ(kinds.list->size(), 2u);
  EXPECT_EQ((*kinds.list)[1].count, 3);
  EXPECT_EQ((*kinds.ratios)[1], 0.25);
  ASSERT_NE(kinds.map->find(""), nullptr);
  EXPECT_EQ(*kinds.map->find(""), 2);
  EXPECT_EQ(kinds.leaf->id, "c");
  EXPECT_EQ(kinds.point->y, 2);
  EXPECT_EQ(std::get<1>(*kinds.either)[0].id, "d");
  EXPECT_EQ(*std::get<3>(*kinds.any).find("z"), 1);
  EXPECT_TRUE(kinds.extra.members.empty());
  expect_exact<Kinds>(kText);
  expect_exact<Kinds>("{}");
}

TEST(Codec, MembersInAnyOrderAndWithSpace) {
  const auto leaf = decoded<Leaf>(" { \"count\" : 2 ,\n\"id\" : \"a\" } ");
  EXPECT_EQ(leaf, (Leaf{"a", 2, {}}));
  EXPECT_EQ(encode(leaf), R"({"id":"a","count":2})");
}

// The codec guesses which member comes next from the object before. Whatever came before, and on
// whichever thread, the guess must not change what is read.
TEST(Codec, MembersInAnotherOrderEachTime) {
  const std::vector<std::string> orders = {
      R"({"text":"a","number":1,"flag":true,"leaf":{"id":"x","count":2}})",
      R"({"leaf":{"count":2,"id":"x"},"flag":true,"number":1,"text":"a"})",
      R"({"number":1,"new":0,"text":"a","leaf":{"id":"x","count":2},"flag":true})",
      R"({"flag":true,"te\u0078t":"a","number":1,"leaf":{"id":"x","count":2}})",
      R"({"text":"b","text":"a","leaf":{"id":"y","id":"x","count":2},"number":1,"flag":true})"};
  const auto read_all = [&](unsigned seed) {
    std::mt19937 random(seed);
    for (int i = 0; i < 2000; ++i) {
      const std::string& text = orders[random() % orders.size()];
      const auto kinds = decode<Kinds>(text);
      ASSERT_TRUE(kinds) << text;
      ASSERT_EQ(kinds->text, "a") << text;
      ASSERT_EQ(kinds->number, 1) << text;
      ASSERT_EQ(kinds->flag, true) << text;
      ASSERT_EQ(kinds->leaf->id, "x") << text;
      ASSERT_EQ(kinds->leaf->count, 2) << text;
      ASSERT_FALSE(decode<Leaf>(R"({"count":1})"));
    }
  };
  std::thread other(read_all, 1);
  read_all(2);
  other.join();
}

TEST(Codec, Presence) {
  const auto some = decoded<Presences>(R"({"required":"r","nullable":null})");
  EXPECT_EQ(some.required, "r");
  EXPECT_FALSE(some.optional.has_value());
  EXPECT_FALSE(some.nullable.has_value());
  EXPECT_EQ(some.lenient, "");
  EXPECT_EQ(some.lenient_default, "user");
  EXPECT_EQ(encode(some), R"({"required":"r","nullable":null})");

  EXPECT_EQ(error_of<Presences>(R"({"nullable":null})"), "required: missing");
  EXPECT_EQ(error_of<Presences>(R"({"required":null})"), "required: expected string at byte 12");
  // A peer that leaves out what may be null is not corrected.
  EXPECT_EQ(round_trip<Presences>(R"({"required":"r"})"), R"({"required":"r"})");

  Presences made;
  made.continue_ = "c";
  EXPECT_EQ(encode(made), R"({"required":"","nullable":null,"continue":"c"})");
  made.nullable = "n";
  made.optional = "o";
  made.lenient = "l";
  made.lenient_default = "assistant";
  made.is_error = false;
  made.continue_.clear();
  EXPECT_EQ(encode(made), R"({"required":"","optional":"o","nullable":"n","lenient":"l",)"
                          R"("lenient_default":"assistant","is_error":false})");
}

TEST(Codec, OpenEnums) {
  Enum<Color> color;
  EXPECT_EQ(color, Color::red);
  EXPECT_EQ(color.text(), "red");
  EXPECT_EQ(Enum<Color>(Color::default_).text(), "default");
  EXPECT_EQ(Enum<Color>("default"), Color::default_);
  EXPECT_EQ(Enum<Color>("green").known(), Color::green);
  const Enum<Color> newer("ultraviolet");
  EXPECT_EQ(newer.known(), std::nullopt);
  EXPECT_EQ(newer.text(), "ultraviolet");
  EXPECT_FALSE(newer == Color::red);
  EXPECT_FALSE(newer == Enum<Color>("infrared"));
  EXPECT_EQ(newer, Enum<Color>("ultraviolet"));
  EXPECT_EQ(Enum<Mode>("accept-edits"), Mode::accept_edits);

  EXPECT_EQ(round_trip<Enum<Color>>(R"("ultra\"violet\n")"), R"("ultra\"violet\n")");
  EXPECT_EQ(decoded<Enum<Color>>(R"("gr\u0065en")"), Color::green);
  EXPECT_EQ(round_trip<Enum<Color>>(R"("")"), R"("")");
  EXPECT_EQ(error_of<Enum<Color>>("1"), "expected string at byte 0");
  // An old value does not linger when a known one follows.
  Enum<Color> changing("ultraviolet");
  changing = Color::green;
  EXPECT_EQ(changing, Enum<Color>("green"));
}

TEST(Codec, Maps) {
  using Ints = Map<std::int64_t>;
  Ints map = decoded<Ints>(R"({"b":1,"a":2,"b":3})");
  EXPECT_EQ(map.size(), 2u);
  EXPECT_EQ(*map.find("b"), 3);
  EXPECT_EQ(map.find("c"), nullptr);
  EXPECT_EQ(encode(map), R"({"b":3,"a":2})");
  map["c"] = 5;
  map["a"] = 6;
  EXPECT_EQ(encode(map), R"({"b":3,"a":6,"c":5})");
  EXPECT_EQ(encode(Ints{}), "{}");
  EXPECT_TRUE(decoded<Ints>(" { } ").empty());
  EXPECT_EQ(round_trip<Ints>(R"({"a\"\u0062":1})"), R"({"a\"b":1})");
  EXPECT_EQ(error_of<Ints>(R"({"a":1,"b":"x"})"), "b: expected number at byte 11");
  EXPECT_EQ(error_of<Map<Leaf>>(R"({"a":{"id":"x"},"b":{"id":1}})"),
            "b.id: expected string at byte 26");
  EXPECT_EQ(error_of<Ints>("[]"), "expected object at byte 0");
}

TEST(Codec, VariantsChooseByTheKindOfValue) {
  using Any = std::variant<bool, std::int64_t, std::string, Map<std::int64_t>, RawJson>;
  EXPECT_EQ(decoded<Any>("true").index(), 0u);
  EXPECT_EQ(decoded<Any>("-1").index(), 1u);
  EXPECT_EQ(decoded<Any>("\"\"").index(), 2u);
  EXPECT_EQ(decoded<Any>("{}").index(), 3u);
  EXPECT_EQ(decoded<Any>("[1]").index(), 4u);
  EXPECT_EQ(decoded<Any>("null").index(), 4u);
  using Text = std::variant<std::string, std::vector<Leaf>>;
  EXPECT_EQ(round_trip<Text>(R"("a")"), R"("a")");
  EXPECT_EQ(round_trip<Text>(R"([{"id":"a"}])"), R"([{"id":"a"}])");
  for (const std::string_view text : {"1", "true", "null", "{}"}) {
    EXPECT_EQ(error_of<Text>(text), "has none of the expected types at byte 0");
  }
  EXPECT_EQ(error_of<Text>(R"([{"id":"a"},{}])"), "[1].id: missing");
}

TEST(Codec, RecursiveTypes) {
  constexpr std::string_view kText =
      R"({"name":"a","children":[{"name":"b","children":[]},{"name":"c"}],)"
      R"("next":{"name":"d","next":{"name":"e"}}})";
  const auto tree = decoded<Tree>(kText);
  EXPECT_EQ((*tree.next)->next->operator*().name, "e");
  expect_exact<Tree>(kText);
  Tree copy = tree;
  EXPECT_TRUE(copy == tree);
  (*copy.next)->name = "other";
  EXPECT_FALSE(copy == tree);
  EXPECT_EQ((*tree.next)->name, "d");
  Tree moved = std::move(copy);
  EXPECT_EQ((*moved.next)->name, "other");
}

TEST(Codec, InheritedMembersComeFirst) {
  using sample::Started;
  constexpr std::string_view kText = R"({"uuid":"u","session":"s","pid":7,"new":[1]})";
  const auto started = decoded<Started>(kText);
  EXPECT_EQ(started.uuid, "u");
  EXPECT_EQ(started.pid, 7);
  ASSERT_NE(started.extra.find("new"), nullptr);
  expect_exact<Started>(kText);
  EXPECT_EQ(error_of<Started>(R"({"pid":7})"), "session: missing");
}

TEST(Codec, ATypeWithoutExtraDropsWhatItDoesNotKnow) {
  EXPECT_EQ(round_trip<Point>(R"({"x":1,"z":[{}]})"), R"({"x":1,"note":null})");
}

}  // namespace
}  // namespace parley
