// The strict reader: what it accepts, what it refuses, and what it says about it.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "wire/json/reader.hpp"

namespace parley {
namespace {

/// Whether the text is exactly one JSON value.
bool accepts(std::string_view text) {
  JsonReader reader(text);
  std::string_view raw;
  return reader.skip(raw) && reader.at_end();
}

std::string repeat(std::string_view part, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += part;
  return out;
}

TEST(JsonReader, AcceptsTheGrammar) {
  // One item per line would fill pages.
  // clang-format off
  const std::vector<std::string_view> texts = {
      "null", "true", "false", "0", "-0", "7", "-7", "10", "1.5", "-0.25", "1e5", "1E5", "1e+5",
      "1e-5", "1.5e10", "0e0", "0.0e-0", "123456789012345678901234567890", "1e400", "-1e-400",
      R"("")", R"("a")", R"("\"\\\/\b\f\n\r\t")", R"("\u0000")", R"("\uABCD\uabcd")",
      R"("\ud83c\udf89")", R"("\ud800")", R"("\udc00")", R"("\udc00\ud800")", "\"\x7F\"",
      "\"\xC3\xA9\"", "\"\xE2\x82\xAC\"", "\"\xF0\x9F\x8E\x89\"", "\"\xEF\xBB\xBF\"",
      "\"\xE2\x80\xA8\xE2\x80\xA9\"",  // U+2028 and U+2029 are plain text in JSON
      "[]", "[ ]", "[1]", "[1,2]", "[[],[[]],{}]", "{}", "{ }", R"({"a":1})", R"({"":{}})",
      R"({"a":1,"a":2})", R"({"a":{"b":[null,{"c":true}]}})", " 1", "1 ", "\t\r\n 1 \n",
      " { \"a\" : [ 1 , 2 ] , \"b\" : { } } "};
  // clang-format on
  for (const std::string_view text : texts) EXPECT_TRUE(accepts(text)) << text;
}

TEST(JsonReader, RefusesEverythingElse) {
  // One item per line would fill pages.
  // clang-format off
  const std::vector<std::string_view> texts = {
      "", " ", "\n", "nul", "nulL", "Null", "nullx", "tru", "truee", "fals", "True", "undefined",
      "NaN", "Infinity", "-Infinity", "-", "+1", "01", "-01", "00", "1.", ".5", "-.5", "1.e5",
      "1e", "1e+", "1e-", "1e5.5", "1ee5", "0x10", "1_000", "1,", "1 2", "- 1", "1 .5", "--1",
      "'a'", "\"", "\"a", "a\"", R"("\)", R"("\")", R"("\x41")", R"("\'")", R"("\u")",
      R"("\u12")", R"("\u123")", R"("\u123g")", R"("\U0041")", R"("\u 041")", "\"\n\"", "\"\t\"",
      "\"\x1F\"", "\"\\\n\"", "\"\xFF\"", "\"\xC3\"", "\"\xC0\x80\"", "\"\xED\xA0\x80\"",
      "\"\xF4\x90\x80\x80\"", "\"\x80\"", "[", "]", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1,,2]",
      "[1 2]", "[1}", "[1:2]", "{", "}", "{1:2}", "{a:1}", R"({"a")", R"({"a":)", R"({"a":1)",
      R"({"a":1,)", R"({"a":1,})", R"({,"a":1})", R"({"a",1})", R"({"a" 1})", R"({"a"::1})",
      R"({"a":1 "b":2})", R"({"a":1])", R"({"a"})", R"({'a':1})", "{}{}", "[][]", "[]]", "{}}",
      "/**/1", "1//", "\xEF\xBB\xBF" "1", "\f1", "\v1", "\xC2\xA0" "1", "1\xE2\x80\xA8", "\xA0"};
  // clang-format on
  for (const std::string_view text : texts) EXPECT_FALSE(accepts(text)) << text;
}

