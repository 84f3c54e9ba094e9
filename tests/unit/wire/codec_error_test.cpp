// A decode error says what is wrong, where in the value, and whether the text was JSON at all.
#include <vector>

#include "codec_support.hpp"
#include "wire/codec/codec.hpp"

namespace parley {
namespace {

using sample::Drawing;
using sample::Event;
using sample::Kinds;
using sample::Leaf;
using sample::Presences;
using sample::Tree;

struct Block {
  std::string id;
  Extra extra;
  bool operator==(const Block&) const = default;
};
PARLEY_FIELDS(Block, id)
struct Body {
  std::vector<Block> content;
  Extra extra;
  bool operator==(const Body&) const = default;
};
PARLEY_FIELDS(Body, content)
struct Envelope {
  Body message;
  Extra extra;
  bool operator==(const Envelope&) const = default;
};
PARLEY_FIELDS(Envelope, message)

TEST(CodecError, SaysWhere) {
  const Result<Envelope> result =
      decode<Envelope>(R"({"message":{"content":[{"id":"a"},{"id":"b"},{"id":5}]}})");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().context(), "message.content[2].id");
  EXPECT_EQ(result.error().message(), "expected string at byte 51");
  EXPECT_STREQ(result.error().what(), "message.content[2].id: expected string at byte 51");
  EXPECT_EQ(result.error().code(), ErrorCode::unexpected);

  EXPECT_EQ(error_of<Envelope>(R"({"message":{"content":[{"id":"a"},{}]}})"),
            "message.content[1].id: missing");
  EXPECT_EQ(error_of<Envelope>(R"({"message":{"content":{}}})"),
            "message.content: expected array at byte 22");
  EXPECT_EQ(error_of<Envelope>(R"({"message":[]})"), "message: expected object at byte 11");
  EXPECT_EQ(error_of<Envelope>("[]"), "expected object at byte 0");
  EXPECT_EQ(error_of<Envelope>("{}"), "message: missing");
  EXPECT_EQ(error_of<std::vector<std::vector<std::int64_t>>>("[[1],[2,true]]"),
            "[1][1]: expected number at byte 8");
  EXPECT_EQ(error_of<Event>(R"({"type":"drawing","session":"s","shapes":[{"type":"circle",)"
                            R"("radius":"wide"}]})"),
            "shapes[0].radius: expected number at byte 68");
}

// Every kind of member against every kind of value: an error that names the member, or a success,
// and the codec is as good as new afterwards.
// A null in a key would end what() before it says anything; a fuzzer found that.
TEST(CodecError, KeysOfThePeerCannotSpoilTheText) {
  const Result<Kinds> result = decode<Kinds>(R"({"\u0000a\u001b[31m":truy})");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().context(), "?a?[31m");
  EXPECT_EQ(std::string(result.error().what()).find('\x1b'), std::string::npos);
  EXPECT_FALSE(std::string(result.error().what()).empty());
}

TEST(CodecError, WrongKindsInEveryKindOfMember) {
  struct Case {
    std::string_view member;
    std::string_view good;  // letters of the kinds that are right: n t s 1 a o
    std::string_view why;
  };
  const std::vector<Case> cases = {{"text", "ns", "expected string"},
                                   {"number", "n1", "expected number"},
                                   {"small", "n1", "expected number"},
                                   {"ratio", "n1", "expected number"},
                                   {"flag", "nt", "expected boolean"},
                                   {"color", "ns", "expected string"},
                                   {"mode", "ns", "expected string"},
                                   {"raw", "nts1ao", ""},
                                   {"tree", "nts1ao", ""},
                                   {"list", "na", "expected array"},
                                   {"ratios", "na", "expected array"},
                                   {"map", "no", "expected object"},
                                   {"leaf", "n", "expected object"},
                                   {"point", "n", "expected object"},
                                   {"either", "nsa", "has none of the expected types"},
                                   {"any", "nts1ao", ""}};
  const std::vector<std::pair<char, std::string>> values = {
      {'n', "null"}, {'t', "true"}, {'s', "\"text\""}, {'1', "12"}, {'a', "[]"}, {'o', "{}"}};
  for (const Case& c : cases) {
    for (const auto& [kind, value] : values) {
      const std::string text = "{\"" + std::string(c.member) + "\":" + value + "}";
      const Result<Kinds> result = decode<Kinds>(text);
      EXPECT_EQ(result.ok(), c.good.find(kind) != std::string_view::npos) << text;
      if (result.ok()) {
        EXPECT_EQ(encode(*result), text);
      } else if (kind == 'o' && (c.member == "leaf" || c.member == "point")) {
        EXPECT_EQ(result.error().message(), "missing");
      } else {
        EXPECT_EQ(result.error().context(), c.member) << text;
        EXPECT_EQ(result.error().message().substr(0, c.why.size()), c.why) << text;
        EXPECT_EQ(result.error().code(), ErrorCode::unexpected) << text;
      }
      expect_exact<Kinds>(R"({"text":"fine","leaf":{"id":"a"}})");
    }
  }
}

TEST(CodecError, NullIsNoValueOfARequiredMember) {
  EXPECT_EQ(error_of<Leaf>(R"({"id":null})"), "id: expected string at byte 6");
  EXPECT_EQ(error_of<std::vector<std::int64_t>>("[1,null]"), "[1]: expected number at byte 3");
  EXPECT_EQ(error_of<Map<bool>>(R"({"a":null})"), "a: expected boolean at byte 5");
}

TEST(CodecError, TellsMalformedTextFromAnotherShape) {
  const auto code = [](std::string_view text) { return decode<Leaf>(text).error().code(); };
  EXPECT_EQ(code(R"({"id":5})"), ErrorCode::unexpected);
  EXPECT_EQ(code(R"([1,2])"), ErrorCode::unexpected);
  EXPECT_EQ(code("{}"), ErrorCode::unexpected);
  EXPECT_EQ(code(""), ErrorCode::malformed);
  EXPECT_EQ(code("{"), ErrorCode::malformed);
  EXPECT_EQ(code(R"({"id":"a"} x)"), ErrorCode::malformed);
  EXPECT_EQ(code(R"({"id":"a","x":})"), ErrorCode::malformed);
  EXPECT_EQ(code(R"({"id":5,"x":})"), ErrorCode::malformed);
  EXPECT_EQ(code("{\"id\":\"\xFF\"}"), ErrorCode::malformed);
  EXPECT_EQ(error_of<Leaf>(R"({"id":"a"} x)"), "unexpected text after the value at byte 11");
  // Broken text is worse news than a missing member.
  EXPECT_EQ(error_of<Leaf>("{} x"), "unexpected text after the value at byte 3");
  EXPECT_EQ(error_of<std::vector<Leaf>>("[{},"), "unexpected end at byte 4");
  EXPECT_EQ(error_of<Leaf>(R"({"id":"a","x":[1,}])"), "x: expected a value at byte 17");
}

// Every text cut short is an error, never a crash and never a value.
TEST(CodecError, ATextCutAtAnyByte) {
  const std::string text =
      R"({"type":"drawing","uuid":null,"session":"a\u00e9\ud800","shapes":[{"radius":1.0,)"
      R"("type":"circle"},{"type":"hexagon","n":[true]}],"new":{"a":[1,"x"]}})";
  decoded<Event>(text);
  for (std::size_t size = 0; size < text.size(); ++size) {
    const std::vector<char> cut(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size));
    const Result<Event> result = decode<Event>({cut.data(), cut.size()});
    ASSERT_FALSE(result.ok()) << size;
    EXPECT_EQ(result.error().code(), ErrorCode::malformed) << size;
  }
}

