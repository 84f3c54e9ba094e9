#include "model/script.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace parley::model {
namespace {

std::string problem(std::string_view text, std::size_t run = 0) {
  const auto script = Script::parse(text, run);
  return script ? "" : script.error().what();
}

TEST(Script, ListOfTurns) {
  const auto script = Script::parse(
      R"([{"content":[{"type":"text","text":"hi"}],"stop_reason":"refusal","chunk":3},
          {"status":429,"error":{"type":"error"},"headers":{"retry-after":"1"},"repeat":true},
          {"when_last":"x","aux":true,"drop":true},
          {"raw_sse":"data: x\n\n","hang":true,"delay_ms":5,"hang_ms":7,"hang_after":2}])");
  ASSERT_TRUE(script) << script.error().what();
  ASSERT_EQ(script->turns.size(), 4U);
  EXPECT_EQ(script->turns[0].turn.content.size(), 1U);
  EXPECT_EQ(script->turns[0].turn.stop_reason, "refusal");
  EXPECT_EQ(script->turns[0].turn.chunk, 3U);
  EXPECT_FALSE(script->turns[0].conditional());
  EXPECT_EQ(script->turns[1].turn.status, 429);
  EXPECT_EQ(script->turns[1].turn.headers.get("retry-after"), "1");
  EXPECT_TRUE(script->turns[1].repeat);
  EXPECT_TRUE(script->turns[2].conditional());
  EXPECT_EQ(script->turns[3].turn.delay.count(), 5);
  EXPECT_EQ(script->turns[3].turn.hang_for->count(), 7);
}

TEST(Script, Scenarios) {
  const auto one = Script::parse(
      R"({"name":"x","argv":[],"aux":"side","tools_zero_main":true,"api":[{"drop":true}]})");
  ASSERT_TRUE(one) << one.error().what();
  EXPECT_EQ(one->aux, "side");
  EXPECT_TRUE(one->tools_zero_main);
  EXPECT_EQ(one->turns.size(), 1U);
  constexpr std::string_view kRuns = R"({"runs":[{"api":[]},{"api":[{"drop":true}]}]})";
  EXPECT_EQ(Script::parse(kRuns)->turns.size(), 0U);
  EXPECT_EQ(Script::parse(kRuns, 1)->turns.size(), 1U);
  EXPECT_EQ(problem(kRuns, 2), "there is no run 2; the scenario has 2, from 0");
}

TEST(Script, ProblemsHaveAPlace) {
  const struct {
    std::string_view text, expected;
  } cases[] = {
      {"7", "expected list of turns"},
      {"[7]", "[0]: expected object"},
      {"[{}]", "[0]: a turn needs content, status, raw_sse or drop"},
      {R"({"argv":[]})", "api: missing"},
      {R"({"api":[],"spi":1})", "spi: unknown key"},
      {R"({"api":[{"drop":true,"when_lost":"x"}]})", "api[0].when_lost: unknown key"},
      {R"({"api":[{"drop":"yes"}]})", "api[0].drop: expected true or false"},
      {R"({"api":[{"content":{}}]})", "api[0].content: expected list of blocks"},
      {R"({"api":[{"content":[{"type":"text"}]}]})", "api[0].content[0].text: missing"},
      {R"({"api":[{"content":[{"type":"text","text":1}]}]})",
       "api[0].content[0].text: expected string"},
      {R"({"api":[{"content":[{"type":"text","text":"","txt":1}]}]})",
       "api[0].content[0].txt: unknown key"},
      {R"({"api":[{"content":[{"type":"tool_use","id":"a","name":"b"}]}]})",
       "api[0].content[0].input: missing"},
      {R"({"api":[{"status":42}]})", "api[0].status: expected a whole number from 200 to 599"},
      {R"({"api":[{"drop":true,"chunk":0}]})",
       "api[0].chunk: expected a whole number from 1 to 1000000000"},
      {R"({"api":[{"drop":true,"delay_ms":-1}]})",
       "api[0].delay_ms: expected a whole number from 0 to 86400000"},
      {R"({"api":[{"drop":true,"headers":{"a":"b\r\nc"}}]})",
       "api[0].headers.a: cannot be sent as a header field"},
      {R"({"api":[{"drop":true,"when_any":"("}]})",
       "api[0].when_any: bad regular expression: missing )"},
      {R"({"api":[{"drop":true,"when_any":"((a?){1000}){10}"}]})",
       "api[0].when_any: bad regular expression: repetitions are from less to more, and 1000 at "
       "most with those around them: {10}"},
      {R"({"api":[{"drop":true,"when_any":7}]})",
       "api[0].when_any: expected a regular expression, or an object with all and none"},
      {R"({"api":[{"drop":true,"when_any":{}}]})", "api[0].when_any: all and none are both empty"},
      {R"({"api":[{"drop":true,"when_any":{"some":[]}}]})", "api[0].when_any.some: unknown key"},
      {R"({"api":[{"drop":true,"when_any":{"all":"x"}}]})",
       "api[0].when_any.all: expected list of regular expressions"},
      {R"({"api":[{"drop":true,"when_any":{"all":["x"],"none":["y","("]}}]})",
       "api[0].when_any.none[1]: bad regular expression: missing )"},
      {R"({"runs":[{"api":[{"drop":true,"x":1}]}]})", "runs[0].api[0].x: unknown key"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(problem(text), expected) << text;
  EXPECT_NE(problem("[{"), "");
}

TEST(Script, Files) {
  EXPECT_EQ(Script::load("/nowhere/script.json").error().code(), ErrorCode::not_found);
  const auto file = std::filesystem::temp_directory_path() / "script_test.json";
  std::ofstream(file) << R"([{"drop":1}])";
  EXPECT_EQ(Script::load(file).error().context(), file.string() + ": [0].drop");
  EXPECT_FALSE(Script::load(file.parent_path()));
  std::filesystem::remove(file);
}

/// Everything that was recorded from the real CLIs was played from these.
TEST(Script, EveryRecordedScenario) {
  const char* root = std::getenv("PARLEY_SOURCE_DIR");
  ASSERT_NE(root, nullptr);
  int scripts = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           std::filesystem::path(root) / "tests/recordings")) {
    if (!entry.path().string().ends_with(".scenario.json")) continue;
    const auto script = Script::load(entry.path());
    EXPECT_TRUE(script) << script.error().what();
    ++scripts;
  }
  EXPECT_GT(scripts, 100);
}

}  // namespace
}  // namespace parley::model
