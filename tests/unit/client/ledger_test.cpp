// Ledgers are values folded from messages, so messages are all these tests need.
#include "client/ledger/ledger.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/recording.hpp"
#include "wire/codec/codec.hpp"

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
  EXPECT_EQ(agent.state, Subagent::State::done);
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

// ---- the task list ------------------------------------------------------------------------------

/// A call of the model, and what came of it.
void call(Ledger& ledger, const std::string& tool, const std::string& input,
          const std::string& result, bool is_error = false) {
  static int number = 0;
  const std::string id = "c" + std::to_string(++number);
  ledger.apply(
      decode_message(
          R"({"type":"assistant","parent_tool_use_id":null,"message":{"role":"assistant","content":[{"type":"tool_use","id":")" +
          id + R"(","name":")" + tool + R"(","input":)" + input + "}]}}")
          .value());
  ledger.apply(
      decode_message(
          R"({"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":")" +
          id + R"(","content":"x","is_error":)" + (is_error ? "true" : "false") +
          R"(}]},"tool_use_result":)" + result + "}")
          .value());
}
void create(Ledger& ledger, const std::string& id, const std::string& subject) {
  call(ledger, "TaskCreate", R"({"subject":")" + subject + R"(","description":"d"})",
       R"({"task":{"id":")" + id + R"(","subject":")" + subject + R"("}})");
}
void update(Ledger& ledger, const std::string& id, const std::string& change, bool success = true) {
  call(ledger, "TaskUpdate", R"({"taskId":")" + id + R"(",)" + change + "}",
       std::string(R"({"success":)") + (success ? "true" : "false") + R"(,"taskId":")" + id +
           R"(","updatedFields":[]})");
}

TEST(TaskList, IsThatOfTheRecordings) {
  // 2.1.38 has the tools with CLAUDE_CODE_ENABLE_TASKS, 2.1.325 if --tools names them.
  for (const char* name : {"2.1.38/tool_task_create", "2.1.325/tool_todo_flag"}) {
    SCOPED_TRACE(name);
    const auto& all = test::recordings();
    const auto recording =
        std::find_if(all.begin(), all.end(), [&](const auto& r) { return r.name() == name; });
    ASSERT_NE(recording, all.end());
    Ledger ledger;
    for (const auto& line : recording->lines()) {
      if (!line.to_cli) ledger.apply(decode_message(line.text).value());
    }
    ASSERT_EQ(ledger.task_list.size(), 1U);
    const ListedTask& task = ledger.task_list[0];
    EXPECT_EQ(task.id, "1");
    EXPECT_EQ(task.subject, "Fix bug");
    EXPECT_EQ(task.description, "Long text");
    EXPECT_EQ(task.active_form, "Fixing bug");
    EXPECT_EQ(task.status, tools::TaskStatus::in_progress);
    EXPECT_TRUE(task.blocks.empty() && task.blocked_by.empty());
    EXPECT_TRUE(ledger.task_calls.empty());
  }
}

TEST(TaskList, ToolsThatAreRefusedChangeNothing) {
  const auto& all = test::recordings();
  const auto recording = std::find_if(
      all.begin(), all.end(), [](const auto& r) { return r.name() == "2.1.325/tool_task_create"; });
  ASSERT_NE(recording, all.end());
  Ledger ledger;
  for (const auto& line : recording->lines()) {
    if (!line.to_cli) ledger.apply(decode_message(line.text).value());
  }
  EXPECT_TRUE(ledger.task_list.empty());
  EXPECT_TRUE(ledger.task_calls.empty());
}

TEST(TaskList, KnowsOwnersAndDependencies) {
  Ledger ledger;
  for (const char* id : {"1", "2", "3"}) create(ledger, id, std::string("t") + id);
  update(ledger, "1", R"("owner":"ada","addBlocks":["2","3"])");
  update(ledger, "3", R"("addBlockedBy":["2","2"],"subject":"last","activeForm":"ending")");
  ASSERT_EQ(ledger.task_list.size(), 3U);
  EXPECT_EQ(ledger.task_list[0].owner, "ada");
  EXPECT_THAT(ledger.task_list[0].blocks, ElementsAre("2", "3"));
  EXPECT_THAT(ledger.task_list[1].blocks, ElementsAre("3"));
  EXPECT_THAT(ledger.task_list[1].blocked_by, ElementsAre("1"));
  EXPECT_THAT(ledger.task_list[2].blocked_by, ElementsAre("1", "2"));
  EXPECT_EQ(ledger.task_list[2].subject, "last");
  EXPECT_EQ(ledger.task_list[2].active_form, "ending");
  update(ledger, "2", R"("status":"deleted")");
  ASSERT_EQ(ledger.task_list.size(), 2U);
  EXPECT_THAT(ledger.task_list[0].blocks, ElementsAre("3"));
  EXPECT_THAT(ledger.task_list[1].blocked_by, ElementsAre("1"));
}