TEST(CodecError, DepthLimitInTypedAndUntypedPlaces) {
  const auto chain = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += R"({"name":"a","next":)";
    text += R"({"name":"z"})";
    return text + std::string(static_cast<std::size_t>(depth), '}');
  };
  EXPECT_TRUE(decode<Tree>(chain(1023)).ok());
  const Result<Tree> deep = decode<Tree>(chain(1024));
  ASSERT_FALSE(deep.ok());
  EXPECT_NE(deep.error().message().find("nested too deeply"), std::string::npos);
  const auto nested = [](std::size_t depth) {
    return R"({"id":"a","x":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  EXPECT_TRUE(decode<Leaf>(nested(1023)).ok());
  EXPECT_FALSE(decode<Leaf>(nested(1024)).ok());
  const auto tree = [](std::size_t depth) {
    return R"({"tree":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  EXPECT_TRUE(decode<Kinds>(tree(1023)).ok());
  EXPECT_FALSE(decode<Kinds>(tree(1024)).ok());
}

TEST(CodecError, ALongNameIsCutInThePath) {
  const std::string name(100000, 'k');
  const Result<Map<std::int64_t>> result = decode<Map<std::int64_t>>("{\"" + name + "\":true}");
  ASSERT_FALSE(result.ok());
  EXPECT_LT(result.error().context().size(), 200u);
  EXPECT_EQ(result.error().context().substr(0, 50), name.substr(0, 50));
}

TEST(CodecError, TheMessageIsValidUtf8) {
  std::string name;
  for (int i = 0; i < 60; ++i) name += "\xE2\x82\xAC";
  const Result<Map<std::int64_t>> result = decode<Map<std::int64_t>>("{\"" + name + "\":true}");
  ASSERT_FALSE(result.ok());
  EXPECT_TRUE(is_utf8(result.error().what()));
}

}  // namespace
}  // namespace parley
