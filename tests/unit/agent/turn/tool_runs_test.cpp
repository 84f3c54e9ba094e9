// The tool calls of a turn: permission, order, hooks, interrupts.
#include "agent/turn/tools/tool_runs.hpp"

#include <atomic>
#include <latch>

#include "turn_fixture.hpp"
#include "wire/control/control.hpp"

namespace parley::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ToolRunsTest : public TurnTest {
 protected:
  /// A turn in which the model calls one tool and then ends.
  ResultMessage run_call(const std::string& tool, const std::string& input = "{}") {
    model.will({.text = "", .calls = {{"t1", tool, input}}});
    model.will({.text = "done"});
    return run("go");
  }
  std::string source_of_decision() {
    for (const UserMessage& message : client.all<UserMessage>()) {
      if (!message.tool_result_meta) continue;
      const auto& decision = message.tool_result_meta->front().permission_decision;
      return decision ? *decision->decision + " by " + *decision->source : "";
    }
    return "";
  }
};

TEST_F(ToolRunsTest, WhatIsAllowedRuns) {
  tools.add(saying_tool("Work", "worked"));
  const ResultMessage result = run_call("Work");
  EXPECT_EQ(result.result, "done");
  EXPECT_EQ(result.num_turns, 2);
  EXPECT_THAT(*result.permission_denials, IsEmpty());
  EXPECT_EQ(told_in(2), "user: go | assistant: ?t1 | user: !t1=worked");
  EXPECT_EQ(source_of_decision(), "accept by config");
  EXPECT_THAT(client.kinds(),
              ElementsAre("system/init", "assistant", "user", "assistant", "result"));
  // Prompt, call, result, answer.
  ASSERT_THAT(transcript.lines(), SizeIs(4));
  EXPECT_EQ(transcript.lines()[2]["toolUseResult"].as_string(), "worked");
}

TEST_F(ToolRunsTest, WhatARuleDeniesDoesNot) {
  tools.add(std::make_shared<FakeTool>("Work", [](const ToolCall&) {
    ADD_FAILURE() << "it ran";
    return ToolOutput::error("ran");
  }));
  permissions.always(Verdict::Kind::deny, "Work is denied");
  const ResultMessage result = run_call("Work");
  ASSERT_THAT(*result.permission_denials, SizeIs(1));
  EXPECT_EQ(result.permission_denials->front().tool_use_id, "t1");
  EXPECT_EQ(client.last<PermissionDenied>().message, "Work is denied");
  EXPECT_EQ(told_in(2), "user: go | assistant: ?t1 | user: !t1=Work is denied");
}

TEST_F(ToolRunsTest, WhatHasToBeAskedIsDeniedWhereNobodyIs) {
  tools.add(saying_tool("Work", "worked"));
  permissions.always(Verdict::Kind::ask, "Nobody is there");
  EXPECT_THAT(*run_call("Work").permission_denials, SizeIs(1));
  EXPECT_THAT(shown_results(), ElementsAre("t1: Nobody is there"));
}

TEST_F(ToolRunsTest, TheClientAllowsWithAnotherInput) {
  tools.add(std::make_shared<FakeTool>("Work", [](const ToolCall& call) {
    return ToolOutput::success("with " + call.input.text, Json());
  }));
  permissions.always(Verdict::Kind::ask);
  context.options.can_ask = true;
  const AnsweringClient answers(client, asker, 1, [](const ControlRequest& request) {
    EXPECT_EQ(std::get<control::CanUseTool>(*request.request).input.text, R"({"a":1})");
    return R"({"behavior":"allow","updatedInput":{"a":2}})";
  });
  run_call("Work", R"({"a":1})");
  EXPECT_THAT(shown_results(), ElementsAre(R"(t1: with {"a":2})"));
  EXPECT_EQ(source_of_decision(), "accept by user_temporary");
}

