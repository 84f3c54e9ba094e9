// Text in ASCII, as JavaScript sees it, and line by line.
#include "support/text/text.hpp"

#include <gtest/gtest.h>

#include "support/text/javascript_text.hpp"
#include "support/text/line_diff.hpp"

namespace parley {
namespace {

using Parts = std::vector<std::string_view>;

TEST(Text, TrimsBothEnds) {
  EXPECT_EQ(trimmed(" \t\r\n a b \n"), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(trimmed(""), "");
  EXPECT_EQ(trimmed("\u00a0a"), "\u00a0a");  // only ASCII
  EXPECT_EQ(trimmed("\n a \n", " "), "\n a \n");
  EXPECT_TRUE(is_blank(" \t\r\n"));
  EXPECT_TRUE(is_blank(""));
  EXPECT_FALSE(is_blank(" x "));
  EXPECT_FALSE(is_blank(std::string_view("\0", 1)));
}

TEST(Text, KnowsTheCaseOfAsciiOnly) {
  EXPECT_EQ(lower("ABZ [`{ Äé 09"), "abz [`{ Äé 09");
  EXPECT_TRUE(same_ignoring_case("Content-Type", "content-TYPE"));
  EXPECT_FALSE(same_ignoring_case("a", "ab"));
  EXPECT_FALSE(same_ignoring_case("@", "`"));  // differ in the case bit only
  EXPECT_FALSE(same_ignoring_case("Ä", "ä"));
}

TEST(Text, SplitsAndJoins) {
  EXPECT_EQ(split("a:b::c", ':'), (Parts{"a", "b", "", "c"}));
  EXPECT_EQ(split(":", ':'), (Parts{"", ""}));
  EXPECT_EQ(split("", ':'), (Parts{""}));
  EXPECT_EQ(split_lines("a\n\nb\n"), (Parts{"a", "", "b"}));
  EXPECT_EQ(split_lines("a\nb"), (Parts{"a", "b"}));
  EXPECT_EQ(split_lines("\n"), (Parts{""}));
  EXPECT_EQ(split_lines(""), Parts());
  EXPECT_EQ(join({"a", "", "b"}, ", "), "a, , b");
  EXPECT_EQ(join({"", "a"}, ","), ",a");
  EXPECT_EQ(join({}, ","), "");
}

TEST(Text, FindsWholeWordsOnly) {
  EXPECT_TRUE(has_word("--get-all --get -C", "--get"));
  EXPECT_TRUE(has_word("--get-all --get -C", "-C"));
  EXPECT_FALSE(has_word("--get-all --get -C", "--get-"));
  EXPECT_FALSE(has_word("a b", "a b"));
  EXPECT_FALSE(has_word("a b", ""));
  EXPECT_FALSE(has_word("", ""));
  EXPECT_TRUE(is_one_of("b", {"a", "b"}));
  EXPECT_FALSE(is_one_of("", {"a", "b"}));
}

TEST(JavaScriptText, TrimsUnicodeSpaces) {
  EXPECT_EQ(trimmed_unicode("\u00a0 \t a b \u3000\n"), "a b");
  EXPECT_EQ(trimmed_unicode(" \u2003 "), "");
  EXPECT_EQ(trimmed_unicode("ä"), "ä");
  EXPECT_EQ(trimmed_unicode("\ufeffx\u2029\v\f"), "x");
  EXPECT_EQ(trimmed_unicode("\u200bx\u180e"), "\u200bx\u180e");  // no spaces to JavaScript
  EXPECT_EQ(trimmed_unicode("\xc2"), "\xc2");
  EXPECT_EQ(trimmed_unicode("\xe2\x80"), "\xe2\x80");
}

TEST(JavaScriptText, CountsUtf16Units) {
  EXPECT_EQ(utf16_length("a😀é"), 4U);
  EXPECT_EQ(first_units("a😀é", 2), "a");  // no half of a character
  EXPECT_EQ(first_units("a😀é", 3), "a😀");
  EXPECT_EQ(first_units("a😀é", 100), "a😀é");
  EXPECT_EQ(last_units("a😀é", 2), "é");
  EXPECT_EQ(last_units("a😀é", 3), "😀é");
  EXPECT_EQ(last_units("a😀é", 0), "");
}

TEST(JavaScriptText, EveryBadByteIsOneCharacter) {
  const std::string_view bad = "\xff\xc3\x28\xed\xa0\x80\xf0\x9f";
  EXPECT_EQ(utf16_length(bad), bad.size());
  for (std::size_t count = 0; count <= bad.size(); ++count) {
    EXPECT_EQ(first_units(bad, count), bad.substr(0, count));
    EXPECT_EQ(last_units(bad, count), bad.substr(bad.size() - count));
  }
}

std::string shown(std::string_view before, std::string_view after) {
  std::string text;
  for (const DiffLine& line : line_diff(before, after)) {
    text += line.mark + std::string(line.text) + "|";
  }
  return text;
}

TEST(LineDiff, ShowsWhatChanged) {
  EXPECT_EQ(shown("a\nb\nc\nd\n", "a\nx\nc\nd\ne"), " a|-b|+x| c| d|+e|");
  EXPECT_EQ(shown("a\n", ""), "-a|");
  EXPECT_EQ(shown("", "a\n\n"), "+a|+|");
  EXPECT_EQ(shown("", ""), "");
  EXPECT_EQ(shown("a\nb\na\nb\n", "b\na\n"), "-a| b| a|-b|");
}

TEST(LineDiff, LongTextsTakeNoMemory) {
  std::string before, after;
  for (int i = 0; i < 100'000; ++i) {
    before += std::to_string(i) + "\n";
    after += std::to_string(-i - 1) + "\n";
  }
  EXPECT_EQ(line_diff(before, after).size(), 200'000U);
}

}  // namespace
}  // namespace parley
