#include "agent/turn/prompt_suggestion.hpp"

#include <gtest/gtest.h>

namespace parley::agent {
namespace {

TEST(PromptSuggestion, IsAShortLine) {
  EXPECT_EQ(as_suggestion("run the tests"), "run the tests");
  EXPECT_EQ(as_suggestion(" \n\"commit this\"\n"), "commit this");
  EXPECT_EQ(as_suggestion("führe die Tests aus"), "führe die Tests aus");
}

TEST(PromptSuggestion, IsNotWhateverAModelSays) {
  EXPECT_EQ(as_suggestion(""), std::nullopt);
  EXPECT_EQ(as_suggestion(" \n"), std::nullopt);
  EXPECT_EQ(as_suggestion("ok"), std::nullopt);
  EXPECT_EQ(as_suggestion("first\nthen second"), std::nullopt);
  EXPECT_EQ(as_suggestion("a b c d e f g h i j k l m"), std::nullopt);
  EXPECT_EQ(as_suggestion(std::string(60, 'x') + " " + std::string(60, 'y')), std::nullopt);
}

}  // namespace
}  // namespace parley::agent
