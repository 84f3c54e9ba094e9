// What a rule keeps from being read is in no search, list or mention of a session either.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "agent/assembly/agent_session.hpp"
#include "agent/tools/toolbox.hpp"
#include "agent/turn/mentions.hpp"
#include "support/files/temporary.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

/// A session in a folder with an open file and, below, one that its rules hide.
class HiddenFromSession : public ::testing::Test {
 protected:
  HiddenFromSession() {
    fs::create_directory(folder_ / "src");
    for (const char* file : {"src/open.txt", "src/secret.txt"}) {
      std::ofstream(folder_ / file) << "needle\n";
    }
    Flags flags;
    flags.no_session_persistence = true;
    flags.disallowed_tools = {"Read(src/secret.txt)"};
    const Environment environment{{"HOME", folder_.string()}, {"PATH", "/usr/bin:/bin"}};
    config_ = std::make_unique<SessionConfig>(flags, environment, folder_.string());
    EXPECT_TRUE(config_->load().ok());
    output_ = std::make_unique<Output>(config_->flags.output, config_->flags.verbose);
    output_->mute();
    session_ = std::make_unique<AgentSession>(*config_, *output_);
    EXPECT_TRUE(session_->resume().ok());
  }

  std::string call(std::string_view tool, const Json& input) {
    const ToolCall call{"toolu_1", RawJson(input.dump()), {}, session_->turns().turn.tools.state()};
    const ToolOutput output = find_tool(tool)->run(call);
    EXPECT_FALSE(output.is_error);
    const auto* text = std::get_if<std::string>(&output.content);
    return text == nullptr ? std::string() : *text;
  }
  static void expect_open_only(const std::string& text) {
    EXPECT_NE(text.find("open.txt"), std::string::npos) << text;
    EXPECT_EQ(text.find("secret"), std::string::npos) << text;
  }

  const TemporaryFolder temporary_ = TemporaryFolder::make("hidden-").value();
  const fs::path folder_ = fs::canonical(temporary_.path());
  std::unique_ptr<SessionConfig> config_;
  std::unique_ptr<Output> output_;
  std::unique_ptr<AgentSession> session_;
};

TEST_F(HiddenFromSession, ToolsThatSearchAndList) {
  expect_open_only(call("Grep", Json::object({{"pattern", "needle"}})));
  expect_open_only(call("Glob", Json::object({{"pattern", "**/*.txt"}})));
  expect_open_only(call("LS", Json::object({{"path", (folder_ / "src").string()}})));
}

TEST_F(HiddenFromSession, MentionsOfFolders) {
  const auto texts = read_mentions(session_->turns().turn, "look at @src and @src/secret.txt");
  ASSERT_EQ(texts.size(), 1u);
  expect_open_only(texts.front());
}

}  // namespace
}  // namespace parley::agent
