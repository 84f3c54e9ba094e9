#include "model/pattern.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace parley::model {
namespace {

bool found(std::string_view expression, std::string_view text) {
  return Pattern::parse(expression).value().found_in(text);
}

TEST(ScriptPattern, Finds) {
  const struct {
    std::string_view expression, text;
    bool expected;
  } cases[] = {
      {"", "", true},
      {"b", "abc", true},
      {"^b", "abc", false},
      {"c$", "abc", true},
      {"c$", "abc\n", true},
      {"c\\Z", "abc\n", false},
      {"a.c", "abc", true},
      {"a.c", "a\nc", false},
      {"(?s)a.c", "a\nc", true},
      {"^b", "a\nb", false},
      {"(?m)^b$", "a\nb\nc", true},
      {"opus|sonnet", "claude-sonnet-5", true},
      {"opus|sonnet", "claude-haiku", false},
      {"(?i)summar", "Please SUMMARISE", true},
      {"^(?!.*TWO).*ONE", "ONE and more", true},
      {"^(?!.*TWO).*ONE", "ONE and TWO", false},
      {"a(?=b)", "ac ab", true},
      {"a(?=b)", "ac", false},
      {"ab*c", "ac", true},
      {"ab+c", "ac", false},
      {"ab?c", "abbc", false},
      {"^a{2,3}$", "aa", true},
      {"^a{2,3}$", "aaaa", false},
      {"^a{2}$", "aaa", false},
      {"^a{2,}$", "aaaaa", true},
      {"^a{,2}$", "aa", true},
      {"a{x}", "a{x}", true},
      {"^(ab|cd)*?$", "abcdab", true},
      {"^(?:a*)*$", "aaa", true},
      {"[a-c]+[^a-c]", "bbd", true},
      {"[]x]", "]", true},
      {"[^\\d\\s]", "1 2", false},
      {"(?i)[^a]", "A", false},
      {"[a-]", "-", true},
      {"\\bcat\\b", "a cat.", true},
      {"\\bcat\\b", "concat", false},
      {"\\Bcat", "concat", true},
      {"\\d\\w\\s\\D\\W\\S", "1a xx..", false},
      {"\\d\\w\\s\\D\\W\\S", "1a x.x", true},
      {"\\\"text\\\": \\\"hi", "{\"text\": \"hi\"}", true},
      {"\xc3\xa4+", "\xc3\xa4\xc3\xa4", true},
      {"()|a", "", true},
  };
  for (const auto& [expression, text, expected] : cases) {
    EXPECT_EQ(found(expression, text), expected) << expression << " in " << text;
  }
}

TEST(ScriptPattern, WhatIsWrongAndWhere) {
  const struct {
    std::string_view expression, message;
  } cases[] = {
      {"a(b", "bad regular expression: this group is not closed (at character 2)"},
      {"ab)", "bad regular expression: there is no group for this \")\" (at character 3)"},
      {"[ab", "bad regular expression: this set is not closed (at character 1)"},
      {"*a", "bad regular expression: there is nothing to repeat (at character 1)"},
      {"a**", "bad regular expression: there is nothing to repeat (at character 3)"},
      {"a{3,2}", "bad regular expression: the repeats go from more to less (at character 7)"},
      {"[z-a]", "bad regular expression: the range goes backwards (at character 5)"},
      {"\\q", "bad regular expression: unknown escape \\q (at character 2)"},
      {"(a)\\1", "bad regular expression: unknown escape \\1 (at character 5)"},
      {"a\\", "bad regular expression: a backslash at the end (at character 3)"},
  };
  for (const auto& [expression, message] : cases) {
    const auto pattern = Pattern::parse(expression);
    ASSERT_FALSE(pattern) << expression;
    EXPECT_EQ(pattern.error().message(), message);
  }
  EXPECT_FALSE(Pattern::parse("(?<=a)b"));
  EXPECT_FALSE(Pattern::parse("(?P<name>a)"));
}

TEST(ScriptPattern, HostileExpressionsAreRefused) {
  EXPECT_FALSE(Pattern::parse(std::string(100'000, '(')));
  EXPECT_FALSE(Pattern::parse("((a{1000}){1000}){1000}"));
  EXPECT_FALSE(Pattern::parse("(((()){1000}){1000}){1000}"));
  EXPECT_FALSE(Pattern::parse("a{99999}"));
}

TEST(ScriptPattern, LongTextsTakeNoStackAndLinearTime) {
  const std::string text(2'000'000, 'a');
  EXPECT_FALSE(found("(a*)*b", text));
  EXPECT_TRUE(found("^(?!.*b).*a$", text));
}

}  // namespace
}  // namespace parley::model