TEST(JsonReader, ANulByteIsNoWhiteSpaceAndNoEnd) {
  using std::string_view_literals::operator""sv;
  for (const std::string_view text :
       {"\0"sv, "1\0"sv,
        "\0"
        "1"sv,
        "[1\0]"sv, "\"\0\""sv, "{\"a\"\0:1}"sv, "{}\0"sv, "[\0]"sv, "tru\0"sv}) {
    EXPECT_FALSE(accepts(text));
  }
}

TEST(JsonReader, AcceptsWhiteSpaceOnlyBetweenTokens) {
  const std::vector<std::string_view> tokens = {"{", "\"a\"", ":",     "[", "1",    ",", "true",
                                                "]", ",",     "\"b\"", ":", "null", "}"};
  for (unsigned c = 0; c < 256; ++c) {
    const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    for (std::size_t at = 0; at <= tokens.size(); ++at) {
      std::string text;
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (i == at) text += static_cast<char>(c);
        text += tokens[i];
      }
      if (at == tokens.size()) text += static_cast<char>(c);
      // A digit or a minus sign next to a number makes another number.
      if (at == 4 && (c == '-' || (c >= '1' && c <= '9'))) continue;
      if (at == 5 && c >= '0' && c <= '9') continue;
      EXPECT_EQ(accepts(text), space) << c << " at " << at;
    }
  }
}

