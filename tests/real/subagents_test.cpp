// Subagents of the real CLI, in the foreground and behind it.
#include <future>

#include "support.hpp"

namespace parley::real {
namespace {

using SubagentsTest = RealCli;

/// An agent that makes a file, and is asked about it.
const std::string kMakesAFile =
    R"({"when_first":"SUBAGENT-PROMPT","content":[{"type":"tool_use","id":"toolu_sub",)"
    R"("name":"Bash","input":{"command":"touch made.txt","description":"Make"}}]})";
const std::string kLooked =
    R"({"when_first":"SUBAGENT-PROMPT","content":[{"type":"text","text":"Looked."}]})";

TEST_F(SubagentsTest, Foreground) {
  script(turns({kLooked, tool_turn("Task", kForegroundAgent), text_turn("All done.")}));
  Session session(options());
  ASSERT_TRUE(session.connect());
  const TakenTurn turn = take_turn(session, "look");
  ASSERT_TRUE(turn.result) << turn.result.error().what();
  EXPECT_EQ(turn.result->result, "All done.");
  const Ledger ledger = session.ledger();
  ASSERT_EQ(ledger.subagents.size(), 1u);
  EXPECT_EQ(ledger.subagents.begin()->second.type, "general-purpose");
  EXPECT_EQ(ledger.subagents.begin()->second.state, Subagent::State::done);
}

TEST_F(SubagentsTest, AsksAreTheSubagents) {
  script(turns({kMakesAFile, kLooked, tool_turn("Task", kForegroundAgent), text_turn("Done.")}));
  Options o = options();
  std::promise<std::optional<std::string>> agent;
  o.on_permission = [&](const PermissionAsk& ask) {
    agent.set_value(ask.agent_id);
    return allow();
  };
  Session session(o);
  ASSERT_TRUE(session.connect());
  const TakenTurn turn = take_turn(session, "look");
  ASSERT_TRUE(turn.result) << turn.result.error().what();
  EXPECT_TRUE(agent.get_future().get().has_value());
  EXPECT_TRUE(std::filesystem::exists(work() / "made.txt"));
  const Ledger ledger = session.ledger();
  ASSERT_EQ(ledger.subagents.size(), 1u);
  EXPECT_NE(results_of(turn.messages), "");
  EXPECT_FALSE(ledger.subagents.begin()->second.messages.empty());
}

TEST_F(SubagentsTest, Background) {
  if (!at_least({2, 1, 325})) GTEST_SKIP() << "older CLIs do not announce the end";
  script(turns({kLooked, tool_turn("Task", kBackgroundAgent), text_turn("Started."),
                text_turn("It has looked.")}));
  Session session(options());
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(take_turn(session, "look").result);
  // The end of a background agent begins a turn that nobody asked for.
  const auto second = next_result(session);
  ASSERT_TRUE(second) << second.error().what();
  const Ledger ledger = session.ledger();
  ASSERT_EQ(ledger.subagents.size(), 1u);
  const Subagent& agent = ledger.subagents.begin()->second;
  EXPECT_TRUE(agent.background);
  EXPECT_EQ(agent.state, Subagent::State::done);
  ASSERT_EQ(ledger.tasks.size(), 1u);
  EXPECT_TRUE(ledger.tasks.front().over());
}

TEST_F(SubagentsTest, BackgroundIsStopped) {
  if (!at_least({2, 1, 325})) GTEST_SKIP() << "older CLIs cannot stop a task";
  script(turns({kMakesAFile, tool_turn("Task", kBackgroundAgent), text_turn("Started."),
                text_turn("It was stopped.")}));
  Options o = options();
  // It waits for a permission that never comes, and is stopped meanwhile.
  WithheldPermission permission;
  o.on_permission = [&](const PermissionAsk& ask) { return permission.withhold(ask); };
  Session session(o);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(take_turn(session, "look").result);
  ASSERT_EQ(permission.asked.get_future().wait_for(kPatience), std::future_status::ready);
  const auto agents = session.ledger().subagents;
  ASSERT_EQ(agents.size(), 1u);
  ASSERT_TRUE(session.tasks().stop(agents.begin()->second.task_id));
  EXPECT_EQ(permission.withdrawn.get_future().wait_for(kPatience), std::future_status::ready);
  ASSERT_TRUE(read_until(session, [](const Message& message) {
    return std::holds_alternative<TaskNotification>(message);
  }));
  EXPECT_EQ(session.ledger().subagents.begin()->second.state, Subagent::State::stopped);
  EXPECT_FALSE(std::filesystem::exists(work() / "made.txt"));
}

TEST_F(SubagentsTest, OfATypeOfTheProgram) {
  script(turns({R"({"when_any":"REVIEW-PROMPT","content":[{"type":"text","text":"Fine."}]})",
                tool_turn("Task", R"({"description":"Review","prompt":"REVIEW-PROMPT",)"
                                  R"("subagent_type":"reviewer","run_in_background":false})"),
                text_turn("Done.")}));
  Options o = options();
  AgentDefinition reviewer;
  reviewer.description = "Reviews code";
  reviewer.prompt = "YOU-ARE-A-REVIEWER";
  o.agents.types["reviewer"] = reviewer;
  Session session(o);
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(take_turn(session, "review").result);
  bool told = false;
  for (const Json& request : model().requests()) {
    told = told || request["system"].dump().find("YOU-ARE-A-REVIEWER") != std::string::npos;
  }
  EXPECT_TRUE(told);
}

}  // namespace
}  // namespace parley::real
