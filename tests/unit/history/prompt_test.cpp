// Prompts, and bytes that are looked for.
#include "history/listing/prompt.hpp"

#include <gtest/gtest.h>

#include "history/scan/find_bytes.hpp"
#include "history/search/pattern.hpp"

namespace parley::history {
namespace {

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

}  // namespace
}  // namespace parley::history