TEST(JsonReader, RefusesATextCutAtAnyByte) {
  const std::string text =
      "{\"k\\u00e9y\":[1.5e-3,\"caf\xC3\xA9 \\ud83c\\udf89 \xF0\x9F\x8E\x89\",true,false,null],"
      "\"\":{\"a\":-0}}";
  ASSERT_TRUE(accepts(text));
  for (std::size_t size = 0; size < text.size(); ++size) {
    // A copy of exactly this size: AddressSanitizer sees a read beyond it.
    const std::vector<char> cut(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(accepts({cut.data(), cut.size()})) << size;
  }
}

TEST(JsonReader, DepthLimit) {
  constexpr std::size_t kMax = JsonReader::kMaxDepth;
  EXPECT_EQ(kMax, 1024u);
  EXPECT_TRUE(accepts(repeat("[", kMax) + repeat("]", kMax)));
  EXPECT_FALSE(accepts(repeat("[", kMax + 1) + repeat("]", kMax + 1)));
  EXPECT_TRUE(accepts(repeat("{\"a\":", kMax) + "1" + repeat("}", kMax)));
  EXPECT_FALSE(accepts(repeat("{\"a\":", kMax + 1) + "1" + repeat("}", kMax + 1)));
  EXPECT_TRUE(accepts(repeat("[{\"a\":", kMax / 2) + "1" + repeat("}]", kMax / 2)));
  EXPECT_FALSE(accepts(repeat("[{\"a\":", kMax / 2) + "[]" + repeat("}]", kMax / 2)));
  // Depth, not count.
  EXPECT_TRUE(accepts("[" + repeat("[[]],", 5000) + "[]]"));

  const std::string bomb = repeat("[", 5000);
  JsonReader deep(bomb);
  std::string_view raw;
  EXPECT_FALSE(deep.skip(raw));
  EXPECT_STREQ(deep.why(), "nested too deeply");
  EXPECT_EQ(deep.fail_offset(), kMax + 1);
}

TEST(JsonReader, RemembersTheKindOfEachContainerAtEachDepth) {
  // A closing bracket of the wrong kind is refused at any depth, also across words of the bit set.
  for (const std::size_t depth : {1u, 2u, 62u, 63u, 64u, 65u, 127u, 128u, 129u, 1000u, 1024u}) {
    std::string opening;
    std::string closing;
    for (std::size_t i = 0; i < depth; ++i) {
      const bool object = i * 7 % 3 == 0;
      opening += object ? "{\"a\":" : "[";
      closing.insert(closing.begin(), object ? '}' : ']');
    }
    EXPECT_TRUE(accepts(opening + "1" + closing)) << depth;
    for (std::size_t i = 0; i < depth; i += 1 + depth / 20) {
      std::string wrong = closing;
      wrong[i] = wrong[i] == '}' ? ']' : '}';
      EXPECT_FALSE(accepts(opening + "1" + wrong)) << depth << ' ' << i;
    }
  }
}

TEST(JsonReader, SkipGivesTheExactBytes) {
  JsonReader reader("  { \"a\" : [ 1 ] }  , \"next\"");
  std::string_view raw;
  ASSERT_TRUE(reader.skip(raw));
  EXPECT_EQ(raw, "{ \"a\" : [ 1 ] }");
  EXPECT_TRUE(reader.eat(','));
  ASSERT_TRUE(reader.skip(raw));
  EXPECT_EQ(raw, "\"next\"");
  EXPECT_TRUE(reader.at_end());
}

std::string read_string(std::string_view text, bool* inexact = nullptr) {
  JsonReader reader(text);
  std::string out = "old content";
  EXPECT_TRUE(reader.string(out) && reader.at_end()) << text;
  if (inexact != nullptr) *inexact = reader.inexact();
  return out;
}

TEST(JsonReader, StringsAreUnescaped) {
  EXPECT_EQ(read_string(R"("")"), "");
  EXPECT_EQ(read_string(R"("plain")"), "plain");
  EXPECT_EQ(read_string(R"("\"\\\/\b\f\n\r\t")"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(read_string(R"("\u0041\u00e9\u20AC")"), "A\xC3\xA9\xE2\x82\xAC");
  EXPECT_EQ(read_string(R"("\ud83c\udf89")"), "\xF0\x9F\x8E\x89");
  EXPECT_EQ(read_string(R"("\uD83C\uDF89")"), "\xF0\x9F\x8E\x89");
  EXPECT_EQ(read_string(R"("\ud800\udc00\udbff\udfff")"), "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF");
  EXPECT_EQ(read_string(R"("a\u0000b")"), std::string("a\0b", 3));
  EXPECT_EQ(read_string("\"\xF0\x9F\x8E\x89\\n\xC3\xA9\""), "\xF0\x9F\x8E\x89\n\xC3\xA9");
  EXPECT_EQ(read_string(R"("\\u0041")"), "\\u0041");
}

// The unescape loop copies sixteen bytes at a time: escapes at and around each border.
TEST(JsonReader, EscapesAtEveryDistance) {
  for (std::size_t before = 0; before < 40; ++before) {
    for (std::size_t between = 0; between < 40; ++between) {
      const std::string a(before, 'a');
      const std::string b(between, 'b');
      EXPECT_EQ(read_string('"' + a + "\\n" + b + "\\u00e9\""), a + "\n" + b + "\xC3\xA9");
      EXPECT_EQ(read_string('"' + a + "\\ud83c\\udf89" + b + "\\\\c\""),
                a + "\xF0\x9F\x8E\x89" + b + "\\c");
    }
  }
}

TEST(JsonReader, ALoneSurrogateBecomesTheReplacementCharacter) {
  const std::string kReplaced = "\xEF\xBF\xBD";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"("\ud800")", kReplaced},
      {R"("\udbff")", kReplaced},
      {R"("\udc00")", kReplaced},
      {R"("\udfff")", kReplaced},
      {R"("\ud800x")", kReplaced + "x"},
      {R"("\ud83c1udf89")", kReplaced + "1udf89"},
      {R"("\ud800\n")", kReplaced + "\n"},
      {R"("\ud800\u0041")", kReplaced + "A"},
      {R"("\ud800\ud800")", kReplaced + kReplaced},
      {R"("\udc00\udc00")", kReplaced + kReplaced},
      {R"("\udc00\ud800")", kReplaced + kReplaced},
      {R"("\ud800\ud83c\udf89")", kReplaced + "\xF0\x9F\x8E\x89"},
      {R"("\ud800\\udc00")", kReplaced + "\\udc00"}};
  for (const auto& [text, want] : cases) {
    bool inexact = false;
    EXPECT_EQ(read_string(text, &inexact), want) << text;
    EXPECT_TRUE(inexact) << text;
  }
  bool inexact = true;
  read_string(R"("\ud83c\udf89\ufffd")", &inexact);
  EXPECT_FALSE(inexact);
}

