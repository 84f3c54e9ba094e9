// A model that calls tools in ways nobody described to it.
#include <filesystem>

#include "hostile.hpp"

namespace parley::testing {
namespace {

class HostileCalls : public HostileTest {};

struct BadCall {
  const char* name;
  Call call;
};
void PrintTo(const BadCall& bad, std::ostream* out) { *out << bad.name; }

class BadToolCall : public HostileCalls, public ::testing::WithParamInterface<BadCall> {};

TEST_P(BadToolCall, IsAToolError) {
  const AgentEnd end = turn({events(call_events({GetParam().call}))});
  EXPECT_EQ(end.result()["result"].as_string(), "done") << end.result().dump();
  ASSERT_EQ(end.tool_results().size(), 1u);
  EXPECT_TRUE(end.tool_results()[0]["is_error"].as_bool()) << end.tool_results()[0].dump();
  EXPECT_TRUE(std::filesystem::is_empty(workspace_.work()));
}

INSTANTIATE_TEST_SUITE_P(
    All, BadToolCall,
    ::testing::Values(
        BadCall{"NotAnObject", {"Bash", "[1,2]"}}, BadCall{"AText", {"Bash", "\"touch x\""}},
        BadCall{"ANumber", {"Bash", "42"}}, BadCall{"JustNull", {"Bash", "null"}},
        BadCall{"CutJson", {"Bash", R"({"command":"touch x)"}},
        BadCall{"TwoObjects", {"Bash", R"({"command":"touch x"}{"command":"touch y"})"}},
        BadCall{"TrailingComma", {"Bash", R"({"command":"touch x",})"}},
        BadCall{"DeepJson", {"Bash", std::string(50'000, '[')}},
        BadCall{"DeepInput", {"Bash", "{\"command\":" + std::string(50'000, '[')}},
        BadCall{"NothingGiven", {"Bash", "{}"}},
        BadCall{"WrongType", {"Bash", R"({"command":["touch","x"]})"}},
        BadCall{"NullCommand", {"Bash", R"({"command":null})"}},
        BadCall{"TimeoutIsText", {"Bash", R"({"command":"touch x","timeout":"soon"})"}},
        BadCall{"UnknownField", {"Bash", R"({"command":"touch x","sudo":true})"}},
        BadCall{"NulInACommand", {"Bash", R"({"command":"touch x\u0000y"})"}},
        BadCall{"UnknownTool", {"Teleport", R"({"to":"home"})"}},
        BadCall{"ToolWithoutName", {"", "{}"}},
        BadCall{"NameWithControlCharacters", {"Ba\x01\x1bsh", "{}"}},
        BadCall{"HugeName", {std::string(100'000, 'B'), "{}"}},
        BadCall{"NulInAPath", {"Write", R"({"file_path":"a\u0000b","content":"x"})"}},
        BadCall{"HugePath",
                {"Write", R"({"file_path":")" + std::string(100'000, 'a') + R"(","content":"x"})"}},
        BadCall{"DeepPath",
                {"Write", R"({"file_path":")" +
                              [] {
                                std::string path;
                                for (int i = 0; i < 5000; ++i) path += "a/";
                                return path;
                              }() +
                              R"(x","content":"x"})"}},
        BadCall{"EmptyPath", {"Read", R"({"file_path":""})"}},
        BadCall{"NegativeLimit", {"Read", R"({"file_path":"x","offset":-9,"limit":-1})"}},
        BadCall{"HugeOffset", {"Read", R"({"file_path":"x","offset":1e300})"}},
        BadCall{"BadExpression", {"Grep", R"({"pattern":"(((((","output_mode":"content"})"}}),
    [](const auto& bad) { return std::string(bad.param.name); });

TEST_F(HostileCalls, SameIdTwice) {
  const std::string input = R"({"command":"echo x >> file"})";
  const AgentEnd end =
      turn({events(call_events({{"Bash", input, "toolu_1"}, {"Bash", input, "toolu_1"}}))});
  EXPECT_EQ(end.result()["result"].as_string(), "done");
}

TEST_F(HostileCalls, EmptyId) {
  const AgentEnd end = turn({events(call_events({{"Bash", R"({"command":"true"})", ""}}))});
  EXPECT_EQ(end.result()["result"].as_string(), "done");
}

TEST_F(HostileCalls, TwoHundredAtOnce) {
  std::vector<Call> calls;
  for (int i = 0; i < 200; ++i) {
    const std::string number = std::to_string(i);
    workspace_.write("f" + number, std::string(10'000, 'x'));
    if (i % 2 == 0) {
      calls.push_back({"Read", R"({"file_path":"f)" + number + "\"}", "toolu_" + number});
    } else {
      calls.push_back({"Bash", R"({"command":"echo )" + number + "\"}", "toolu_" + number});
    }
  }
  const AgentEnd end = turn({events(call_events(calls))}, {60s, 128});
  EXPECT_EQ(end.tool_results().size(), 200u);
}

TEST_F(HostileCalls, ForEverTheSameCall) {
  const Reply again = events(call_events({{"Bash", R"({"command":"true"})"}}));
  const AgentEnd end = turn(std::vector<Reply>(1000, again), {},
                            {"--permission-mode", "bypassPermissions", "--max-turns", "10"});
  EXPECT_EQ(end.result()["subtype"].as_string(), "error_max_turns");
}

TEST_F(HostileCalls, ExpressionsThatTakeForEver) {
  workspace_.write("text", std::string(50'000, 'a') + "!");
  call("Grep", Json::object({{"pattern", "(a+)+$"}, {"output_mode", "content"}}), {30s, 128});
  call("Glob", Json::object({{"pattern", "**/**/**/**/**/**/*a*a*a*a*a*a*a*a*b"}}), {30s, 128});
}

}  // namespace
}  // namespace parley::testing
