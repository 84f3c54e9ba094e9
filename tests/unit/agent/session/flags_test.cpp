// The command line: what is accepted, what is refused, and in which words.
#include "agent/session/config/flags.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parley::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<std::string> kStream = {"--output-format", "stream-json", "--input-format",
                                          "stream-json", "--verbose"};

CommandLine parse(std::vector<std::string> more, bool stream = true) {
  std::vector<std::string> all = stream ? kStream : std::vector<std::string>{};
  all.insert(all.end(), more.begin(), more.end());
  return parse_command_line(all);
}

std::string refusal(std::vector<std::string> more, bool stream = true) {
  const CommandLine line = parse(std::move(more), stream);
  if (!line.end) return "accepted";
  EXPECT_EQ(line.end->code, 1);
  EXPECT_EQ(line.end->out, "");
  return line.end->err;
}

TEST(Flags, AStreamIsAConversationWithoutPrint) {
  const CommandLine line = parse({});
  ASSERT_FALSE(line.end);
  EXPECT_TRUE(line.flags.print);
  EXPECT_EQ(line.flags.input, Format::stream_json);
}

TEST(Flags, ValuesComeAsNextWordOrBehindAnEqualsSign) {
  EXPECT_EQ(parse({"--model", "opus"}).flags.model, "opus");
  EXPECT_EQ(parse({"--model=opus"}).flags.model, "opus");
  EXPECT_EQ(parse({"--system-prompt", "-not a flag"}).flags.system_prompt, "-not a flag");
  EXPECT_EQ(parse({"--append-system-prompt="}).flags.append_system_prompt, "");
}

TEST(Flags, ListsOfToolsKeepTheirRulesWhole) {
  const Flags flags = parse({"--allowedTools", "Bash(git log:*, x) Edit,Read", "mcp__a__b"}).flags;
  EXPECT_THAT(flags.allowed_tools, ElementsAre("Bash(git log:*, x)", "Edit", "Read", "mcp__a__b"));
}

TEST(Flags, NoToolsAreNotTheDefaultTools) {
  EXPECT_FALSE(parse({}).flags.tools);
  ASSERT_TRUE(parse({"--tools="}).flags.tools);
  EXPECT_TRUE(parse({"--tools="}).flags.tools->empty());
  EXPECT_THAT(*parse({"--tools", "Read,Grep"}).flags.tools, ElementsAre("Read", "Grep"));
}

TEST(Flags, TheFirstWordIsThePrompt) {
  const CommandLine line = parse({"-p", "say hi", "and this is ignored"}, false);
  ASSERT_FALSE(line.end);
  EXPECT_EQ(line.flags.prompt, "say hi");
  EXPECT_EQ(parse({"-p", "--", "--not-a-flag"}, false).flags.prompt, "--not-a-flag");
}

TEST(Flags, WhatComesLaterIsAcceptedAndNamed) {
  const Flags flags = parse({"--plugin-dir", "x", "--bare", "--from-pr=1"}).flags;
  EXPECT_THAT(flags.without_effect, ElementsAre("--plugin-dir", "--bare", "--from-pr"));
}

TEST(Flags, ServersAreFilesOrJsonInOrder) {
  const Flags flags = parse({"--mcp-config", "{\"a\": 1}", "b.json", "--strict-mcp-config"}).flags;
  EXPECT_THAT(flags.mcp_configs, ElementsAre("{\"a\": 1}", "b.json"));
  EXPECT_TRUE(flags.strict_mcp_config);
}

TEST(Flags, RefusalsAreThoseOfTheRealOne) {
  EXPECT_EQ(refusal({"--no-such-flag"}), "error: unknown option '--no-such-flag'\n");
  EXPECT_EQ(refusal({"-Z"}), "error: unknown option '-Z'\n");
  EXPECT_EQ(refusal({"--model"}), "error: option '--model <model>' argument missing\n");
  EXPECT_EQ(refusal({"--permission-mode", "nonsense"}),
            "error: option '--permission-mode <mode>' argument 'nonsense' is invalid. Allowed "
            "choices are acceptEdits, auto, bypassPermissions, manual, dontAsk, plan.\n");
  EXPECT_EQ(refusal({"-p", "hi", "--output-format", "stream-json"}, false),
            "Error: When using --print, --output-format=stream-json requires --verbose\n");
  EXPECT_EQ(refusal({"-p", "--input-format", "stream-json", "--output-format", "json"}, false),
            "Error: --input-format=stream-json requires output-format=stream-json.\n");
  EXPECT_EQ(
      refusal({"-p", "hi", "--include-partial-messages"}, false),
      "Error: --include-partial-messages requires --print and --output-format=stream-json.\n");
  EXPECT_THAT(refusal({"--session-id", "abc"}), HasSubstr("Invalid session ID"));
  EXPECT_THAT(refusal({"--max-turns", "many"}), HasSubstr("argument 'many' is invalid"));
  EXPECT_THAT(refusal({"--max-turns", "-1"}), HasSubstr("argument '-1' is invalid"));
  EXPECT_THAT(refusal({"--setting-sources", "user,team"}),
              HasSubstr("Invalid setting source: team"));
  EXPECT_THAT(refusal({"--model", "a", "--fallback-model", "a"}), HasSubstr("cannot be the same"));
}

TEST(Flags, VersionAndHelpEndWell) {
  const CommandLine version = parse_command_line({"--version"});
  ASSERT_TRUE(version.end);
  EXPECT_EQ(version.end->code, 0);
  EXPECT_THAT(version.end->out, ::testing::StartsWith("2.1.325 "));
  const CommandLine help = parse_command_line({"--help"});
  ASSERT_TRUE(help.end);
  EXPECT_THAT(help.end->out, HasSubstr("--permission-prompt-tool <tool>"));
}

}  // namespace
}  // namespace parley::agent
