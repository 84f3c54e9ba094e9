#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "agent/mcp/config/config_sources.hpp"
#include "support/files/temporary.hpp"

namespace parley::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> names(const McpEntries& entries) {
  std::vector<std::string> list;
  for (const McpServerEntry& entry : entries.servers) {
    list.push_back(entry.name + " " + entry.scope + " " + entry.config.command.value_or("-"));
  }
  return list;
}

class ConfigTest : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path() / name) << text;
  }
  McpConfigSources sources() {
    McpConfigSources sources;
    sources.cwd = folder_.path();
    sources.global_config = folder_.path() / ".claude.json";
    return sources;
  }

  TemporaryFolder folder_ = TemporaryFolder::make("mcp-config-").value();
};

TEST_F(ConfigTest, LaterSourcesWinAndKeepThePlace) {
  write(".claude.json",
        R"({"mcpServers":{"u":{"command":"user"},"a":{"command":"user"}},"projects":{")" +
            folder_.path().string() + R"(":{"mcpServers":{"l":{"command":"local"}}}}})");
  write(".mcp.json", R"({"mcpServers":{"a":{"command":"project"},"p":{"command":"project"}}})");
  McpConfigSources all = sources();
  all.flags = {R"({"mcpServers":{"a":{"command":"flag"}}})"};
  EXPECT_THAT(names(collect_servers(all).value()),
              ElementsAre("u user user", "a dynamic flag", "p project project", "l local local"));
  all.strict = true;
  EXPECT_THAT(names(collect_servers(all).value()), ElementsAre("a dynamic flag"));
}

TEST_F(ConfigTest, SettingsTakeServersOfAProjectAway) {
  write(".mcp.json", R"({"mcpServers":{"a":{"command":"x"},"b":{"command":"x"}}})");
  McpConfigSources some = sources();
  some.settings = Json::parse(R"({"disabledMcpjsonServers":["b"]})").value();
  EXPECT_THAT(names(collect_servers(some).value()), ElementsAre("a project x"));
  some.project = false;
  EXPECT_THAT(names(collect_servers(some).value()), ElementsAre());
}

TEST_F(ConfigTest, FlagsAreFilesOrJson) {
  write("servers.json", R"({"mcpServers":{"f":{"type":"http","url":"http://x"}}})");
  McpConfigSources flag = sources();
  flag.flags = {"servers.json"};
  EXPECT_THAT(names(collect_servers(flag).value()), ElementsAre("f dynamic -"));
  flag.flags = {"nosuch.json"};
  EXPECT_THAT(collect_servers(flag).error().message(),
              HasSubstr("MCP config file not found: " + (folder_.path() / "nosuch.json").string()));
  flag.flags = {"{}"};
  EXPECT_FALSE(collect_servers(flag).ok());
  write("broken.json", "{");
  flag.flags = {"broken.json"};
  EXPECT_FALSE(collect_servers(flag).ok());
}

TEST_F(ConfigTest, BrokenFilesAreProblemsOfTheirOwn) {
  write(".mcp.json", "no json");
  const McpEntries entries = collect_servers(sources()).value();
  EXPECT_TRUE(entries.servers.empty());
  ASSERT_EQ(entries.problems.size(), 1U);
  EXPECT_THAT(*entries.problems[0].message, HasSubstr(".mcp.json"));
}

TEST(ServerEntry, BadEntriesCostThemselves) {
  const McpEntries entries =
      read_servers(Json::parse(R"({"x":{"command":5},"y":{"type":"http"},"z":7,"":{"command":"a"},
                      "other":{"type":"nonsense"},"good":{"command":"a","args":["b"]}})")
                       .value(),
                   "project", {});
  EXPECT_THAT(names(entries), ElementsAre("good project a"));
  ASSERT_EQ(entries.problems.size(), 4U);
  EXPECT_EQ(*entries.problems[0].message,
            "Skipped — invalid MCP server config for \"x\": command: expected string, received "
            "number");
  EXPECT_THAT(*entries.problems[1].message, HasSubstr("url: expected string, received undefined"));
}

TEST(ServerEntry, VariablesAreExpanded) {
  const McpVariables variables{{"A", "one"}};
  EXPECT_EQ(expand_variables("x ${A} ${B:-two} ${C} ${", variables), "x one two ${C} ${");
  const auto entry = read_server(
      "s", Json::parse(R"({"command":"${A}","args":["${A}"],"env":{"K":"${B:-z}"}})").value(),
      "user", variables);
  EXPECT_EQ(entry->config.command, "one");
  EXPECT_EQ(entry->config.args->at(0), "one");
  EXPECT_EQ(*entry->config.env->find("K"), "z");
}

TEST(ServerEntry, NullBytesAreRefused) {
  EXPECT_FALSE(
      read_server("s", Json::object({{"command", std::string("a\0b", 3)}}), "user", {}).ok());
}

}  // namespace
}  // namespace parley::agent
