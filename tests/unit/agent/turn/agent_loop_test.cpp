// The loop of a turn without a session around it, as a subagent runs it: two conversations at the
// same time, each with its own tools, permissions, transcript and sink, through the same model,
// client, hooks and costs.
#include "agent/turn/agent_loop.hpp"

#include <latch>

#include "turn_fixture.hpp"
#include "wire/control/control.hpp"

namespace parley::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Passes on what a subagent says, marked with the call that it works for.
class SubagentSink final : public MessageSink {
 public:
  SubagentSink(MessageSink& next, std::string parent) : next_(next), parent_(std::move(parent)) {}

  void send(Message message) override {
    const auto mark = [this]<class T>(T& one) {
      if constexpr (std::is_same_v<T, UserMessage> || std::is_same_v<T, AssistantMessage>) {
        one.parent_tool_use_id = parent_;
      }
    };
    std::visit(mark, message);
    next_.send(std::move(message));
  }

 private:
  MessageSink& next_;
  const std::string parent_;
};

class SubagentTest : public TurnTest {
 protected:
  /// Everything that is a subagent's own.
  struct Subagent {
    Subagent(SubagentTest& test, const std::string& parent, const std::string& task)
        : sink(test.client, parent), context{{},          conversation, transcript,   requests,
                                             tools,       permissions,  sink,         prompts,
                                             test.model,  test.asker,   test.hooks,   test.cost,
                                             test.totals, test.status,  test.threads, test.debug} {
      context.options.can_ask = true;
      conversation.append(user_text(task));
    }
    std::string run(const std::stop_token& stop = {}) {
      AgentLoop(context, record, stop).run();
      return record.result.result.value_or("");
    }

    Conversation conversation;
    FakeTranscript transcript;
    FakeRequests requests;
    FakeTools tools;
    FakePermissions permissions;
    SubagentSink sink;
    PromptQueue prompts;
    TurnContext context;
    TurnRecord record = TurnRecord::begin();
  };
};

TEST_F(SubagentTest, TwoConversationsRunAtTheSameTime) {
  Subagent reader(*this, "toolu_reader", "read");
  Subagent writer(*this, "toolu_writer", "write");
  reader.tools.add(saying_tool("Read", "read it"));
  writer.tools.add(saying_tool("Write", "written"));
  reader.permissions.always(Verdict::Kind::allow);
  writer.permissions.always(Verdict::Kind::ask);
  std::latch both_ask(2);
  model.will_by([&](const ApiRequest& request) -> ScriptedResponse {
    const std::string so_far = told(request);
    const bool reads = so_far.starts_with("user: read");
    if (request.messages.size() > 1) return {.text = reads ? "was read" : "was written"};
    both_ask.arrive_and_wait();  // would never end if one waited for the other
    // Both try both tools: each has only its own.
    return {.text = "", .calls = {{reads ? "r1" : "w1", "Read"}, {reads ? "r2" : "w2", "Write"}}};
  });
  const AnsweringClient answers(client, asker, 1, [](const ControlRequest& request) {
    EXPECT_EQ(std::get<control::CanUseTool>(*request.request).tool_use_id, "w2");
    return R"({"behavior":"allow"})";
  });
  std::string was_read;
  std::jthread beside([&] { was_read = reader.run(); });
  EXPECT_EQ(writer.run(), "was written");
  beside.join();
  EXPECT_EQ(was_read, "was read");

  EXPECT_THAT(reader.transcript.lines(), SizeIs(5));
  EXPECT_THAT(writer.transcript.lines(), SizeIs(5));
  EXPECT_THAT(transcript.lines(), IsEmpty());
  for (const ApiRequest& request : model.requests()) {
    ASSERT_THAT(request.tools, SizeIs(1));
    const bool reads = told(request).starts_with("user: read");
    EXPECT_EQ(request.tools.front().name, reads ? "Read" : "Write");
  }
  EXPECT_THAT(told(model.requests().back()), HasSubstr("No such tool available"));
  for (const AssistantMessage& message : client.all<AssistantMessage>()) {
    const auto* call = std::get_if<ToolUseBlock>(&message.message.content.front());
    if (call == nullptr) continue;
    EXPECT_EQ(message.parent_tool_use_id.value_or(""),
              call->id.starts_with('r') ? "toolu_reader" : "toolu_writer");
  }
  for (const UserMessage& message : client.all<UserMessage>()) {
    EXPECT_THAT(encode_message(message), HasSubstr(R"("parent_tool_use_id":"toolu_)"));
  }
  // Neither an init nor a result: these are the session's.
  EXPECT_THAT(client.all<SystemInit>(), IsEmpty());
  EXPECT_THAT(client.all<ResultMessage>(), IsEmpty());
  // Four responses, one bill.
  EXPECT_EQ(cost.by_model().find("claude-test")->inputTokens, 40);
}

TEST_F(SubagentTest, RunsWithinACallOfTheSession) {
  tools.add(std::make_shared<FakeTool>("Agent", [this](const ToolCall& call) {
    Subagent helper(*this, call.id, "help");
    return ToolOutput::success(helper.run(call.stop), Json());
  }));
  model.will_by([](const ApiRequest& request) -> ScriptedResponse {
    const std::string so_far = told(request);
    if (so_far == "user: go") return {.text = "", .calls = {{"t1", "Agent"}}};
    if (so_far == "user: help") return {.text = "helped"};
    return {.text = "done"};
  });
  EXPECT_EQ(run("go").result, "done");
  EXPECT_THAT(shown_results(), ElementsAre("t1: helped"));
  EXPECT_EQ(client.last<ResultMessage>().modelUsage->find("claude-test")->inputTokens, 30);
  EXPECT_THAT(conversation.messages(), SizeIs(4));
}

TEST_F(SubagentTest, EndsWithTheTurnThatItWorksFor) {
  tools.add(std::make_shared<FakeTool>("Agent", [this](const ToolCall& call) {
    Subagent helper(*this, call.id, "help");
    (void)helper.run(call.stop);
    EXPECT_TRUE(helper.record.cancelled);
    return ToolOutput::success("", Json());
  }));
  model.will_by([this](const ApiRequest& request) -> ScriptedResponse {
    if (told(request) == "user: go") return {.text = "", .calls = {{"t1", "Agent"}}};
    return {.text = "never heard",
            .before_end = [this](const std::stop_token&) { running.interrupt(); }};
  });
  EXPECT_EQ(run("go").terminal_reason, TerminalReason::aborted_tools);
}

}  // namespace
}  // namespace parley::agent
