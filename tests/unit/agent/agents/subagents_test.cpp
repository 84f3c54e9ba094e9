// Subagents in and beside a turn: what the client sees of them, what their callers hear, and how
// they end.
#include <future>
#include <thread>

#include "agents_fixture.hpp"

namespace parley::agent {
namespace {

using Status = BackgroundTask::Status;
using ::testing::HasSubstr;

/// Messages of subagents, as "agent: what".
std::vector<std::string> shown_of_agents(const FakeClient& client) {
  std::vector<std::string> shown;
  for (const Message& message : client.messages()) {
    if (const auto* answer = std::get_if<AssistantMessage>(&message); answer && answer->agent_id) {
      const auto* call = std::get_if<ToolUseBlock>(&answer->message.content.front());
      shown.push_back(*answer->task_description + ": " +
                      (call ? "calls " + call->name
                            : std::get<TextBlock>(answer->message.content.front()).text));
    } else if (const auto* user = std::get_if<UserMessage>(&message); user && user->agent_id) {
      const auto& blocks = std::get<std::vector<ContentBlock>>(user->message.content);
      const auto* text = std::get_if<TextBlock>(&blocks.front());
      shown.push_back(*user->task_description + ": " + (text ? text->text : "result"));
    }
  }
  return shown;
}

TEST_F(AgentsTest, AForegroundAgentReportsToItsCall) {
  tools.add(saying_tool("Look", "seen"));
  model.will_by([&](const ApiRequest& request) -> ScriptedResponse {
    const std::size_t turn = answers(request);
    if (first_words(request) == "go") {
      if (turn == 0) return {"", {agent_call("t1", "SUB", false)}, "tool_use"};
      return {"done"};
    }
    if (turn == 0) return {"hm", {{"s1", "Look"}}, "tool_use"};
    return {"the report"};
  });
  const ResultMessage result = run("go");
  EXPECT_EQ(result.result, "done");
  EXPECT_EQ(result.num_turns, 2);
  EXPECT_EQ(result.usage->input_tokens, 20) << "the usage of the turn is its own";
  EXPECT_EQ(result.modelUsage->find("claude-test")->inputTokens, 40) << "the costs are everybody's";
  EXPECT_THAT(result_of("t1"), HasSubstr("  the report\n"));
  // What it does is shown, not what it says.
  EXPECT_EQ(shown_of_agents(client),
            (std::vector<std::string>{"work t1: SUB", "work t1: calls Look", "work t1: result"}));
  const auto ended = client.last<TaskNotification>();
  EXPECT_EQ(ended.status, TaskEnd::completed);
  EXPECT_EQ(ended.summary, "the report");
  EXPECT_EQ(ended.usage->tool_uses, 1);
}

TEST_F(AgentsTest, ItsTextIsShownToWhoWantsIt) {
  overrides.change([](SessionOverrides& all) { all.forward_subagent_text = true; });
  model.will_by([&](const ApiRequest& request) -> ScriptedResponse {
    if (first_words(request) != "go") return {"the report"};
    if (answers(request) == 0) return {"", {agent_call("t1", "SUB", false)}, "tool_use"};
    return {"done"};
  });
  run("go");
  EXPECT_EQ(shown_of_agents(client),
            (std::vector<std::string>{"work t1: SUB", "work t1: the report"}));
}

TEST_F(AgentsTest, AnUnknownKindIsAnErrorThatNamesTheOthers) {
  model.will({"", {agent_call("t1", "SUB", false, "nonsense")}, "tool_use"});
  model.will({"done"});
  run("go");
  EXPECT_EQ(result_of("t1"),
            "Agent type 'nonsense' not found. Available agents: claude, Explore, general-purpose, "
            "Plan, statusline-setup");
}

TEST_F(AgentsTest, ABackgroundAgentIsNewsForTheModel) {
  std::promise<void> main_done;
  model.will_by([&](const ApiRequest& request) -> ScriptedResponse {
    if (first_words(request) != "go") {
      main_done.get_future().wait();
      return {"the report"};
    }
    if (answers(request) == 0) return {"", {agent_call("t1", "SUB", true)}, "tool_use"};
    return {"done"};
  });
  EXPECT_EQ(run("go").result, "done");
  EXPECT_THAT(result_of("t1"), HasSubstr("Async agent launched"));
  main_done.set_value();
  const std::vector<UserMessage> news = prompts.next();
  ASSERT_EQ(news.size(), 1u);
  EXPECT_EQ((*news.front().origin)->kind, "task-notification");
  EXPECT_THAT(text_of(news.front().message.content), HasSubstr("<result>the report</result>"));
  EXPECT_EQ(shown_of_agents(client), (std::vector<std::string>{"work t1: the report"}));
}

TEST_F(AgentsTest, MovingAnAgentToTheBackgroundAnswersItsCall) {
  std::promise<void> moved;
  model.will_by([&](const ApiRequest& request) -> ScriptedResponse {
    if (first_words(request) != "go") {
      const auto agents = tasks().running();
      EXPECT_EQ(agents.size(), 1u);
      const auto leave = tasks().mark_moved(agents.front().id);
      EXPECT_TRUE(leave);
      leave();
      moved.get_future().wait();
      return {"the report"};
    }
    if (answers(request) == 0) return {"", {agent_call("t1", "SUB", false)}, "tool_use"};
    moved.set_value();
    return {"done"};
  });
  EXPECT_EQ(run("go").result, "done");
  EXPECT_THAT(result_of("t1"), HasSubstr("Async agent launched"));
  EXPECT_THAT(text_of(prompts.next().front().message.content), HasSubstr("the report"));
}

TEST_F(AgentsTest, ADenialThatInterruptsEndsOneAgentAndWithdrawsNoOther) {
  tools.add(std::make_shared<FakeTool>(
      "Ask", [](const ToolCall&) { return ToolOutput::success("asked", Json()); }, true,
      Intent::Kind::fetch));
  model.will_by([&](const ApiRequest& request) -> ScriptedResponse {
    const std::string who = first_words(request);
    if (who == "go") {
      if (answers(request) > 0) return {"done"};
      return {"", {agent_call("t1", "ONE", false), agent_call("t2", "TWO", false)}, "tool_use"};
    }
    if (answers(request) == 0) return {"", {{who, "Ask"}}, "tool_use"};
    return {"report of " + who};
  });
  std::jthread user([&] {
    std::map<std::string, std::string> asked;
    for (std::size_t i = 1; i <= 2; ++i) {
      const ControlRequest request = client.request(i);
      asked[std::get<control::CanUseTool>(*request.request).tool_use_id] = request.request_id;
    }
    asker.answered(success(asked["ONE"], R"({"behavior":"deny","message":"no","interrupt":true})"));
    client.wait_for<TaskNotification>();
    EXPECT_EQ(asker.pending().size(), 1u);
    asker.answered(success(asked["TWO"], R"({"behavior":"allow"})"));
  });
  const ResultMessage result = run("go");
  EXPECT_EQ(result.result, "done");
  EXPECT_EQ(result_of("t1"), "[Request interrupted by user for tool use]");
  EXPECT_THAT(result_of("t2"), HasSubstr("report of TWO"));
  EXPECT_TRUE(client.all<ControlCancelRequest>().empty());
  ASSERT_EQ(result.permission_denials->size(), 1u);
  EXPECT_EQ(result.permission_denials->front().tool_use_id, "ONE");
}

TEST_F(AgentsTest, TheQuestionOfAnAgentSaysWhoseItIs) {
  tools.add(std::make_shared<FakeTool>(
      "Ask", [](const ToolCall&) { return ToolOutput::success("asked", Json()); }, true,
      Intent::Kind::fetch));
  model.will_by([&](const ApiRequest& request) -> ScriptedResponse {
    if (first_words(request) == "go") {
      if (answers(request) > 0) return {"done"};
      return {"", {agent_call("t1", "SUB", false)}, "tool_use"};
    }
    if (answers(request) == 0) return {"", {{"s1", "Ask"}}, "tool_use"};
    return {"report"};
  });
  AnsweringClient user(client, asker, 1, [&](const ControlRequest& request) {
    EXPECT_EQ(std::get<control::CanUseTool>(*request.request).agent_id,
              tasks().running().front().id);
    return R"({"behavior":"allow"})";
  });
  run("go");
}

TEST_F(AgentsTest, StoppingATaskEndsItsAgent) {
  model.will_by([&](const ApiRequest& request) -> ScriptedResponse {
    if (first_words(request) == "go") {
      if (answers(request) > 0) return {"done"};
      return {"", {agent_call("t1", "SUB", false)}, "tool_use"};
    }
    EXPECT_TRUE(tasks().stop(tasks().running().front().id));
    EXPECT_FALSE(tasks().stop("nobody"));
    return {"never read"};
  });
  EXPECT_EQ(run("go").result, "done");
  EXPECT_EQ(result_of("t1"), "[Request interrupted by user for tool use]");
  EXPECT_EQ(client.all<TaskNotification>().size(), 1u);
  EXPECT_EQ(client.last<TaskNotification>().status, TaskEnd::stopped);
}

TEST_F(AgentsTest, AnInterruptTakesTheAgentAlongAndShowsNoMoreOfIt) {
  model.will_by([&](const ApiRequest& request) -> ScriptedResponse {
    if (first_words(request) == "go") {
      return {"", {agent_call("t1", "SUB", false)}, "tool_use"};
    }
    running.interrupt();
    return {"never read"};
  });
  const ResultMessage result = run("go");
  EXPECT_EQ(result.terminal_reason, TerminalReason::aborted_tools);
  EXPECT_EQ(shown_of_agents(client), (std::vector<std::string>{"work t1: SUB"}));
  EXPECT_EQ(tasks().running().size(), 0u);
}

TEST_F(AgentsTest, AgentsMakeAgentsDownToTheThird) {
  std::vector<std::size_t> with_agent_tool;
  std::mutex mutex;
  model.will_by([&](const ApiRequest& request) -> ScriptedResponse {
    const std::string who = first_words(request);
    const bool can = std::any_of(request.tools.begin(), request.tools.end(),
                                 [](const auto& tool) { return tool.name == "Agent"; });
    if (answers(request) == 0) {
      const std::lock_guard lock(mutex);
      with_agent_tool.push_back(can ? 1 : 0);
    }
    if (answers(request) == 0 && can) {
      return {"", {agent_call("in " + who, who + "+", false)}, "tool_use"};
    }
    return {"end of " + who};
  });
  EXPECT_EQ(run("go").result, "end of go");
  EXPECT_EQ(with_agent_tool, (std::vector<std::size_t>{1, 1, 1, 0}));
  // The client sees the first below it; of those below that it hears the frames of tasks.
  for (const std::string& one : shown_of_agents(client)) {
    EXPECT_TRUE(one.starts_with("work in go:")) << one;
  }
  EXPECT_EQ(client.all<TaskStarted>().size(), 3u);
  EXPECT_EQ(client.last<TaskStarted>().spawn_depth, 3);
}

TEST_F(AgentsTest, AnAgentThatHasEndedCanBeSentOn) {
  std::string id;
  model.will_by([&](const ApiRequest& request) -> ScriptedResponse {
    if (first_words(request) == "go") {
      switch (answers(request)) {
        case 0: return {"", {agent_call("t1", "SUB", false)}, "tool_use"};
        case 1:
          id = client.last<TaskStarted>().task_id;
          return {
              "",
              {{"t2", "SendMessage", Json::object({{"to", id}, {"message", "and now?"}}).dump()},
               {"t3", "SendMessage",
                Json::object({{"to", "nobody"}, {"message", "hello"}}).dump()}},
              "tool_use"};
        default: return {"done"};
      }
    }
    return {answers(request) == 0 ? "first" : "second after " + told(request)};
  });
  run("go");
  EXPECT_THAT(result_of("t2"), HasSubstr("Resuming agent"));
  EXPECT_THAT(result_of("t3"), HasSubstr("\"success\":false"));
  EXPECT_THAT(text_of(prompts.next().front().message.content),
              HasSubstr("second after user: SUB | assistant: first | user: and now?"));
}

TEST_F(AgentsTest, AnAgentOfAnEarlierRunCanBeSentOn) {
  std::string id;
  model.will_by([&](const ApiRequest& request) -> ScriptedResponse {
    if (first_words(request) == "go") {
      if (answers(request) == 0) return {"", {agent_call("t1", "SUB", false)}, "tool_use"};
      return {"done"};
    }
    if (first_words(request) == "again") {
      if (answers(request) > 0) return {"done"};
      return {"",
              {{"t2", "SendMessage", Json::object({{"to", id}, {"message", "and now?"}}).dump()}},
              "tool_use"};
    }
    return {answers(request) == 0 ? "first" : "second"};
  });
  run("go");
  id = client.last<TaskStarted>().task_id;
  // Another process: nothing is known of the agent but its files.
  subagents.reset();
  subagents.emplace(
      AgentHost{context, config, overrides, permissions, catalog, [this] {
                  return history::SessionPlace{config.config_folder, "-project", config.session_id};
                }});
  FakeTools later;
  for (const SharedTool& tool : subagents->tools_for({})) later.add(tool);
  const ToolCall call{
      "t2", RawJson(Json::object({{"to", id}, {"message", "and now?"}}).dump()), {}, tools.state()};
  EXPECT_THAT(text_of(later.find("SendMessage")->run(call).content), HasSubstr("Resuming"));
  EXPECT_THAT(text_of(prompts.next().front().message.content),
              HasSubstr("<result>second</result>"));
  EXPECT_EQ(told(model.requests().back()), "user: SUB | assistant: first | user: and now?");
}

TEST_F(AgentsTest, AKindSetsModelToolsAndTurns) {
  Map<AgentDefinition> kinds;
  AgentDefinition& kind = kinds["checker"];
  kind.description = "checks";
  kind.prompt = "You check.";
  kind.model = "haiku";
  kind.tools = std::vector<std::string>{"Look"};
  kind.maxTurns = 2;
  catalog.add(kinds);
  tools.add(saying_tool("Look", "seen"));
  tools.add(saying_tool("Other", "seen"));
  model.will_by([&](const ApiRequest& request) -> ScriptedResponse {
    if (first_words(request) == "go") {
      if (answers(request) > 0) return {"done"};
      return {"", {agent_call("t1", "SUB", false, "checker")}, "tool_use"};
    }
    EXPECT_EQ(request.model, "claude-haiku-5-5");
    EXPECT_EQ(request.system.front(), "You check.");
    EXPECT_EQ(request.tools.size(), 1u);
    return {"so far", {{"s" + std::to_string(answers(request)), "Look"}}, "tool_use"};
  });
  EXPECT_EQ(run("go").result, "done");
  EXPECT_THAT(result_of("t1"), HasSubstr("2-turn limit"));
  EXPECT_THAT(result_of("t1"), HasSubstr("so far"));
}

TEST_F(AgentsTest, AFailureOfTheModelIsTheFailureOfTheCall) {
  model.will_by([&](const ApiRequest& request) -> ScriptedResponse {
    if (first_words(request) != "go") return refused(400, "invalid_request_error");
    if (answers(request) > 0) return {"done"};
    return {"", {agent_call("t1", "SUB", false)}, "tool_use"};
  });
  EXPECT_EQ(run("go").result, "done");
  EXPECT_THAT(result_of("t1"), HasSubstr("Agent terminated early due to an API error"));
  EXPECT_EQ(client.last<TaskNotification>().status, TaskEnd::failed);
}

}  // namespace
}  // namespace parley::agent
