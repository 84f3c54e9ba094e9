// Tools of the program itself, as the real CLI lists, calls and cancels them.
#include <atomic>
#include <fstream>
#include <future>
#include <latch>

#include "support.hpp"

namespace parley::real {

struct AddArgs {
  double a = 0, b = 0;
};
PARLEY_FIELDS(AddArgs, a, b)

struct Sum {
  double sum = 0;
};
PARLEY_FIELDS(Sum, sum)

namespace {

using ToolsTest = RealCli;

/// A script of one call of `tool` and a closing word.
std::string one_call(const std::string& tool) {
  return turns({tool_turn("mcp__calc__" + tool, R"({"a":2,"b":3})"), text_turn("Done.")});
}

Options with(Options options, const McpServer& server, const std::vector<std::string>& tools) {
  options.tools.in_process.push_back(server);
  for (const std::string& tool : tools) options.tools.allowed.push_back(server.full_name(tool));
  return options;
}

/// Whether the last request to the model offered a tool of that name.
bool offered(const Model& model, const std::string& name) {
  const Json tools = model.requests().back()["tools"];
  for (const Json& tool : tools.items()) {
    if (tool["name"].as_string() == name) return true;
  }
  return false;
}

TEST_F(ToolsTest, CallAndItsResult) {
  script(one_call("add"));
  McpServer calc("calc");
  calc.add(tool("add", "Adds two numbers", [](const AddArgs& x) { return x.a + x.b; }));
  Session session(with(options(), calc, {"add"}));
  ASSERT_TRUE(session.connect());
  const TakenTurn turn = take_turn(session, "calculate");
  ASSERT_TRUE(turn.result) << turn.result.error().what();
  EXPECT_EQ(results_of(turn.messages), "5");
}

TEST_F(ToolsTest, ErrorsAreToldToTheModel) {
  script(
      turns({tool_turn("mcp__calc__fail", R"({"a":1,"b":1})"),
             tool_turn("mcp__calc__throw", R"({"a":1,"b":1})", "toolu_02"),
             tool_turn("mcp__calc__fail", R"({"a":"one","b":1})", "toolu_03"), text_turn("Oh.")}));
  McpServer calc("calc");
  calc.add(tool("fail", "Fails", [](const AddArgs&) { return ToolOutput::error("TOOL-FAILED"); }));
  calc.add(tool("throw", "Throws",
                [](const AddArgs&) -> ToolOutput { throw std::runtime_error("TOOL-THREW"); }));
  Session session(with(options(), calc, {"fail", "throw"}));
  ASSERT_TRUE(session.connect());
  const TakenTurn turn = take_turn(session, "try");
  ASSERT_TRUE(turn.result) << turn.result.error().what();
  const std::string results = results_of(turn.messages);
  for (const char* expected : {"TOOL-FAILED", "TOOL-THREW", "expected"}) {
    EXPECT_NE(results.find(expected), std::string::npos) << expected << " in " << results;
  }
}

TEST_F(ToolsTest, CallsRunAtTheSameTime) {
  script(turns({R"({"content":[
      {"type":"tool_use","id":"toolu_01","name":"mcp__calc__meet","input":{"a":1,"b":2}},
      {"type":"tool_use","id":"toolu_02","name":"mcp__calc__meet","input":{"a":3,"b":4}}]})",
                text_turn("Met.")}));
  McpServer calc("calc");
  // Neither returns before the other has begun. The agent overlaps only tools that change nothing.
  const auto both = std::make_shared<std::latch>(2);
  mcp::ToolAnnotations reads;
  reads.readOnlyHint = true;
  calc.add(tool("meet", "Meets itself", [both](const AddArgs& x) {
             both->arrive_and_wait();
             return x.a + x.b;
           }).annotated(reads));
  Session session(with(options(), calc, {"meet"}));
  ASSERT_TRUE(session.connect());
  const TakenTurn turn = take_turn(session, "meet");
  ASSERT_TRUE(turn.result) << turn.result.error().what();
  const std::string results = results_of(turn.messages);
  EXPECT_TRUE(results == "37" || results == "73") << results;
}

TEST_F(ToolsTest, ProgressIsTaken) {
  script(one_call("slow"));
  McpServer calc("calc");
  calc.add(tool("slow", "Adds slowly", [](const AddArgs& x, ToolContext& context) {
    for (int done = 1; done <= 3; ++done) context.progress(done, 3, "STEP " + std::to_string(done));
    return x.a + x.b;
  }));
  Options o = with(options(), calc, {"slow"});
  o.process.debug_file = work() / "debug.log";
  Session session(o);
  ASSERT_TRUE(session.connect());
  const TakenTurn turn = take_turn(session, "calculate");
  ASSERT_TRUE(turn.result) << turn.result.error().what();
  EXPECT_EQ(results_of(turn.messages), "5");
}

TEST_F(ToolsTest, ImagesAndStructuredContentReachTheModel) {
  script(turns({tool_turn("mcp__calc__look", R"({"a":2,"b":3})"),
                tool_turn("mcp__calc__sum", R"({"a":2,"b":3})", "toolu_02"), text_turn("Done.")}));
  McpServer calc("calc");
  calc.add(tool("look", "Shows a picture",
                [](const AddArgs&) { return ToolOutput("A dot:").add_image(kDot, "image/png"); }));
  calc.add(tool("sum", "Adds", [](const AddArgs& x) { return Sum{x.a + x.b}; }));
  Session session(with(options(), calc, {"look", "sum"}));
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(take_turn(session, "look").result);
  const std::string seen = model().requests().back()["messages"].dump();
  EXPECT_NE(seen.find(R"("type":"image")"), std::string::npos);
  EXPECT_NE(seen.find(R"({\"sum\":5})"), std::string::npos) << seen;
}

TEST_F(ToolsTest, InterruptCancelsTheCall) {
  script(one_call("wait"));
  std::promise<void> called, cancelled;
  McpServer calc("calc");
  calc.add(tool("wait", "Waits", [&](const AddArgs&, ToolContext& context) {
    called.set_value();
    std::promise<void> stopped;
    const std::stop_callback on_stop(context.stop(), [&] { stopped.set_value(); });
    if (stopped.get_future().wait_for(kPatience) == std::future_status::ready) {
      cancelled.set_value();
    }
    return "too late";
  }));
  Session session(with(options(), calc, {"wait"}));
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.send("wait"));
  ASSERT_EQ(called.get_future().wait_for(kPatience), std::future_status::ready);
  const auto receipt = session.interrupt();
  ASSERT_TRUE(receipt) << receipt.error().what();
  EXPECT_EQ(cancelled.get_future().wait_for(kPatience), std::future_status::ready);
}

TEST_F(ToolsTest, NewToolsAreOffered) {
  if (!at_least({2, 1, 325})) GTEST_SKIP() << "older CLIs do not heed tools/list_changed";
  script(turns(
      {text_turn("One."), tool_turn("mcp__calc__late", R"({"a":2,"b":3})"), text_turn("Two.")}));
  McpServer calc("calc");
  calc.add(tool("add", "Adds", [](const AddArgs& x) { return x.a + x.b; }));
  Session session(with(options(), calc, {"add", "late"}));
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(take_turn(session, "one").result);
  EXPECT_FALSE(offered(model(), "mcp__calc__late"));
  calc.add(tool("late", "Came late", [](const AddArgs& x) { return x.a * x.b; }));
  const TakenTurn turn = take_turn(session, "two");
  ASSERT_TRUE(turn.result) << turn.result.error().what();
  EXPECT_EQ(results_of(turn.messages), "6");
}

}  // namespace
}  // namespace parley::real
