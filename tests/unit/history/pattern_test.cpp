#include "history/pattern.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <regex>

namespace parley::history {
namespace {

std::string found(const std::string& expression, const std::string& text, bool ignore = false) {
  auto pattern = Pattern::regex(expression, ignore);
  if (!pattern) return "error: " + std::string(pattern.error().message());
  const auto match = pattern->find(text);
  return match ? text.substr(match->begin, match->end - match->begin) : "-";
}

TEST(HistoryPattern, Regex) {
  EXPECT_EQ(found("b+", "abbbc"), "bbb");
  EXPECT_EQ(found("x?(ab|cd)*e", "zxabcdabe!"), "xabcdabe");
  EXPECT_EQ(found("a|bc|def", "xdefbc"), "def");
  EXPECT_EQ(found("a|ab", "xab"), "ab");  // the longest
  EXPECT_EQ(found("[^a-c\\d]+", "ab1xyzc"), "xyz");
  EXPECT_EQ(found("\\bcat\\b", "concat cat"), "cat");
  EXPECT_EQ(found("^b.*$", "a\nbcd\ne"), "bcd");
  EXPECT_EQ(found("a{2,3}", "aaaa"), "aaa");
  EXPECT_EQ(found("a{2}", "a aa"), "aa");
  EXPECT_EQ(found("a{3,}", "aaaaa"), "aaaaa");
  EXPECT_EQ(found("(?:ab){2}c", "ababab abababc"), "ababc");
  EXPECT_EQ(found("h.llo", "hällo"), "hällo");
  EXPECT_EQ(found("HeLLo\\s\\w+", "say hello world", true), "hello world");
  EXPECT_EQ(found("a*", "bbb"), "-");  // nothing is no match
  EXPECT_EQ(found("a.*?c", "abcbc"), "abcbc");
  EXPECT_EQ(found("[]x]+", "a]x]"), "]x]");
}

TEST(HistoryPattern, BadExpressionsSayWhy) {
  EXPECT_EQ(found("(a", ""), "error: expected ) at character 3");
  EXPECT_EQ(found("a)", ""), "error: unmatched ) at character 2");
  EXPECT_EQ(found("*a", ""), "error: nothing to repeat at character 1");
  EXPECT_EQ(found("[a", ""), "error: expected ] at character 3");
  EXPECT_EQ(found("a{3,1}", ""), "error: bad repetition at character 7");
  EXPECT_EQ(found("(a)\\1", ""), "error: back references are not supported at character 6");
  EXPECT_EQ(found("(?=a)", ""),
            "error: look-around and named groups are not supported at character 2");
  EXPECT_EQ(found("(((a{1000}){1000}){1000})", "").substr(0, 34),
            "error: the expression is too large");
}

TEST(HistoryPattern, AgreesWithTheStandardLibrary) {
  const char* expressions[] = {"a+b", "(a|b)*c",      "ab?c",    "[ab]{2}",
                               "a.c", "(ab|a)(bc|c)", "b(a|c)?b"};
  std::uint64_t state = 1;
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (int j = 0; j < 12; ++j) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      text += static_cast<char>('a' + (state >> 60) % 3);
    }
    for (const char* expression : expressions) {
      // POSIX grammar: leftmost longest, as ours.
      const std::regex standard(expression, std::regex::extended);
      std::smatch match;
      const bool hit = std::regex_search(text, match, standard);
      EXPECT_EQ(found(expression, text), hit ? match.str() : "-") << expression << " in " << text;
    }
  }
}

TEST(HistoryPattern, TakesLinearTime) {
  // Backtracking engines need longer than the universe for this one.
  EXPECT_EQ(found("(a*)*(a*)*(a*)*b", std::string(20000, 'a')), "-");
}

TEST(HistoryPattern, ALongSearchAsksWhetherItIsStillWanted) {
  const Pattern pattern = Pattern::regex("(a*){500}b", false).value();
  const std::string text = std::string(50'000, 'a') + "b";
  int asked = 0;
  EXPECT_EQ(pattern.find(text, 0, [&] { return ++asked == 3; }), std::nullopt);
  EXPECT_EQ(asked, 3);
}

TEST(HistoryPattern, NeedleIsInEveryMatch) {
  const auto needle = [](const std::string& expression) {
    return Pattern::regex(expression, false).value().needle();
  };
  EXPECT_EQ(needle("foo.*barbaz"), "barbaz");
  EXPECT_EQ(needle("foo|bar"), "");
  EXPECT_EQ(needle("foobar?"), "fooba");
  EXPECT_EQ(needle("(abc)?de"), "de");
  EXPECT_EQ(needle("ab\"cde"), "cde");  // JSON escapes the quote
  EXPECT_EQ(Pattern::literal("say \"hello there\"", false).value().needle(), "hello there");
  EXPECT_EQ(Pattern::literal("ünï", false).value().needle(), "n");
}

TEST(HistoryPattern, Literal) {
  const Pattern pattern = Pattern::literal("A.b", true).value();
  EXPECT_EQ(pattern.find("xa.B"), (Match{1, 4}));
  EXPECT_EQ(pattern.find("axb"), std::nullopt);
  EXPECT_FALSE(Pattern::literal("", false));
}

}  // namespace
}  // namespace parley::history
