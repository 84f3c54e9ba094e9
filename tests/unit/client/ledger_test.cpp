// Ledgers are values folded from messages, so messages are all these tests need.
#include "client/ledger.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parley {
namespace {

using ::testing::ElementsAre;

Ledger folded(std::initializer_list<const char*> lines) {
  Ledger ledger;
  for (const char* line : lines) ledger.apply(decode_message(line).value());
  return ledger;
}

constexpr auto kStartAgent =
    R"({"type":"assistant","parent_tool_use_id":null,"message":{"role":"assistant","content":[)"
    R"({"type":"tool_use","id":"a1","name":"Agent","input":{"description":"Look","prompt":"Find x",)"
    R"("subagent_type":"explore"}}]}})";

TEST(Ledger, KnowsSubagentsAndTheirMessages) {
  const Ledger ledger = folded(
      {kStartAgent,
       R"({"type":"system","subtype":"task_started","task_id":"k1","tool_use_id":"a1","description":"Look"})",
       R"({"type":"assistant","parent_tool_use_id":"a1","message":{"role":"assistant","content":[)"
       R"({"type":"tool_use","id":"a2","name":"Agent","input":{"description":"Deeper","prompt":"p"}}]}})",
       R"({"type":"system","subtype":"task_progress","task_id":"k1","tool_use_id":"a1","usage":)"
       R"({"total_tokens":77,"tool_uses":2},"last_tool_name":"Grep"})",
       R"({"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a1","content":"ok"}]}})"});
  ASSERT_EQ(ledger.top_level().size(), 1U);
  const Subagent& agent = *ledger.top_level()[0];
  EXPECT_EQ(agent.type, "explore");
  EXPECT_EQ(agent.prompt, "Find x");
  EXPECT_EQ(agent.tokens, 77);
  EXPECT_EQ(agent.last_tool, "Grep");
  EXPECT_EQ(agent.task_id, "k1");
  EXPECT_EQ(agent.messages.size(), 1U);
  EXPECT_EQ(agent.state, Subagent::State::kDone);
  EXPECT_THAT(agent.children, ElementsAre("a2"));
  EXPECT_EQ(ledger.subagents.at("a2").parent, "a1");
}

TEST(Ledger, FollowsTasksToTheirEnd) {
  const Ledger ledger = folded(
      {R"({"type":"system","subtype":"task_started","task_id":"k","description":"sleep","task_type":"local_bash","is_backgrounded":true})",
       R"({"type":"system","subtype":"task_updated","task_id":"k","patch":{"status":"killed"}})",
       R"({"type":"system","subtype":"task_notification","task_id":"k","status":"stopped","output_file":"/o","summary":"s"})"});
  ASSERT_EQ(ledger.tasks.size(), 1U);
  EXPECT_TRUE(ledger.tasks[0].over());
  EXPECT_TRUE(ledger.tasks[0].background);
  EXPECT_EQ(ledger.tasks[0].status, "stopped");
  EXPECT_EQ(ledger.tasks[0].output_file, "/o");
}

TEST(Ledger, SplitsCostByTurnAndModel) {
  const Ledger ledger = folded(
      {R"({"type":"result","subtype":"success","total_cost_usd":1.0,"usage":{"input_tokens":5,"output_tokens":6},)"
       R"("modelUsage":{"m":{"costUSD":1.0}}})",
       R"({"type":"result","subtype":"success","total_cost_usd":1.5,"usage":{"input_tokens":7,"output_tokens":8},)"
       R"("modelUsage":{"m":{"costUSD":1.25},"n":{"costUSD":0.25}}})"});
  EXPECT_EQ(ledger.spending.turns, 2);
  EXPECT_DOUBLE_EQ(ledger.spending.total_cost_usd, 1.5);
  EXPECT_DOUBLE_EQ(ledger.spending.last_turn_cost_usd, 0.5);
  EXPECT_EQ(ledger.spending.input_tokens, 12);
  EXPECT_EQ(ledger.spending.output_tokens, 14);
  EXPECT_DOUBLE_EQ(ledger.spending.last_turn_by_model.at("m"), 0.25);
  EXPECT_DOUBLE_EQ(ledger.spending.last_turn_by_model.at("n"), 0.25);
}

TEST(Ledger, CountsResultsInTheOtherCase) {
  const Ledger ledger = folded(
      {R"({"type":"system","subtype":"init","session_id":"s","model":"m"})",
       R"({"type":"result","subtype":"success","sessionId":"s2","totalCostUsd":1.0,"usage":{"inputTokens":5,"outputTokens":6},)"
       R"("model_usage":{"m":{"cost_usd":1.0,"output_tokens":6,"context_window":1000}}})",
       R"({"type":"result","subtype":"success","total_cost_usd":1.5,"usage":{"input_tokens":7,"output_tokens":8},)"
       R"("modelUsage":{"m":{"costUSD":1.5,"output_tokens":14}}})"});
  EXPECT_EQ(ledger.session_id, "s2");
  EXPECT_DOUBLE_EQ(ledger.spending.total_cost_usd, 1.5);
  EXPECT_DOUBLE_EQ(ledger.spending.last_turn_cost_usd, 0.5);
  EXPECT_EQ(ledger.spending.input_tokens, 12);
  EXPECT_EQ(ledger.spending.by_model.at("m").outputTokens, 14);
  EXPECT_DOUBLE_EQ(ledger.spending.last_turn_by_model.at("m"), 0.5);
  EXPECT_EQ(ledger.context_window, 1000);
}

TEST(Ledger, FollowsModeTodosContextAndCommands) {
  Ledger ledger = folded(
      {R"({"type":"system","subtype":"init","session_id":"s","model":"m","permissionMode":"default","slash_commands":["a","b"]})",
       R"({"type":"system","subtype":"status","status":"compacting","permissionMode":"plan"})",
       R"({"type":"assistant","parent_tool_use_id":null,"message":{"role":"assistant","usage":{"input_tokens":10,"cache_read_input_tokens":90,"output_tokens":5},"content":[)"
       R"({"type":"tool_use","id":"t","name":"TodoWrite","input":{"todos":[{"content":"x","status":"pending","activeForm":"doing x"}]}}]}})"});
  EXPECT_EQ(ledger.permission_mode, PermissionMode::plan);
  EXPECT_TRUE(ledger.compacting);
  EXPECT_EQ(ledger.context_tokens, 105);
  ASSERT_EQ(ledger.todos.size(), 1U);
  EXPECT_EQ(ledger.commands.size(), 2U);
  ledger.apply(
      decode_message(
          R"({"type":"system","subtype":"commands_changed","commands":[{"name":"c","description":"d"}]})")
          .value());
  EXPECT_EQ(ledger.commands.at(0).name, "c");
  ledger.apply(
      decode_message(R"({"type":"conversation_reset","new_conversation_id":"s2"})").value());
  EXPECT_EQ(ledger.session_id, "s2");
  EXPECT_TRUE(ledger.todos.empty());
}

TEST(Ledger, BoundsWhatItKeepsOfASubagent) {
  Ledger ledger;
  const auto message =
      decode_message(
          R"({"type":"user","parent_tool_use_id":"a1","message":{"role":"user","content":"x"}})")
          .value();
  for (std::size_t i = 0; i < 2 * Ledger::kMostSubagentMessages; ++i) ledger.apply(message);
  EXPECT_EQ(ledger.subagents.at("a1").messages.size(), Ledger::kMostSubagentMessages);
}

}  // namespace
}  // namespace parley
