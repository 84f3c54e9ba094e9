// Input that wants to hurt: huge, deep, repetitive or of the wrong kind. Each line must end in a
// value or an error, in bounded time and memory, and leave the next decode untouched. The program
// counts its own allocations, so it is a suite of its own.
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

#include "codec_support.hpp"
#include "wire/codec/codec.hpp"

namespace {

std::atomic<std::size_t> live_bytes{0};
std::atomic<std::size_t> peak_bytes{0};

void* counted_new(std::size_t size) {
  void* block = std::malloc(size);
  if (block == nullptr) throw std::bad_alloc();
  const std::size_t now = live_bytes += malloc_usable_size(block);
  std::size_t peak = peak_bytes;
  while (now > peak && !peak_bytes.compare_exchange_weak(peak, now)) {
  }
  return block;
}

void counted_delete(void* block) noexcept {
  if (block == nullptr) return;
  live_bytes -= malloc_usable_size(block);
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) { return counted_new(size); }
void* operator new[](std::size_t size) { return counted_new(size); }
void operator delete(void* block) noexcept { counted_delete(block); }
void operator delete[](void* block) noexcept { counted_delete(block); }
void operator delete(void* block, std::size_t) noexcept { counted_delete(block); }
void operator delete[](void* block, std::size_t) noexcept { counted_delete(block); }

namespace parley {
namespace {

using sample::Kinds;
using sample::Leaf;
using sample::Tree;

struct Group;
struct Item {
  std::string text;
  Extra extra;
  bool operator==(const Item&) const = default;
};
PARLEY_FIELDS(Item, text)
struct Nest;
struct Group {
  std::vector<Nest> items;
  Extra extra;
  bool operator==(const Group&) const;
};
struct Nest : std::variant<Item, Group, Unknown> {
  using variant::variant;
};
inline bool Group::operator==(const Group&) const = default;
PARLEY_FIELDS(Group, items)
constexpr auto parley_cases(Tag<Nest>) {
  return make_cases<Nest>("Nest", "type", "", on<Item>("item"), on<Group>("group"));
}

constexpr std::size_t kHuge = 100'000'000;
constexpr std::size_t kLarge = 20'000'000;
constexpr std::size_t kSmall = 1'000'000;

std::string repeat(std::string_view part, std::size_t count) {
  std::string out;
  out.reserve(part.size() * count);
  for (std::size_t i = 0; i < count; ++i) out += part;
  return out;
}

/// Decodes within `allowed` bytes of memory, then shows that all is well. Time is not measured:
/// what takes more than linear time on texts this long meets the time limit of the suite.
template <class T>
Result<T> decode_within(std::size_t allowed, const std::string& text) {
  const std::size_t before = live_bytes;
  peak_bytes = before;
  Result<T> result = decode<T>(text);
  const std::size_t used = peak_bytes - before;
  EXPECT_LE(used, allowed);
  EXPECT_EQ(decoded<Leaf>(R"({"id":"a","count":1})").count, 1);
  return result;
}

template <class T>
void refuse_within(std::size_t allowed, const std::string& text, std::string_view context,
                   std::string_view why) {
  const Result<T> result = decode_within<T>(allowed, text);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().context().substr(0, 100), context);
  EXPECT_EQ(result.error().message().substr(0, why.size()), why);
  EXPECT_LT(std::string_view(result.error().what()).size(), 10000u);
}

TEST(Hostile, AHugeStringIsCopiedOnce) {
  const std::string text = "{\"id\":\"" + std::string(kHuge, 'x') + "\"}";
  const auto leaf = decode_within<Leaf>(kHuge + kSmall, text);
  ASSERT_TRUE(leaf.ok());
  EXPECT_EQ(leaf->id.size(), kHuge);
}

TEST(Hostile, AHugeStringOfEscapesIsNeverLongerThanTheText) {
  const std::string text = "{\"id\":\"" + repeat("\\u00e9", kHuge / 6) + "\"}";
  const auto leaf = decode_within<Leaf>(kHuge + kSmall, text);
  ASSERT_TRUE(leaf.ok());
  EXPECT_EQ(leaf->id.size(), kHuge / 6 * 2);
}

TEST(Hostile, AHugeStringThatMustBeKeptAsItWasCostsOneCopyMore) {
  const std::string text = "{\"id\":\"" + std::string(kHuge, 'x') + "\\ud800\"}";
  const auto leaf = decode_within<Leaf>(2 * kHuge + kSmall, text);
  ASSERT_TRUE(leaf.ok());
  EXPECT_EQ(leaf->id.size(), kHuge + 3);
}

TEST(Hostile, AHugeUnknownMemberIsCopiedOnce) {
  const std::string text = "{\"id\":\"a\",\"x\":[\"" + std::string(kHuge, 'x') + "\"]}";
  const auto leaf = decode_within<Leaf>(kHuge + kSmall, text);
  ASSERT_TRUE(leaf.ok());
  EXPECT_EQ(leaf->extra.find("x")->text.size(), kHuge + 4);
}

TEST(Hostile, AHugeValueOfTheWrongKindCostsNothing) {
  const std::string string = "\"" + std::string(kLarge, 'x') + "\"";
  refuse_within<Kinds>(kSmall, "{\"number\":" + string + "}", "number", "expected number");
  refuse_within<Kinds>(kSmall, "{\"leaf\":" + string + "}", "leaf", "expected object");
  refuse_within<Kinds>(kSmall, "{\"list\":" + string + "}", "list", "expected array");
  refuse_within<Kinds>(kSmall, "{\"flag\":" + string + "}", "flag", "expected boolean");
  const std::string list = "[" + repeat("[],", kLarge / 3) + "1]";
  refuse_within<Kinds>(kSmall, "{\"text\":" + list + "}", "text", "expected string");
  refuse_within<Kinds>(kSmall, "{\"map\":" + list + "}", "map", "expected object");
}

TEST(Hostile, AHugeTextThatIsBrokenOnlyAtItsEndCostsNothing) {
  const std::string string = "\"" + std::string(kLarge, 'x');
  refuse_within<Leaf>(kSmall, "{\"id\":" + string, "id", "unterminated string");
  refuse_within<Leaf>(kSmall, "{\"id\":" + string + "\xFF\"}", "id", "invalid UTF-8");
  refuse_within<Leaf>(kSmall, "{\"id\":" + string + "\\q\"}", "id", "bad escape");
  refuse_within<Leaf>(kSmall, "{\"x\":" + string + "\n\"}", "x", "control character");
  refuse_within<Leaf>(kSmall, "{" + string + "\":tru}", std::string(100, 'x'), "expected a value");
}

TEST(Hostile, AHugeNumber) {
  const std::string digits(kLarge, '7');
  const auto number = decode_within<Kinds>(kLarge + kSmall, "{\"number\":" + digits + "}");
  ASSERT_TRUE(number.ok());
  EXPECT_EQ(number->number, std::numeric_limits<std::int64_t>::max());
  const auto ratio = decode_within<Kinds>(kLarge + kSmall, "{\"ratio\":0." + digits + "}");
  ASSERT_TRUE(ratio.ok());
  EXPECT_NEAR(*ratio->ratio, 0.7777777777777778, 1e-15);
  const auto exponent = decode_within<Kinds>(kLarge + kSmall, "{\"ratio\":1e" + digits + "}");
  ASSERT_TRUE(exponent.ok());
  EXPECT_EQ(*exponent->ratio, std::numeric_limits<double>::infinity());
}

TEST(Hostile, DepthBombs) {
  constexpr std::string_view kWhy = "nested too deeply";
  refuse_within<RawJson>(kSmall, std::string(kLarge, '['), "", kWhy);
  refuse_within<Json>(kSmall, std::string(kLarge, '['), "", kWhy);
  refuse_within<Json>(kSmall, repeat("{\"a\":", kLarge / 5), "", kWhy);
  refuse_within<Leaf>(kSmall, "{\"id\":\"a\",\"x\":" + std::string(kLarge, '['), "x", kWhy);
  refuse_within<Kinds>(kSmall, "{\"tree\":" + std::string(kLarge, '['), "tree", kWhy);
  const Result<Tree> list = decode_within<Tree>(kSmall, repeat("{\"children\":[", 1'000'000));
  ASSERT_FALSE(list.ok());
  EXPECT_EQ(list.error().message().substr(0, kWhy.size()), kWhy);
  const Result<Tree> box = decode_within<Tree>(kSmall, repeat("{\"next\":", 1'000'000));
  ASSERT_FALSE(box.ok());
  EXPECT_EQ(box.error().message().substr(0, kWhy.size()), kWhy);
  const Result<Nest> nest =
      decode_within<Nest>(kSmall, repeat("{\"type\":\"group\",\"items\":[", 1'000'000));
  ASSERT_FALSE(nest.ok());
  EXPECT_EQ(nest.error().message().substr(0, kWhy.size()), kWhy);
}

// A discriminator behind its content makes each level look ahead over all inner ones.
TEST(Hostile, LateDiscriminatorsAtEveryLevel) {
  constexpr std::size_t kLevels = 500;
  const std::string inner = "{\"text\":\"" + std::string(kSmall, 'x') + "\",\"type\":\"item\"}";
  const std::string text =
      repeat("{\"items\":[", kLevels) + inner + repeat("],\"type\":\"group\"}", kLevels);
  const auto nest = decode_within<Nest>(10 * kSmall, text);
  ASSERT_TRUE(nest.ok());
  EXPECT_TRUE(std::holds_alternative<Group>(*nest));
}

TEST(Hostile, RepeatedMembers) {
  const std::string nulls = repeat("\"count\":null,", 1'000'000);
  const auto leaf = decode_within<Leaf>(400'000'000, "{" + nulls + "\"id\":\"a\",\"count\":7}");
  ASSERT_TRUE(leaf.ok());
  EXPECT_EQ(leaf->count, 7);
  EXPECT_EQ(encode(*leaf), R"({"id":"a","count":7})");
  // Unknown members, then known ones that each replace the one before.
  const std::string unknown = repeat("\"x\":0,", 1'000'000);
  for (const std::string_view part : {"\"count\":null,", "\"count\":1.0,", "\"count\":1,"}) {
    const auto mixed =
        decode_within<Leaf>(600'000'000, "{" + unknown + repeat(part, 1'000'000) + "\"id\":\"a\"}");
    ASSERT_TRUE(mixed.ok());
    EXPECT_EQ(mixed->extra.unknown_count(), 1'000'000u);
    EXPECT_LE(mixed->extra.members.size(), 1'000'001u);
  }
  // A large member that is made and thrown away again and again.
  const auto list = decode_within<Kinds>(
      100'000'000,
      "{" + repeat("\"list\":[{\"id\":\"a\"},{\"id\":\"b\"}],", 300'000) + "\"flag\":true}");
  ASSERT_TRUE(list.ok());
  EXPECT_EQ(list->list->size(), 2u);
}

TEST(Hostile, RepeatedDiscriminators) {
  const std::string same = repeat("\"type\":\"item\",", 1'000'000);
  ASSERT_TRUE(decode_within<Nest>(kSmall, "{" + same + "\"text\":\"a\"}").ok());
  refuse_within<Nest>(kSmall, "{" + same + "\"type\":\"group\",\"text\":\"a\"}", "type",
                      "appears twice with different values");
}

TEST(Hostile, ManyKeys) {
  std::string members;
  for (int i = 0; i < 1'000'000; ++i) members += "\"k" + std::to_string(i % 700'000) + "\":1,";
  const std::string object = "{" + members + "\"k0\":2}";
  const auto map = decode_within<Kinds>(400'000'000, "{\"map\":" + object + "}");
  ASSERT_TRUE(map.ok());
  EXPECT_EQ(map->map->size(), 700'000u);
  EXPECT_EQ(*map->map->find("k0"), 2);
  const auto tree = decode_within<Kinds>(400'000'000, "{\"tree\":" + object + "}");
  ASSERT_TRUE(tree.ok());
  EXPECT_EQ(tree->tree->members().size(), 700'000u);
  const auto unknown = decode_within<Leaf>(400'000'000, "{" + members + "\"id\":\"a\"}");
  ASSERT_TRUE(unknown.ok());
  EXPECT_EQ(unknown->extra.unknown_count(), 1'000'000u);
}

// How much memory a byte of input can cost at most: it decides what limit a framer should set.
TEST(Hostile, MemoryPerByteIsBounded) {
  constexpr std::size_t kItems = 1'000'000;
  const auto list = [](std::string_view item) { return "[" + repeat(item, kItems) + "0]"; };
  // A growing vector holds its old and its new block for a moment: three times the size.
  EXPECT_TRUE(decode_within<std::vector<std::int64_t>>(3 * 8 * kItems, list("0,")).ok());
  EXPECT_TRUE(decode_within<std::vector<RawJson>>(4 * 32 * kItems, list("0,")).ok());
  EXPECT_TRUE(decode_within<Json>(4 * sizeof(Json) * kItems, list("0,")).ok());
  const std::string shapes = "[" + repeat("{},", kItems) + "{}]";
  EXPECT_TRUE(decode_within<std::vector<Nest>>(4 * sizeof(Nest) * kItems, shapes).ok());
  const std::string kinds = "[" + repeat("{},", 100'000) + "{}]";
  EXPECT_TRUE(decode_within<std::vector<Kinds>>(4 * sizeof(Kinds) * 100'000, kinds).ok());
}

TEST(Hostile, ManyErrorsLeaveNothingBehind) {
  const std::size_t before = live_bytes;
  for (int i = 0; i < 10000; ++i) {
    EXPECT_FALSE(decode<Kinds>(R"({"list":[{"id":"a"},{"id":"b","x":[1]},{"id":5}]})").ok());
    EXPECT_FALSE(decode<Tree>(R"({"name":"a","next":{"name":"b","next":{"name":null}}})").ok());
  }
  EXPECT_EQ(live_bytes, before);
}

}  // namespace
}  // namespace parley
