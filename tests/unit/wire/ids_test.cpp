#include "wire/ids.hpp"

#include <gtest/gtest.h>

namespace parley {
namespace {

TEST(ProjectFolderName, EveryOtherCharacterBecomesADash) {
  EXPECT_EQ(project_folder_name("/tmp/p/work"), "-tmp-p-work");
  EXPECT_EQ(project_folder_name("/tmp/p/odd name.v1_x"), "-tmp-p-odd-name-v1-x");
  EXPECT_EQ(project_folder_name(""), "");
}

TEST(ProjectFolderName, CountsCharactersAsTheCliDoes) {
  EXPECT_EQ(project_folder_name("/\u00fc"), "--");         // one character, two bytes
  EXPECT_EQ(project_folder_name("/\u65e5"), "--");         // one character, three bytes
  EXPECT_EQ(project_folder_name("/\U0001F389x"), "---x");  // a surrogate pair counts twice
}

TEST(ProjectFolderName, LongNamesAreCutAndHashed) {
  const std::string path = "/" + std::string(199, 'a');
  EXPECT_EQ(project_folder_name(path), "-" + std::string(199, 'a'));
  // The hash was taken from the official SDK.
  EXPECT_EQ(project_folder_name("/" + std::string(250, 'a')),
            "-" + std::string(199, 'a') + "-feo44x");
  EXPECT_EQ(project_folder_name("/home/\u00fc/" + std::string(250, 'Z')),
            "-home---" + std::string(192, 'Z') + "-62m044");
}

TEST(SessionId, IsAUuid) {
  EXPECT_TRUE(is_session_id("dad0c3ca-2a69-4256-a7eb-4d9557abd590"));
  EXPECT_TRUE(is_session_id("DAD0C3CA-2A69-4256-A7EB-4D9557ABD590"));
  for (const char* bad :
       {"", "x", "dad0c3ca-2a69-4256-a7eb-4d9557abd59", "../../etc/passwd",
        "dad0c3ca_2a69-4256-a7eb-4d9557abd590", "gad0c3ca-2a69-4256-a7eb-4d9557abd590",
        "dad0c3ca-2a69-4256-a7eb-4d9557abd590x"}) {
    EXPECT_FALSE(is_session_id(bad)) << bad;
  }
}

TEST(CompositeId, JoinsAndSplits) {
  EXPECT_EQ(composite_id("", "toolu_1"), "toolu_1");
  EXPECT_EQ(composite_id("toolu_1", "toolu_2"), "toolu_1:toolu_2");
  EXPECT_EQ(composite_id(composite_id("a", "b"), "c"), "a:b:c");
  const auto [parent, child] = split_composite_id("a:b:c");
  EXPECT_EQ(parent, "a:b");
  EXPECT_EQ(child, "c");
  EXPECT_EQ(split_composite_id("plain").first, std::nullopt);
  EXPECT_EQ(split_composite_id("plain").second, "plain");
}

}  // namespace
}  // namespace parley