TEST_F(ToolRunsTest, RulesThatComeWithTheAnswerAreApplied) {
  tools.add(saying_tool("Work", "worked"));
  permissions.always(Verdict::Kind::ask);
  context.options.can_ask = true;
  const AnsweringClient answers(client, asker, 1, [](const ControlRequest&) {
    return R"({"behavior":"allow","updatedPermissions":[{"type":"addDirectories",)"
           R"("directories":["/x"],"destination":"session"}]})";
  });
  run_call("Work");
  EXPECT_THAT(permissions.applied(), SizeIs(1));
}

TEST_F(ToolRunsTest, TheClientDenies) {
  tools.add(saying_tool("Work", "worked"));
  permissions.always(Verdict::Kind::ask);
  context.options.can_ask = true;
  const AnsweringClient answers(client, asker, 1, [](const ControlRequest&) {
    return R"({"behavior":"deny","message":"rather not"})";
  });
  EXPECT_THAT(*run_call("Work").permission_denials, SizeIs(1));
  EXPECT_THAT(shown_results(), ElementsAre("t1: rather not"));
}

TEST_F(ToolRunsTest, TheClientDeniesAndEndsTheTurn) {
  tools.add(saying_tool("Work", "worked"));
  permissions.always(Verdict::Kind::ask);
  context.options.can_ask = true;
  const AnsweringClient answers(client, asker, 1, [](const ControlRequest&) {
    return R"({"behavior":"deny","message":"stop","interrupt":true})";
  });
  model.will({.text = "", .calls = {{"t1", "Work"}}});
  const ResultMessage result = run("go");
  EXPECT_EQ(result.terminal_reason, TerminalReason::aborted_tools);
  EXPECT_THAT(*result.permission_denials, SizeIs(1));
}

TEST_F(ToolRunsTest, AnAnswerThatIsNoneIsADenial) {
  tools.add(saying_tool("Work", "worked"));
  permissions.always(Verdict::Kind::ask);
  context.options.can_ask = true;
  const AnsweringClient answers(client, asker, 1,
                                [](const ControlRequest&) { return R"({"behavior":"maybe"})"; });
  run_call("Work");
  EXPECT_THAT(shown_results().front(), HasSubstr("is not valid"));
}

TEST_F(ToolRunsTest, AnInterruptWithdrawsTheQuestion) {
  tools.add(saying_tool("Work", "worked"));
  permissions.always(Verdict::Kind::ask);
  context.options.can_ask = true;
  std::jthread user([this] {
    (void)client.request(1);
    running.interrupt();
  });
  model.will({.text = "", .calls = {{"t1", "Work"}}});
  EXPECT_EQ(run("go").terminal_reason, TerminalReason::aborted_tools);
  EXPECT_THAT(client.kinds(), ElementsAre("system/init", "assistant", "control_request",
                                          "control_cancel_request", "user", "user", "result"));
}

TEST_F(ToolRunsTest, AnInterruptStopsARunningTool) {
  tools.add(std::make_shared<FakeTool>("Work", [this](const ToolCall& call) {
    running.interrupt();
    EXPECT_TRUE(call.stop.stop_requested());
    return ToolOutput::success("worked", Json());
  }));
  model.will({.text = "", .calls = {{"t1", "Work"}}});
  const ResultMessage result = run("go");
  EXPECT_EQ(result.terminal_reason, TerminalReason::aborted_tools);
  EXPECT_THAT(shown_results().front(),
              HasSubstr("interrupted this tool call while it was running"));
}

TEST_F(ToolRunsTest, ReadingCallsRunBesideEachOther) {
  std::latch both(2);
  std::latch second_is_done(1);
  const auto read = [&](const ToolCall& call) {
    both.arrive_and_wait();  // would never end if one waited for the other
    if (call.id == "t1") second_is_done.wait();
    return ToolOutput::success("read", Json());
  };
  tools.add(std::make_shared<FakeTool>("Read", read, true));
  std::jthread watcher([&] {
    client.wait_for<UserMessage>();
    second_is_done.count_down();
  });
  model.will({.text = "", .calls = {{"t1", "Read"}, {"t2", "Read"}}});
  model.will({.text = "done"});
  run("go");
  // Shown as they come; the model is told in the order of the calls, since both came together.
  EXPECT_THAT(shown_results(), ElementsAre("t2: read", "t1: read"));
  EXPECT_EQ(told_in(2), "user: go | assistant: ?t1 ?t2 | user: !t1=read !t2=read");
}

