#include "support/regex/regex.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <regex>
#include <thread>
#include <vector>

namespace parley {
namespace {

bool found(std::string_view expression, std::string_view text) {
  return Regex::compile(expression).value().found_in(text);
}

/// The first match, or "-", or what is wrong with the expression.
std::string first(std::string_view expression, const std::string& text, RegexOptions options = {}) {
  std::string why;
  const auto regex = Regex::compile(expression, options, why);
  if (!regex) return "error: " + why;
  const auto match = regex->find(text);
  return match ? text.substr(match->begin, match->end - match->begin) : "-";
}

TEST(Regex, FindsTheFirstMatch) {
  EXPECT_EQ(first("b+", "abbbc"), "bbb");
  EXPECT_EQ(first("a|ab", "xab"), "a");  // as Perl, ripgrep and JavaScript have it
  EXPECT_EQ(first("a.*?c", "abcbc"), "abc");
  EXPECT_EQ(first("[^a-c\\d]+", "ab1xyzc"), "xyz");
  EXPECT_EQ(first("[]x]+", "a]x]"), "]x]");
  EXPECT_EQ(first("a{2,3}", "aaaa"), "aaa");
  EXPECT_EQ(first("h.llo", "hällo"), "hällo");
  EXPECT_EQ(first("ÄH", "äh", {.ignore_case = true}), "äh");
  EXPECT_EQ(first("^b$", "a\nb\nc"), "-");
  EXPECT_EQ(first("^b$", "a\nb\nc", {.lines = true}), "b");
  EXPECT_EQ(first("a.c", "a\nc"), "-");
  EXPECT_EQ(first("(?s)a.c", "a\nc"), "a\nc");
  EXPECT_EQ(first("", "abc"), "");
}

TEST(Regex, GoesOnBehindAMatch) {
  const Regex regex = Regex::compile("\\bcat").value();
  const std::string_view text = "cat concat cat";
  EXPECT_EQ(regex.find(text), (Regex::Span{0, 3}));
  EXPECT_EQ(regex.find(text, 1), (Regex::Span{11, 14}));  // what is before still counts
  EXPECT_EQ(regex.find(text, 7), (Regex::Span{11, 14}));
  EXPECT_EQ(regex.find(text, 14), std::nullopt);
  EXPECT_EQ(regex.find(text, 15), std::nullopt);
  EXPECT_EQ(Regex::compile("^c").value().find(text, 4), std::nullopt);
  EXPECT_EQ(Regex::compile("$").value().find(text, 14), (Regex::Span{14, 14}));
  EXPECT_EQ(Regex::compile("x*").value().find({}), (Regex::Span{0, 0}));
}

TEST(Regex, AgreesWithTheStandardLibrary) {
  const char* expressions[] = {"a+b",      "(a|b)*c",     "ab?c",
                               "[ab]{2}",  "a.c",         "(ab|a)(bc|c)",
                               "b(a|c)?b", "^(?!a*b).*c", "^(?=.*ab)(?!.*cc)b",
                               "^(?!a|b)", "a*?b"};
  std::uint64_t state = 1;
  for (int i = 0; i < 500; ++i) {
    std::string text;
    for (int j = 0; j < 12; ++j) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      text += static_cast<char>('a' + (state >> 60) % 3);
    }
    for (const char* expression : expressions) {
      const std::regex standard(expression, std::regex::ECMAScript);
      std::smatch match;
      const bool hit = std::regex_search(text, match, standard);
      EXPECT_EQ(first(expression, text), hit ? match.str() : "-") << expression << " in " << text;
    }
  }
}

TEST(Regex, LooksAheadAtTheBeginning) {
  EXPECT_TRUE(found("^(?!.*TWO).*ONE", "ONE and more"));
  EXPECT_FALSE(found("^(?!.*TWO).*ONE", "ONE and TWO"));
  EXPECT_TRUE(found("^(?!Read$|Write$).*", "Bash"));
  EXPECT_FALSE(found("^(?!Read$|Write$).*", "Write"));
  EXPECT_TRUE(found("^(?!Read$|Write$).*", "WriteAll"));
  EXPECT_FALSE(found("(?i)^(?!bash)", "BASH"));
  EXPECT_FALSE(found("^(?=.*a)(?=.*b)(?!.*c)", "bca"));
  EXPECT_TRUE(found("^(?=.*a)(?=.*b)(?!.*c)", "bda"));
  EXPECT_TRUE(found("^(?![)(|]x\\))y", "y"));  // brackets in a set and behind a backslash
  EXPECT_FALSE(found("^(?![)(|]x\\))y", ")x)y"));
  EXPECT_FALSE(found("^(?!(a|b)c)", "bc"));
  EXPECT_FALSE(found("^(?![[:alpha:])]1)", "z1"));
  EXPECT_EQ(first("^(?!b)a+", "aab"), "aa");
}

TEST(Regex, BadExpressionsSayWhy) {
  constexpr const char* kAhead =
      "error: look-ahead is supported only right behind a ^ at the beginning of the text, and not "
      "beside |";
  constexpr const char* kBehind =
      "error: look-behind and groups named (?<name>...) are not supported";
  const struct {
    const char *expression, *message;
  } cases[] = {
      {"a(b", "error: missing )"},
      {"ab)", "error: there is no group for this )"},
      {"[ab", "error: missing ]: [ab"},
      {"*a", "error: no argument for repetition operator: *"},
      {"a**", "error: bad repetition operator: **"},
      {"a{3,2}",
       "error: repetitions are from less to more, and 1000 at most with those around them: {3,2}"},
      {"[z-a]", "error: invalid character class range: z-a"},
      {"\\q", "error: invalid escape sequence: \\q"},
      {"(a)\\1", "error: back references are not supported: \\1"},
      {"a\\", "error: trailing \\"},
      {"\xff", "error: invalid UTF-8"},
      {"a(?=b)", kAhead},
      {"(?!a)b", kAhead},
      {"^(?!a)b|c", kAhead},
      {"^(?!a)*b", kAhead},
      {"^(?!a", kAhead},
      {"^(?!\\Qa)\\E)b", kAhead},
      {"(?m)^(?!a)b", kAhead},
      {"^(?!a(?=b))c", kAhead},
      {"(?<=a)b", kBehind},
      {"(?<name>a)", kBehind},
  };
  for (const auto& [expression, message] : cases) {
    EXPECT_EQ(first(expression, ""), message) << expression;
  }
  EXPECT_EQ(first("^(?!a)b", "", {.lines = true}), kAhead);
}

std::string times(std::string_view text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST(Regex, HostileExpressionsAreRefused) {
  const std::string cases[] = {
      "((a?){1000}){10}",
      times("(a?){1000}", 10),
      std::string(20'000, 'a'),
      std::string(100'000, '('),
      std::string(60'000, '('),
      times("[", 60'000),
      "^" + times("(?!", 20'000),
      "^" + times("(?!a", 10'000) + times(")", 10'000),
      "((a{1000}){1000}){1000}",
      "(((()){1000}){1000}){1000}",
      "a{99999}",
      "\\pL{1000}",
      "(.{1,1000}){1,1000}",
  };
  for (const std::string& expression : cases) {
    EXPECT_TRUE(first(expression, "a").starts_with("error: ")) << expression.substr(0, 40);
  }
}

TEST(Regex, DeepExpressionsTakeNoStack) {
  for (const std::string& expression :
       {times("(", 30'000) + "a" + times(")", 30'000),
        times("(?:", 10'000) + "a" + times(")*", 10'000), times("(a|", 900) + times(")", 900),
        times("(a(b", 400) + times(")?)+", 400)}) {
    if (const auto regex = Regex::compile(expression)) {
      EXPECT_TRUE(regex->found_in("ab")) << expression.substr(0, 40);
      static_cast<void>(regex->required_text());
    }
  }
}

TEST(Regex, HostileExpressionsTakeLinearTime) {
  // Backtracking engines need longer than the universe for these.
  const std::string text(2'000'000, 'a');
  for (const char* expression :
       {"(a*)*b", "(a*)*(a*)*(a*)*b", "(a|aa)+$b", "(a?){900}b", "(x+x+)+y", "(.*)*(.*)*b",
        "^(?=(a*)*b)", "(a*){1000}(a*){1000}(a*){1000}b"}) {
    EXPECT_FALSE(found(expression, text)) << expression;
  }
  EXPECT_TRUE(found("^(?!.*b).*a$", text));
}

TEST(Regex, RequiredTextIsInEveryMatch) {
  const auto required = [](std::string_view expression) {
    return Regex::compile(expression).value().required_text();
  };
  EXPECT_EQ(required("Foo.*BarBaz"), "barbaz");
  EXPECT_EQ(required("foobar?"), "fooba");
  EXPECT_EQ(required("(abc)?de"), "de");
  EXPECT_EQ(required("(foo|bar)baz"), "baz");
  EXPECT_EQ(required("error\\s5\\d\\d"), "error");
  EXPECT_EQ(required("foo|bar"), "");
  EXPECT_EQ(required("foo|.*"), "");
  EXPECT_EQ(required(".*"), "");
  EXPECT_EQ(required("^(?!foo).*bar"), "bar");
  std::string many = "word0";
  for (int i = 1; i < 1000; ++i) many += "|word" + std::to_string(i);
  EXPECT_EQ(required(many), "");
}

TEST(Regex, OneServesSeveralThreads) {
  const Regex regex = Regex::compile("(a|b)*a(a|b){5}c").value();
  std::vector<std::jthread> threads;
  std::atomic<int> hits = 0;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([copy = regex, &hits, i] {
      std::string text;
      for (int j = 0; j < 20'000; ++j) text += ((j * (i + 3)) / 7) % 2 == 0 ? 'a' : 'b';
      if (!copy.found_in(text)) ++hits;
      if (copy.found_in(text + "aaaaaac")) ++hits;
    });
  }
  threads.clear();
  EXPECT_EQ(hits, 8);
}

}  // namespace
}  // namespace parley
