#include <fstream>

#include "agent/session/config/front_matter.hpp"
#include "agents_fixture.hpp"

namespace parley::agent {
namespace {

using ::testing::ElementsAre;

TEST(FrontMatter, ReadsWhatPeopleWrite) {
  const FrontMatter head = read_front_matter(
      "---\nname: one\ndescription: \"Says: \\\"hi\\\"\"\ntools: Read, Bash(git:*, ls), Grep\n"
      "skills:\n  - a\n  - 'b c'\nlist: [x, \"y, z\"]\nlong: >\n  two\n  lines\n# a remark\n---\n\n"
      "The prompt.\n---\nstill the prompt\n");
  EXPECT_TRUE(head.found);
  EXPECT_EQ(head.text("name"), "one");
  EXPECT_EQ(head.text("description"), "Says: \"hi\"");
  EXPECT_THAT(head.list("tools"), ElementsAre("Read", "Bash(git:*, ls)", "Grep"));
  EXPECT_THAT(head.list("skills"), ElementsAre("a", "b c"));
  EXPECT_EQ(head.text("long"), "two lines");
  EXPECT_EQ(head.text("nothing"), "");
  EXPECT_EQ(head.body, "The prompt.\n---\nstill the prompt");
}

TEST(FrontMatter, IsNotThereWithoutItsEnd) {
  EXPECT_FALSE(read_front_matter("---\nname: x\n").found);
  EXPECT_FALSE(read_front_matter("name: x\n").found);
  EXPECT_FALSE(read_front_matter("").found);
}

TEST(AgentCatalog, TakesTheNearestOfTwo) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("catalog-test-" + make_uuid());
  const auto write = [&](const std::string& path, const std::string& text) {
    std::filesystem::create_directories((folder / path).parent_path());
    std::ofstream(folder / path) << text;
  };
  write("home/.claude/agents/dup.md", "---\nname: dup\ndescription: of the user\n---\nP");
  write("home/.claude/agents/mine.md", "---\nname: mine\ndescription: mine\nmodel: haiku\n---\nP");
  write("work/.claude/agents/dup.md", "---\nname: dup\ndescription: of the project\n---\nP");
  write(
      "work/.claude/agents/deep/down.md",
      "---\nname: down\ndescription: deep\ntools: Read\npermissionMode: plan\nmaxTurns: 3\n---\nP");
  write("work/.claude/agents/broken.md", "no head");
  Flags flags;
  flags.agents = R"({"flag":{"description":"by flag","prompt":"p"}})";
  SessionConfig config(flags, {{"HOME", (folder / "home").string()}}, (folder / "work").string());
  ASSERT_TRUE(config.load());
  AgentCatalog catalog(config);
  EXPECT_EQ(catalog.find("dup")->definition.description, "of the project");
  EXPECT_EQ(catalog.find("mine")->definition.model, "haiku");
  EXPECT_EQ(catalog.find("down")->definition.maxTurns, 3);
  EXPECT_EQ(catalog.find("down")->definition.permissionMode, PermissionMode::plan);
  EXPECT_THAT(*catalog.find("down")->definition.tools, ElementsAre("Read"));
  EXPECT_EQ(catalog.find("broken"), std::nullopt);
  Map<AgentDefinition> more;
  more["flag"].description = "of the client";
  catalog.add(more);
  EXPECT_EQ(catalog.find("flag")->definition.description, "of the client");
  EXPECT_EQ(catalog.names(),
            "claude, down, dup, Explore, flag, general-purpose, mine, Plan, statusline-setup");
  std::filesystem::remove_all(folder);
}

TEST(AgentCatalog, SaysWhatIsWrongWithAFlag) {
  EXPECT_FALSE(read_agents("not json"));
  EXPECT_FALSE(read_agents("[]"));
  EXPECT_FALSE(read_agents(R"({"x":{"description":1}})"));
}

}  // namespace
}  // namespace parley::agent
