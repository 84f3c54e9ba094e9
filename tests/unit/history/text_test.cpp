// Text, times, prompts and lines.
#include "history/files/text.hpp"

#include <gtest/gtest.h>

#include "history/export/line_diff.hpp"
#include "history/listing/prompt.hpp"
#include "history/scan/find_bytes.hpp"
#include "history/search/pattern.hpp"
#include "wire/ids.hpp"

namespace parley::history {
namespace {

TEST(HistoryText, TrimsUnicodeSpaces) {
  EXPECT_EQ(trimmed("\u00a0 \t a b \u3000\n"), "a b");
  EXPECT_EQ(trimmed(" \u2003 "), "");
  EXPECT_EQ(trimmed("ä"), "ä");
}

TEST(HistoryText, CountsLikeJavaScript) {
  EXPECT_EQ(length_in_units("a😀é"), 4U);
  EXPECT_EQ(first_units("a😀é", 2), "a");  // no half of a character
  EXPECT_EQ(first_units("a😀é", 3), "a😀");
}

TEST(HistoryText, TimesGoBothWays) {
  const std::string text = "2026-11-15T09:05:10.619Z";
  const auto time = parse_time(text);
  ASSERT_TRUE(time);
  EXPECT_EQ(*time, 1794733510619);
  EXPECT_EQ(format_time(*time), text);
  EXPECT_EQ(parse_time("2026-11-15T10:05:10.619+01:00"), *time);
  EXPECT_EQ(parse_time("1969-12-31T23:59:59.999Z"), -1);
  EXPECT_EQ(format_time(-1), "1969-12-31T23:59:59.999Z");
  for (const char* bad : {"", "x", "2026-13-01", "2026-02-30T00:00:00Z", "2026-11-15T25:00Z",
                          "2026-11-15T10:00:00", "2026-11-15 10:00:00Z", "2026-11-15T"}) {
    EXPECT_FALSE(parse_time(bad)) << bad;
  }
}

TEST(HistoryText, UuidsAreSessionIds) {
  EXPECT_TRUE(is_session_id(new_uuid()));
  EXPECT_NE(new_uuid(), new_uuid());
}

Json user(const Json& content) {
  return Json::object({{"type", "user"}, {"message", Json::object({{"content", content}})}});
}

TEST(HistoryPrompt, TakesWhatAPersonTyped) {
  std::string command;
  EXPECT_EQ(prompt_of(user("  fix\nthe bug "), command), "fix the bug");
  EXPECT_EQ(prompt_of(user("<bash-input> ls -l </bash-input>"), command), "! ls -l");
  EXPECT_EQ(prompt_of(user("<local-command-stdout>x</local-command-stdout>"), command),
            std::nullopt);
  EXPECT_EQ(prompt_of(user("[Request interrupted by user]"), command), std::nullopt);
  EXPECT_EQ(command, "");
  EXPECT_EQ(prompt_of(user("<command-name>/clear</command-name>"), command), std::nullopt);
  EXPECT_EQ(command, "/clear");
  EXPECT_EQ(prompt_of(user("a <b> is no tag at the beginning"), command),
            "a <b> is no tag at the beginning");
  EXPECT_EQ(prompt_of(user("see\n\n<pasted_content id=\"0a1b\">\ncode\n</pasted_content "
                           "id=\"0a1b\">\n\nplease"),
                      command),
            "seecodeplease");
  EXPECT_EQ(*prompt_of(user(std::string(300, 'x')), command), std::string(200, 'x') + "…");
}

TEST(HistoryFindBytes, FindsAtEveryPlace) {
  for (std::size_t size = 1; size < 80; ++size) {
    for (std::size_t at = 0; at + 3 <= size; ++at) {
      std::string text(size, 'x');
      text.replace(at, 3, "aBc");
      EXPECT_EQ(find_bytes(text, "aBc"), at);
      EXPECT_EQ(find_bytes(text, "aBc", at + 1), std::string::npos);
      EXPECT_EQ(find_last_bytes(text, "aBc"), at);
      EXPECT_EQ(find_last_bytes(text + "aBc" + text, "aBc"), size + 3 + at);
      EXPECT_EQ(find_last_bytes(std::string_view(text).substr(0, at + 2), "aBc"),
                std::string_view::npos);
      EXPECT_EQ(find_ignoring_case(text, "abc"), at);
      EXPECT_EQ(find_ignoring_case(text, "abc", at + 1), std::string_view::npos);
    }
  }
  EXPECT_EQ(find_bytes("a", "aa"), std::string_view::npos);
  EXPECT_EQ(find_last_bytes("a", "aa"), std::string_view::npos);
  EXPECT_EQ(find_last_bytes("", "a"), std::string_view::npos);
  EXPECT_EQ(find_last_bytes("baab", "a"), 2U);
  EXPECT_EQ(find_ignoring_case("@", "`"), std::string_view::npos);  // differ in the case bit only
}

TEST(HistoryLineDiff, ShowsWhatChanged) {
  std::string shown;
  for (const DiffLine& line : line_diff("a\nb\nc\nd\n", "a\nx\nc\nd\ne")) {
    shown += line.mark + std::string(line.text) + "|";
  }
  EXPECT_EQ(shown, " a|-b|+x| c| d|+e|");
  EXPECT_TRUE(line_diff("", "").empty());
}

}  // namespace
}  // namespace parley::history
