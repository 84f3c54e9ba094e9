#include "agent/hooks/matcher.hpp"

#include <gtest/gtest.h>

namespace parley::agent {
namespace {

bool matches(std::string_view pattern, std::string_view subject) {
  return Matcher(pattern).matches(subject);
}

TEST(Matcher, MatchesAllWithoutAPattern) {
  EXPECT_TRUE(matches("", "Bash"));
  EXPECT_TRUE(matches("*", "Bash"));
}

TEST(Matcher, ComparesNamesWhole) {
  EXPECT_TRUE(matches("Bash", "Bash"));
  EXPECT_FALSE(matches("Bas", "Bash"));
  EXPECT_FALSE(matches("bash", "Bash"));
  EXPECT_TRUE(matches("Read|Bash|Write", "Bash"));
  EXPECT_FALSE(matches("Read|Bashful", "Bash"));
  EXPECT_FALSE(matches("|", "Bash"));
}

TEST(Matcher, SearchesForExpressions) {
  EXPECT_TRUE(matches("^Ba", "Bash"));
  EXPECT_TRUE(matches("Ba.*", "Bash"));
  EXPECT_TRUE(matches("^(?!Read).*", "Bash"));
  EXPECT_FALSE(matches("^(?!Bash).*", "Bash"));
  EXPECT_TRUE(matches("mcp__.*__write", "mcp__files__write"));
  EXPECT_FALSE(matches("Edit|^W.", "Bash"));
}

TEST(Matcher, MatchesNothingWithABadExpression) {
  for (const char* pattern : {"Ba(sh", "[", "a{2,1}", "*Bash", "\\"}) {
    EXPECT_FALSE(matches(pattern, "Bash")) << pattern;
  }
  EXPECT_FALSE(matches(std::string(100'000, '('), "Bash"));
}

TEST(Matcher, TakesAnyNameInLinearTime) {
  EXPECT_TRUE(matches("^x.*", std::string(100'000, 'x')));
  EXPECT_FALSE(matches("^(x+x+)+y$", std::string(100'000, 'x')));
}

TEST(Matcher, SaysWhyAnExpressionMatchesNothing) {
  EXPECT_EQ(Matcher("Bash|Read").problem(), "");
  EXPECT_EQ(Matcher("^Ba.*").problem(), "");
  EXPECT_EQ(Matcher("Ba(sh").problem(), "missing )");
  EXPECT_EQ(Matcher("(Ba)\\1").problem(), "back references are not supported: \\1");
  EXPECT_EQ(Matcher("((a?){1000}){10}").problem(),
            "repetitions are from less to more, and 1000 at most with those around them: {10}");
}

}  // namespace
}  // namespace parley::agent
