// A client that sends junk, goes away early, or does not read.
#include <signal.h>

#include "hostile.hpp"

namespace parley::testing {
namespace {

class HostileClient : public HostileTest {
 protected:
  static AgentRun::Setup conversation(const HostileModel& model) {
    return {model.url(),
            {"--input-format", "stream-json", "--permission-mode", "bypassPermissions"},
            {}};
  }
  static constexpr const char* kPrompt =
      "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"go\"}}\n";
};

TEST_F(HostileClient, NothingOnStdin) {
  const HostileModel model({});
  AgentRun run(workspace_, conversation(model));
  expect_bounded(run.finish(20s), {});
}

TEST_F(HostileClient, JunkOnStdin) {
  for (const std::string& junk :
       {std::string("hello\n"), std::string("{\n"), std::string("[]\n"), std::string("null\n"),
        std::string(3, '\0') + "\n", std::string("\xff\xfe\n"), std::string("{\"type\":5}\n"),
        std::string("{\"type\":\"user\"}\n"), std::string("{\"type\":\"user\",\"message\":7}\n"),
        std::string("{\"type\":\"control_request\"}\n"),
        std::string("{\"type\":\"control_response\",\"response\":{\"request_id\":\"x\"}}\n"),
        std::string(100'000, '[') + "\n", std::string(10'000, '\n')}) {
    const HostileModel model({});
    AgentRun run(workspace_, conversation(model));
    run.say(junk);
    expect_bounded(run.finish(20s), {});
  }
}

TEST_F(HostileClient, ALineWithoutEnd) {
  const HostileModel model({});
  AgentRun run(workspace_, conversation(model));
  const std::string piece(1 << 20, 'x');
  for (int i = 0; i < 200 && run.say(piece); ++i) {
  }
  expect_bounded(run.finish(60s), {60s, 300});
}

TEST_F(HostileClient, StdinEndsInTheMiddleOfALine) {
  const HostileModel model({});
  AgentRun run(workspace_, conversation(model));
  run.say(std::string(kPrompt).substr(0, 20));
  expect_bounded(run.finish(20s), {});
}

TEST_F(HostileClient, StdinEndsWhileACommandRuns) {
  const HostileModel model({events(call_events({{"Bash", R"({"command":"sleep 1; echo x"})"}}))});
  AgentRun run(workspace_, conversation(model));
  run.say(kPrompt);
  ASSERT_TRUE(run.wait_for([](const Json& m) { return m["type"].as_string() == "assistant"; }));
  const AgentEnd end = run.finish(20s);
  expect_result(end);
  EXPECT_EQ(end.result()["result"].as_string(), "done");
}

TEST_F(HostileClient, NobodyReadsStdout) {
  const HostileModel model(
      {events(call_events({{"Bash", R"({"command":"sleep 1000","run_in_background":true})"},
                           {"Bash", R"({"command":"setsid sleep 1000 & sleep 1"})", "toolu_2"}}))});
  AgentRun run(workspace_, conversation(model));
  run.say(kPrompt);
  ASSERT_TRUE(run.wait_for([](const Json& m) { return m["type"].as_string() == "assistant"; }));
  run.close_output();
  expect_bounded(run.finish(20s), {});
}

TEST_F(HostileClient, StdoutIsClosedAtOnce) {
  const HostileModel model({});
  AgentRun run(workspace_, conversation(model));
  run.close_output();
  run.say(kPrompt);
  expect_bounded(run.finish(20s), {});
}

TEST_F(HostileClient, AThousandPromptsAtOnce) {
  const HostileModel model({});
  AgentRun run(workspace_, conversation(model));
  std::string flood;
  for (int i = 0; i < 1000; ++i) flood += kPrompt;
  run.say(flood);
  expect_result(run.finish(60s), {60s, 128});
}

TEST_F(HostileClient, AStormOfControlRequests) {
  const HostileModel model({});
  AgentRun run(workspace_, conversation(model));
  std::string flood;
  for (int i = 0; i < 2000; ++i) {
    const std::string id = std::to_string(i);
    flood += R"({"type":"control_request","request_id":")" + id + R"(","request":{"subtype":")" +
             (i % 2 == 0 ? "interrupt" : "no_such_thing") + "\"}}\n";
  }
  run.say(flood + kPrompt);
  expect_result(run.finish(60s), {60s, 128});
}

}  // namespace
}  // namespace parley::testing
