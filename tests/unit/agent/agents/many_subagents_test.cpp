// Twenty subagents at once, each with tools and questions, stopped and interrupted at random: they
// never wait for each other for ever, never mix what they say, and leave nothing running.
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "agent/tools/toolbox.hpp"
#include "agents_fixture.hpp"

namespace parley::agent {
namespace {

constexpr int kAgents = 20;

/// Ids of the processes that this one has started and that are there.
std::string children() {
  std::string all;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(thread.path() / "children");
    for (std::string id; file >> id;) all += id + " ";
  }
  return all;
}

class ManyAgentsTest : public AgentsTest {
 protected:
  ManyAgentsTest() {
    // A harmless one that says whose it is, one that asks first, and real commands that would
    // outlive the test.
    tools.add(std::make_shared<FakeTool>(
        "Name", [](const ToolCall& call) { return ToolOutput::success(call.id, Json()); }, true));
    tools.add(std::make_shared<FakeTool>(
        "Ask", [](const ToolCall& call) { return ToolOutput::success(call.id, Json()); }, true,
        Intent::Kind::fetch));
    tools.add(SharedTool(SharedTool(), find_tool("Bash")));
    model.will_by([this](const ApiRequest& request) { return respond(request); });
  }

  /// What the model says to agent "SUB-07" or to the session.
  ScriptedResponse respond(const ApiRequest& request) const {
    const std::string who = first_words(request);
    const std::size_t step = answers(request);
    if (!who.starts_with("SUB-")) {
      if (!text_of(request.messages.back().content).ends_with("go")) return {"all made"};
      ScriptedResponse response{"", {}, "tool_use"};
      for (int i = 0; i < kAgents; ++i) {
        const std::string number = (i < 10 ? "0" : "") + std::to_string(i);
        response.calls.push_back(agent_call("t" + number, "SUB-" + number, background));
      }
      return response;
    }
    switch (step) {
      case 0: return {"I am " + who, {{who + "/name", "Name"}, {who + "/ask", "Ask"}}, "tool_use"};
      case 1:
        return {"",
                {{who + "/bash", "Bash", R"({"command":"sleep 300","run_in_background":true})"}},
                "tool_use"};
      case 2: return {"", {{who + "/again", "Ask"}}, "tool_use"};
      default: return {"report of " + who};
    }
  }

  /// Answers questions, stops tasks and lets others wait, as `seed` has it, until told to end.
  std::jthread meddler(unsigned seed) {
    return std::jthread([this, seed](const std::stop_token& stop) {
      std::mt19937 random(seed);
      std::size_t answered = 0;
      while (!stop.stop_requested()) {
        const std::vector<ControlRequest> open = asker.pending();
        if (open.empty()) {
          std::this_thread::yield();
          continue;
        }
        const ControlRequest& request = open[random() % open.size()];
        switch (++answered % 7 == 0 ? random() % 4 : 4) {
          case 0:
            asker.answered(success(request.request_id,
                                   R"({"behavior":"deny","message":"no","interrupt":true})"));
            break;
          case 1:
            asker.answered(success(request.request_id, R"({"behavior":"deny","message":"no"})"));
            break;
          case 2: {
            const auto all = tasks().running();
            if (!all.empty()) tasks().stop(all[random() % all.size()].id);
            break;
          }
          default: asker.answered(success(request.request_id, R"({"behavior":"allow"})"));
        }
      }
    });
  }

  /// Every message of an agent speaks of that agent, and of none else.
  void expect_no_mix() const {
    std::map<std::string, std::string> names;  // of agents by id
    for (const TaskStarted& started : client.all<TaskStarted>()) {
      if (started.prompt) names[started.task_id] = *started.prompt;
    }
    ASSERT_EQ(names.size(), static_cast<std::size_t>(kAgents));
    const auto expect_only = [&](const std::string& id, const std::string& text) {
      const std::string& own = names.at(id);
      for (std::size_t at = text.find("SUB-"); at != std::string::npos;
           at = text.find("SUB-", at + 1)) {
        EXPECT_EQ(text.substr(at, own.size()), own) << text;
      }
    };
    for (const Message& message : client.messages()) {
      const std::string text = encode_message(message);
      if (const auto* answer = std::get_if<AssistantMessage>(&message);
          answer && answer->agent_id) {
        expect_only(*answer->agent_id, text);
      } else if (const auto* user = std::get_if<UserMessage>(&message); user && user->agent_id) {
        expect_only(*user->agent_id, text);
      } else if (const auto* request = std::get_if<ControlRequest>(&message)) {
        expect_only(*std::get<control::CanUseTool>(*request->request).agent_id, text);
      }
    }
    // Each has ended once, whoever ended it.
    std::map<std::string, int> ends;
    for (const TaskNotification& end : client.all<TaskNotification>()) {
      if (names.contains(end.task_id)) ++ends[end.task_id];
    }
    EXPECT_EQ(ends.size(), static_cast<std::size_t>(kAgents));
    for (const auto& [id, times] : ends) EXPECT_EQ(times, 1) << names[id];
  }

  void expect_nothing_left() {
    EXPECT_TRUE(tasks().running().empty());
    EXPECT_TRUE(asker.pending().empty());
  }

  bool background = false;
};

TEST_F(ManyAgentsTest, WorkBesideEachOther) {
  std::jthread user = meddler(1);
  const ResultMessage result = run("go");
  EXPECT_EQ(result.result, "all made");
  user.request_stop();
  expect_no_mix();
  expect_nothing_left();
}

TEST_F(ManyAgentsTest, AreInterruptedTogether) {
  for (const unsigned seed : {2u, 3u, 4u}) {
    const std::size_t before = client.all<TaskStarted>().size();
    const std::size_t asked = client.all<ControlRequest>().size();
    std::jthread user = meddler(seed);
    std::jthread impatient([&] {
      (void)client.request(asked + seed);
      asker.withdraw({""});
      running.interrupt();
    });
    const ResultMessage result = run("go");
    impatient.join();
    user.request_stop();
    EXPECT_EQ(result.terminal_reason, TerminalReason::aborted_tools);
    EXPECT_GT(client.all<TaskStarted>().size(), before);
    expect_nothing_left();
  }
}

TEST_F(ManyAgentsTest, WorkInTheBackgroundAndAreStopped) {
  background = true;
  std::jthread user = meddler(5);
  EXPECT_EQ(run("go").result, "all made");
  for (const BackgroundTask& task : tasks().running()) {
    if (task.agent && task.id.back() % 3 == 0) tasks().stop(task.id);
  }
  // Each tells of its end, unless somebody stopped it who knows.
  for (const BackgroundTask& task : tasks().tasks()) {
    EXPECT_TRUE(tasks().wait(task.id, std::chrono::minutes(2), {}));
  }
  user.request_stop();
  user.join();
  expect_no_mix();
  expect_nothing_left();
}

TEST_F(ManyAgentsTest, AreGoneWithTheSession) {
  background = true;
  EXPECT_EQ(run("go").result, "all made");
  subagents.reset();  // nobody has answered them
  expect_nothing_left();
}

/// Last, when all sessions above are gone: nothing that they started is there.
TEST(ManyAgents, LeaveNoProcess) { EXPECT_EQ(children(), ""); }

}  // namespace
}  // namespace parley::agent