TEST(TaskList, ATaskListShowsAllThereAre) {
  Ledger ledger;
  create(ledger, "1", "gone");
  create(ledger, "2", "done");
  create(ledger, "3", "waits");
  update(ledger, "3", R"("addBlockedBy":["2"])");
  // As parley-agent answers: blockers that are completed are left out.
  call(ledger, "TaskList", "{}",
       R"({"tasks":[{"id":"2","subject":"done","status":"completed","blockedBy":[]},)"
       R"({"id":"3","subject":"waits","status":"pending","owner":"bob","blockedBy":["4"]},)"
       R"({"id":"4","subject":"from before","status":"in_progress","blockedBy":[]}]})");
  ASSERT_EQ(ledger.task_list.size(), 3U);
  EXPECT_EQ(ledger.task_list[0].status, tools::TaskStatus::completed);
  EXPECT_EQ(ledger.task_list[1].owner, "bob");
  EXPECT_THAT(ledger.task_list[1].blocked_by, ElementsAre("2", "4"));
  EXPECT_EQ(ledger.task_list[2].subject, "from before");
  EXPECT_THAT(ledger.task_list[2].blocks, ElementsAre("3"));
}

TEST(TaskList, OneFromBeforeIsFilledInWhenItIsSeen) {
  Ledger ledger;
  update(ledger, "7", R"("status":"completed")");
  ASSERT_EQ(ledger.task_list.size(), 1U);
  EXPECT_EQ(ledger.task_list[0].subject, "");
  call(
      ledger, "TaskGet", R"({"taskId":"7"})",
      R"({"task":{"id":"7","subject":"old","description":"d","status":"completed","blocks":["8"],"blockedBy":[]}})");
  EXPECT_EQ(ledger.task_list[0].subject, "old");
  EXPECT_THAT(ledger.task_list[0].blocks, ElementsAre("8"));
  call(ledger, "TaskGet", R"({"taskId":"7"})", R"({"task":null})");
  EXPECT_TRUE(ledger.task_list.empty());
}

TEST(TaskList, WhatDidNotHappenIsNotTaken) {
  Ledger ledger;
  create(ledger, "1", "a");
  update(ledger, "1", R"("status":"completed")", false);
  update(ledger, "1", R"("status":7)");
  call(ledger, "TaskUpdate", R"({"taskId":"1","status":"deleted"})", R"("Error: no")", true);
  call(ledger, "TaskUpdate", R"({"taskId":"1","status":"deleted"})", R"("some text")");
  call(ledger, "TaskCreate", R"({"subject":"b","description":"d"})", R"({"task":{"id":2}})");
  call(ledger, "TaskList", "{}", R"({"tasks":null})");
  call(ledger, "TaskGet", "[]", R"({"task":null})");
  call(ledger, "Bash", R"({"taskId":"1"})", R"({"task":null})");
  ASSERT_EQ(ledger.task_list.size(), 1U);
  EXPECT_EQ(ledger.task_list[0].status, tools::TaskStatus::pending);
  EXPECT_TRUE(ledger.task_calls.empty());
  update(ledger, "1", R"("addBlocks":["1","9"],"addBlockedBy":["1"],"status":"odd")");
  EXPECT_THAT(ledger.task_list[0].blocks, ElementsAre("9"));
  EXPECT_TRUE(ledger.task_list[0].blocked_by.empty());
  EXPECT_EQ(ledger.task_list[0].status.text(), "odd");
  ledger.apply(decode_message(R"({"type":"conversation_reset"})").value());
  EXPECT_TRUE(ledger.task_list.empty());
}

TEST(TaskList, IsBounded) {
  Ledger ledger;
  for (std::size_t i = 0; i < Ledger::kMostListedTasks + 10; ++i) {
    create(ledger, std::to_string(i), "t");
  }
  EXPECT_EQ(ledger.task_list.size(), Ledger::kMostListedTasks);
  // Calls that never end.
  for (int i = 0; i < 1000; ++i) {
    ledger.apply(
        decode_message(
            R"({"type":"assistant","parent_tool_use_id":null,"message":{"role":"assistant","content":[{"type":"tool_use","id":"u)" +
            std::to_string(i) + R"(","name":"TaskList","input":{}}]}})")
            .value());
  }
  EXPECT_LE(ledger.task_calls.size(), 256U);
}

}  // namespace
}  // namespace parley