// string() checks and unescapes in one pass; string_span() and unescape() take two. Random pieces,
// some longer together than any buffer inside, must come out the same, failures included.
TEST(JsonReader, OnePassOverAStringEqualsTwo) {
  const std::vector<std::string> pieces = {"plain text of some length",
                                           "a",
                                           "\\n",
                                           "\\\"",
                                           "\\\\",
                                           "\\/",
                                           "\\u0041",
                                           "\\u00e9",
                                           "\\ud83c\\udf89",
                                           "\\ud83c",
                                           "\\udf89",
                                           "\xC3\xA9",
                                           "\xF0\x9F\x8E\x89",
                                           std::string(5000, 'x'),
                                           repeat("line\\n", 1500),
                                           repeat("\\u20ac", 900),
                                           repeat("0123456789\\t", 8000)};
  const std::vector<std::string> faults = {"\x01", "\\x",  "\\u12g4",
                                           "\xFF", "\xC3", std::string(1, '\0')};
  std::mt19937 random(20261115);
  for (int round = 0; round < 20'000; ++round) {
    std::string text = "\"";
    const std::size_t count = random() % 12;
    for (std::size_t i = 0; i < count; ++i) {
      // The long ones now and then: they make the test slow.
      text += pieces[random() % (round % 50 == 0 ? pieces.size() : pieces.size() - 4)];
      if (random() % 40 == 0) text += faults[random() % faults.size()];
    }
    if (random() % 20 != 0) text += '"';
    if (random() % 2 != 0) text += " , and what follows a string";
    JsonReader at_once(text);
    JsonReader in_steps(text);
    std::string read;
    std::string_view inside;
    bool escaped = false;
    const bool whole = at_once.string(read);
    ASSERT_EQ(whole, in_steps.string_span(inside, escaped)) << text;
    ASSERT_STREQ(at_once.why(), in_steps.why()) << text;
    ASSERT_EQ(at_once.fail_offset(), in_steps.fail_offset()) << text;
    if (!whole) continue;
    std::string unescaped;
    const bool exact = JsonReader::unescape(inside, unescaped);
    ASSERT_EQ(read, unescaped);
    ASSERT_EQ(at_once.inexact(), !exact) << text;
  }
}