TEST_F(ToolRunsTest, AResultThatComesLateIsToldLate) {
  const auto read = [&](const ToolCall& call) {
    if (call.id == "t1") {
      client.wait_for<UserMessage>();  // that of t2
      std::this_thread::sleep_for(std::chrono::milliseconds(60));
    }
    return ToolOutput::success("read", Json());
  };
  tools.add(std::make_shared<FakeTool>("Read", read, true));
  model.will({.text = "", .calls = {{"t1", "Read"}, {"t2", "Read"}}});
  model.will({.text = "done"});
  run("go");
  EXPECT_EQ(told_in(2), "user: go | assistant: ?t1 ?t2 | user: !t2=read !t1=read");
}

TEST_F(ToolRunsTest, OthersWaitForThoseBeforeThem) {
  std::atomic<int> running_now = 0;
  const auto write = [&](const ToolCall&) {
    EXPECT_EQ(++running_now, 1);
    --running_now;
    return ToolOutput::success("written", Json());
  };
  tools.add(std::make_shared<FakeTool>("Write", write));
  model.will({.text = "", .calls = {{"t1", "Write"}, {"t2", "Write"}, {"t3", "Write"}}});
  model.will({.text = "done"});
  EXPECT_EQ(run("go").num_turns, 4);
  EXPECT_THAT(shown_results(), ElementsAre("t1: written", "t2: written", "t3: written"));
}

TEST_F(ToolRunsTest, AHookDeniesACall) {
  tools.add(saying_tool("Work", "worked"));
  hook("PreToolUse",
       {R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",)"
        R"("permissionDecisionReason":"not that"}})"});
  EXPECT_THAT(*run_call("Work").permission_denials, SizeIs(1));
  EXPECT_THAT(shown_results().front(), HasSubstr("not that"));
}

TEST_F(ToolRunsTest, AHookChangesTheInput) {
  tools.add(std::make_shared<FakeTool>("Work", [](const ToolCall& call) {
    return ToolOutput::success("with " + call.input.text, Json());
  }));
  hook("PreToolUse",
       {R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow",)"
        R"("updatedInput":{"b":1}}})"});
  run_call("Work");
  EXPECT_THAT(shown_results(), ElementsAre(R"(t1: with {"b":1})"));
  EXPECT_EQ(source_of_decision(), "accept by hook");
}

TEST_F(ToolRunsTest, AHookPutsACallOff) {
  tools.add(saying_tool("Work", "worked"));
  hook("PreToolUse",
       {R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"defer"}})"});
  model.will({.text = "", .calls = {{"t1", "Work"}}});
  const ResultMessage result = run("go");
  EXPECT_EQ(result.stop_reason, "tool_deferred");
  EXPECT_EQ(result.deferred_tool_use->id, "t1");
  EXPECT_EQ(transcript.lines().back()["attachment"]["type"].as_string(), "hook_deferred_tool");
}

TEST_F(ToolRunsTest, AHookAfterTheToolAddsWords) {
  tools.add(saying_tool("Work", "worked"));
  hook("PostToolUse", {R"({"hookSpecificOutput":{"hookEventName":"PostToolUse",)"
                       R"("additionalContext":"look twice"}})"});
  run_call("Work");
  EXPECT_THAT(told_in(2), HasSubstr("!t1=worked Note of a hook: look twice"));
}

TEST_F(ToolRunsTest, AToolThatIsNotThereIsAnError) {
  run_call("Nothing");
  EXPECT_THAT(shown_results().front(), HasSubstr("No such tool available: Nothing"));
}

TEST_F(ToolRunsTest, AToolThatThrowsCostsOnlyItsCall) {
  tools.add(std::make_shared<FakeTool>(
      "Work", [](const ToolCall&) -> ToolOutput { throw std::runtime_error("oh"); }));
  EXPECT_EQ(run_call("Work").result, "done");
  EXPECT_THAT(shown_results(), ElementsAre("t1: The tool failed: oh"));
}

}  // namespace
}  // namespace parley::agent
