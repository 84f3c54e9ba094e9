#include "history/search/pattern.hpp"

#include <gtest/gtest.h>

namespace parley::history {
namespace {

std::string found(const std::string& expression, const std::string& text, bool ignore = false) {
  auto pattern = Pattern::regex(expression, ignore);
  if (!pattern) return "error: " + std::string(pattern.error().message());
  const auto match = pattern->find(text);
  return match ? text.substr(match->begin, match->end - match->begin) : "-";
}

TEST(HistoryPattern, Regex) {
  EXPECT_EQ(found("x?(ab|cd)*e", "zxabcdabe!"), "xabcdabe");
  EXPECT_EQ(found("^b.*$", "a\nbcd\ne"), "bcd");  // at lines
  EXPECT_EQ(found("HeLLo\\s\\w+", "say hello world", true), "hello world");
  EXPECT_EQ(found("a*", "bbb"), "");
}

TEST(HistoryPattern, BadExpressionsSayWhy) {
  EXPECT_EQ(found("(a", ""), "error: missing )");
  EXPECT_EQ(
      found("^(?=a)b", ""),
      "error: look-ahead is supported only right behind a ^ at the beginning of the text, and "
      "not beside |");
  const auto error = Pattern::regex(std::string(100'000, '('), false).error();
  EXPECT_EQ(error.message(), "the expression is too large");
  EXPECT_LT(error.context().size(), 300U);
  EXPECT_FALSE(Pattern::regex("", false));
}

TEST(HistoryPattern, NeedleIsInEveryMatch) {
  const auto needle = [](const std::string& expression) {
    return Pattern::regex(expression, false).value().needle();
  };
  EXPECT_EQ(needle("foo.*barbaz"), "barbaz");
  EXPECT_EQ(needle("foo|bar"), "");
  EXPECT_EQ(needle("error\\s(5\\d\\d)"), "error");
  EXPECT_EQ(needle("(read|write|append) failed"), " failed");
  EXPECT_EQ(needle("foobar?"), "fooba");
  EXPECT_EQ(needle("(abc)?de"), "de");
  EXPECT_EQ(needle("ab\"cde"), "cde");  // JSON escapes the quote
  EXPECT_EQ(Pattern::literal("say \"hello there\"", false).value().needle(), "hello there");
  EXPECT_EQ(Pattern::literal("ünï", false).value().needle(), "n");
}

TEST(HistoryPattern, NeedleIsAlsoInWhatUnicodeCallsTheSameLetter) {
  const Pattern pattern = Pattern::regex("taskbar", true).value();
  const std::string text = "the Ta\u017f\u212aBAR";  // a long s and the sign of Kelvin
  EXPECT_TRUE(pattern.find(text));
  EXPECT_NE(find_ignoring_case(text, pattern.needle()), std::string_view::npos) << pattern.needle();
}

TEST(HistoryPattern, Literal) {
  const Pattern pattern = Pattern::literal("A.b", true).value();
  EXPECT_EQ(pattern.find("xa.B"), (Match{1, 4}));
  EXPECT_EQ(pattern.find("axb"), std::nullopt);
  EXPECT_FALSE(Pattern::literal("", false));
}

}  // namespace
}  // namespace parley::history