TEST(JsonReader, EatsAKeyOnlyAsItIs) {
  const auto eats = [](std::string_view text) {
    JsonReader reader(text);
    const bool eaten = reader.eat_key("key");
    EXPECT_EQ(reader.position() - text.data(), eaten ? text.find(':') + 1 : text.find('"')) << text;
    return eaten;
  };
  EXPECT_TRUE(eats(R"("key":1)"));
  EXPECT_TRUE(eats(R"( "key":)"));
  EXPECT_FALSE(eats(R"("key" :1)"));
  EXPECT_FALSE(eats(R"("keys":1)"));
  EXPECT_FALSE(eats(R"("ke":1)"));
  EXPECT_FALSE(eats(R"("k\u0065y":1)"));
  EXPECT_FALSE(eats(R"("key")"));
  EXPECT_FALSE(eats(R"("key)"));
}

TEST(JsonReader, StringSpanLeavesEscapesAlone) {
  JsonReader reader(R"( "a\nb" "plain")");
  std::string_view inside;
  bool escaped = false;
  ASSERT_TRUE(reader.string_span(inside, escaped));
  EXPECT_EQ(inside, "a\\nb");
  EXPECT_TRUE(escaped);
  ASSERT_TRUE(reader.string_span(inside, escaped));
  EXPECT_EQ(inside, "plain");
  EXPECT_FALSE(escaped);
}

TEST(JsonReader, NumbersGiveTheirText) {
  for (const std::string_view text : {"0", "-0", "12", "-12.50", "1e5", "1E+05", "0.1e-9"}) {
    JsonReader reader(text);
    std::string_view got;
    ASSERT_TRUE(reader.number(got)) << text;
    EXPECT_EQ(got, text);
    EXPECT_TRUE(reader.at_end());
  }
  JsonReader leading_zero("01");
  std::string_view got;
  EXPECT_TRUE(leading_zero.number(got));
  EXPECT_EQ(got, "0");
  EXPECT_FALSE(leading_zero.at_end());
}

TEST(JsonReader, WrongKindsAreRefusedWithAReason) {
  const auto why = [](std::string_view text, const auto& read) {
    JsonReader reader(text);
    EXPECT_FALSE(read(reader)) << text;
    EXPECT_TRUE(reader.failed());
    return std::string(reader.why());
  };
  const auto as_string = [](JsonReader& r) {
    std::string out;
    return r.string(out);
  };
  const auto as_number = [](JsonReader& r) {
    std::string_view out;
    return r.number(out);
  };
  const auto as_boolean = [](JsonReader& r) {
    bool out = false;
    return r.boolean(out);
  };
  const auto as_null = [](JsonReader& r) { return r.null(); };
  for (const char* text : {"", " ", "{}", "[]", "1", "true", "null", "x"}) {
    EXPECT_EQ(why(text, as_string), "expected string") << text;
  }
  for (const char* text : {"", "{}", "[]", "\"1\"", "true", "null", "-", "+1"}) {
    EXPECT_EQ(why(text, as_number), "expected number") << text;
  }
  EXPECT_EQ(why("1.", as_number), "malformed number");
  EXPECT_EQ(why("1e", as_number), "malformed number");
  for (const char* text : {"", "{}", "[]", "\"true\"", "1", "null", "tru", "True"}) {
    EXPECT_EQ(why(text, as_boolean), "expected boolean") << text;
  }
  for (const char* text : {"", "{}", "0", "\"null\"", "false", "nul"}) {
    EXPECT_EQ(why(text, as_null), "expected null") << text;
  }
}

TEST(JsonReader, TheFirstFailureIsTheOneReported) {
  JsonReader reader("[1, x]");
  std::string_view raw;
  EXPECT_FALSE(reader.skip(raw));
  EXPECT_STREQ(reader.why(), "expected a value");
  EXPECT_EQ(reader.fail_offset(), 4u);
  reader.fail("something else");
  EXPECT_STREQ(reader.why(), "expected a value");
  EXPECT_EQ(reader.fail_offset(), 4u);
}

TEST(JsonReader, SaysWhatIsWrongAndWhere) {
  struct Case {
    std::string_view text;
    std::string_view why;
    std::size_t at;
  };
  const std::vector<Case> cases = {{"", "unexpected end", 0},
                                   {"[1", "expected ',' or ']'", 2},
                                   {"[1,", "unexpected end", 3},
                                   {"[1,]", "expected a value", 3},
                                   {"{", "expected a key", 1},
                                   {"{1", "expected a key", 1},
                                   {"{\"a\"", "expected ':'", 4},
                                   {"{\"a\":1", "expected ',' or '}'", 6},
                                   {"{\"a\":1,", "expected a key", 7},
                                   {"\"abc", "unterminated string", 4},
                                   {"\"a\\", "bad escape", 2},
                                   {"\"a\\x\"", "bad escape", 2},
                                   {"\"a\\u12\"", "bad escape", 2},
                                   {"\"a\nb\"", "control character in string", 2},
                                   {"\"a\xFF\"", "invalid UTF-8 in string", 1},
                                   {"[1.x]", "malformed number", 1},
                                   {"nope", "expected a value", 0}};
  for (const Case& c : cases) {
    JsonReader reader(c.text);
    std::string_view raw;
    EXPECT_FALSE(reader.skip(raw)) << c.text;
    EXPECT_EQ(reader.why(), c.why) << c.text;
    EXPECT_EQ(reader.fail_offset(), c.at) << c.text;
  }
}

TEST(JsonReader, RewindReadsAgain) {
  JsonReader reader(R"( {"a":1} )");
  reader.peek();
  const char* start = reader.position();
  std::string_view first;
  std::string_view second;
  ASSERT_TRUE(reader.skip(first));
  reader.rewind(start);
  ASSERT_TRUE(reader.skip(second));
  EXPECT_EQ(first, second);
}

}  // namespace
}  // namespace parley
