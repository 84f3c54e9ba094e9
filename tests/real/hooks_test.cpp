// Hooks of the program, as the real CLI calls them and heeds their answers.
#include <atomic>

#include "support.hpp"

namespace parley::real {
namespace {

using HooksTest = RealCli;

const std::string kTouch = R"({"command":"touch made.txt","description":"Make a file"})";

/// The text of all messages of the last request to the model.
std::string last_request(const Model& model) { return model.requests().back()["messages"].dump(); }

TEST_F(HooksTest, PreToolUseDenies) {
  script(turns({tool_turn("Bash", kTouch), text_turn("Very well.")}));
  Options o = options();
  std::atomic<int> called = 0;
  o.hooks.on<hooks::PreToolUse>({.matcher = "Bash"}, [&](const hooks::PreToolUse&) {
    ++called;
    hooks::PreToolUseOutput output;
    output.permissionDecision = hooks::PermissionDecision::deny;
    output.permissionDecisionReason = "HOOK-SAYS-NO";
    return output;
  });
  Session session(o);
  ASSERT_TRUE(session.connect());
  const TakenTurn turn = take_turn(session, "make a file");
  ASSERT_TRUE(turn.result);
  EXPECT_EQ(called, 1);
  EXPECT_NE(results_of(turn.messages).find("HOOK-SAYS-NO"), std::string::npos);
}

TEST_F(HooksTest, PreToolUseAllowsWithAnotherInput) {
  script(turns({tool_turn("Bash", kTouch), text_turn("Made it.")}));
  Options o = options();
  o.hooks.on<hooks::PreToolUse>([](const hooks::PreToolUse&) {
    hooks::PreToolUseOutput output;
    output.permissionDecision = hooks::PermissionDecision::allow;
    output.updatedInput = RawJson(R"({"command":"touch other.txt"})");
    return output;
  });
  Session session(o);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(take_turn(session, "make a file").result);
  EXPECT_TRUE(std::filesystem::exists(work() / "other.txt"));
  EXPECT_FALSE(std::filesystem::exists(work() / "made.txt"));
}

TEST_F(HooksTest, MatcherKeepsOtherToolsAway) {
  script(turns({tool_turn("Bash", kTouch), text_turn("Made it.")}));
  Options o = options();
  o.tools.allowed = {"Bash"};
  std::atomic<int> called = 0;
  o.hooks.on<hooks::PreToolUse>({.matcher = "Write|Edit"}, [&](const hooks::PreToolUse&) {
    ++called;
    return no_opinion();
  });
  Session session(o);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(take_turn(session, "make a file").result);
  EXPECT_EQ(called, 0);
  EXPECT_TRUE(std::filesystem::exists(work() / "made.txt"));
}

TEST_F(HooksTest, PostToolUseSeesTheResultAndAddsToIt) {
  script(turns(
      {tool_turn("Bash", R"({"command":"echo SHOWN","description":"Say"})"), text_turn("Fine.")}));
  Options o = options();
  o.tools.allowed = {"Bash"};
  std::promise<std::string> response;
  o.hooks.on<hooks::PostToolUse>([&](const hooks::PostToolUse& event) {
    response.set_value(event.tool_response ? event.tool_response->text : "");
    hooks::PostToolUseOutput output;
    output.additionalContext = "POST-CONTEXT";
    return output;
  });
  Session session(o);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(take_turn(session, "say it").result);
  EXPECT_NE(response.get_future().get().find("SHOWN"), std::string::npos);
  EXPECT_NE(last_request(model()).find("POST-CONTEXT"), std::string::npos);
}

TEST_F(HooksTest, PostToolUseFailureSeesTheError) {
  script(turns({tool_turn("Bash", R"({"command":"echo BROKEN; exit 3","description":"Fail"})"),
                text_turn("Oh.")}));
  Options o = options();
  o.tools.allowed = {"Bash"};
  std::promise<std::string> failure;
  o.hooks.on<hooks::PostToolUseFailure>([&](const hooks::PostToolUseFailure& event) {
    failure.set_value(event.error.value_or(""));
    return no_opinion();
  });
  Session session(o);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(take_turn(session, "fail").result);
  EXPECT_NE(failure.get_future().get().find("BROKEN"), std::string::npos);
}

TEST_F(HooksTest, UserPromptSubmitAddsContext) {
  script(turns({text_turn("Noted.")}));
  Options o = options();
  std::promise<std::string> prompt;
  o.hooks.on<hooks::UserPromptSubmit>([&](const hooks::UserPromptSubmit& event) {
    prompt.set_value(event.prompt);
    hooks::UserPromptSubmitOutput output;
    output.additionalContext = "PROMPT-CONTEXT";
    return output;
  });
  Session session(o);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(take_turn(session, "remember").result);
  EXPECT_EQ(prompt.get_future().get(), "remember");
  EXPECT_NE(last_request(model()).find("PROMPT-CONTEXT"), std::string::npos);
}

TEST_F(HooksTest, UserPromptSubmitBlocks) {
  script(turns({text_turn("Never said.")}));
  Options o = options();
  o.hooks.on<hooks::UserPromptSubmit>(
      [](const hooks::UserPromptSubmit&) { return block("NOT-TODAY"); });
  Session session(o);
  ASSERT_TRUE(session.connect());
  const TakenTurn turn = take_turn(session, "do it");
  EXPECT_EQ(text_of(turn.messages).find("Never said."), std::string::npos);
  EXPECT_TRUE(model().requests().empty());
}

TEST_F(HooksTest, StopKeepsTheTurnGoingOnce) {
  script(turns({text_turn("Done."), text_turn("Tested, too.")}));
  Options o = options();
  std::atomic<int> stops = 0;
  o.hooks.on<hooks::Stop>([&](const hooks::Stop& event) {
    ++stops;
    return event.stop_hook_active ? no_opinion() : block("TEST-IT-FIRST");
  });
  Session session(o);
  ASSERT_TRUE(session.connect());
  const TakenTurn turn = take_turn(session, "do it");
  ASSERT_TRUE(turn.result) << turn.result.error().what();
  EXPECT_EQ(turn.result->result, "Tested, too.");
  EXPECT_EQ(stops, 2);
  EXPECT_NE(last_request(model()).find("TEST-IT-FIRST"), std::string::npos);
}

TEST_F(HooksTest, PermissionRequestDecides) {
  script(turns({tool_turn("Bash", kTouch), text_turn("Made it.")}));
  Options o = options();
  // Newer CLIs ask hook and handler at the same time: the handler leaves the decision to the hook.
  std::vector<Reply<PermissionAnswer>> open;
  o.on_permission = [&](const PermissionAsk&, Reply<PermissionAnswer> reply) {
    open.push_back(std::move(reply));
  };
  o.hooks.on<hooks::PermissionRequest>([](const hooks::PermissionRequest& event) {
    EXPECT_EQ(event.tool_name, "Bash");
    hooks::PermissionRequestOutput output;
    output.decision = hooks::PermissionRequestAllow{};
    return output;
  });
  Session session(o);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(take_turn(session, "make a file").result);
  EXPECT_TRUE(std::filesystem::exists(work() / "made.txt"));
}

TEST_F(HooksTest, SubagentsStartAndStop) {
  script(turns({R"({"when_first":"SUBAGENT-PROMPT","content":[{"type":"text","text":"Looked."}]})",
                tool_turn("Task", kForegroundAgent), text_turn("All done.")}));
  Options o = options();
  std::atomic<int> started = 0, stopped = 0;
  o.hooks.on<hooks::SubagentStart>([&](const hooks::SubagentStart& event) {
    EXPECT_EQ(event.agent_type, "general-purpose");
    ++started;
    return no_opinion();
  });
  o.hooks.on<hooks::SubagentStop>([&](const hooks::SubagentStop&) {
    ++stopped;
    return no_opinion();
  });
  Session session(o);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(take_turn(session, "look").result);
  EXPECT_EQ(started, 1);
  EXPECT_EQ(stopped, 1);
}

TEST_F(HooksTest, CompactionIsAnnounced) {
  script(turns({text_turn("One."), R"({"when_last":"summary","content":[{"type":"text",
      "text":"<summary>It was short.</summary>"}]})",
                R"({"aux":true,"repeat":true,"content":[{"type":"text",
      "text":"<summary>It was short.</summary>"}]})"}));
  Options o = options();
  std::atomic<int> called = 0;
  o.hooks.on<hooks::PreCompact>([&](const hooks::PreCompact& event) {
    EXPECT_EQ(event.trigger, CompactTrigger::manual);
    ++called;
    return no_opinion();
  });
  Session session(o);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(take_turn(session, "hello").result);
  (void)take_turn(session, "/compact");
  EXPECT_EQ(called, 1);
}

TEST_F(HooksTest, ThrowIsNoAnswerAndTheTurnGoesOn) {
  script(turns({tool_turn("Bash", kTouch), text_turn("Done.")}));
  Options o = options();
  o.tools.allowed = {"Bash"};
  o.hooks.on<hooks::PreToolUse>(
      [](const hooks::PreToolUse&) -> HookOutput { throw std::runtime_error("hook broke"); });
  Session session(o);
  ASSERT_TRUE(session.connect());
  const TakenTurn turn = take_turn(session, "make a file");
  ASSERT_TRUE(turn.result) << turn.result.error().what();
}

}  // namespace
}  // namespace parley::real
