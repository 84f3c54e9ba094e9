#include "server/events/session_state.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "server/events/events.hpp"

namespace parley::server {
namespace {

constexpr const char* kId = "11111111-2222-4333-8444-555555555555";
constexpr const char* kFirst = "aaaaaaaa-0000-4000-8000-000000000001";
constexpr const char* kSecond = "aaaaaaaa-0000-4000-8000-000000000002";

class SessionStateTest : public ::testing::Test {
 protected:
  void apply(const std::string& event) {
    ++seq_;
    state_.apply(seq_, 1000 + static_cast<std::int64_t>(seq_), event);
  }
  void agent(const std::string& message) { apply(events::agent(message)); }
  void begun(const std::string& uuid) {
    agent(R"({"type":"user","message":{"role":"user","content":"x"},"isReplay":true,"uuid":")" +
          uuid + R"(","session_id":"s"})");
  }
  void result(double cost) {
    agent(R"({"type":"result","subtype":"success","uuid":"u","session_id":"s","total_cost_usd":)" +
          std::to_string(cost) + "}");
  }
  void start() {
    apply(events::state("starting", {}));
    apply(events::state("idle", {}));
  }

  SessionState state_{kId};
  std::uint64_t seq_ = 0;
};

TEST_F(SessionStateTest, FollowsATurn) {
  EXPECT_EQ(state_.name(), "starting");
  apply(events::settings(Json::object({{"cwd", "/work"}, {"model", "m"}})));
  start();
  EXPECT_EQ(state_.name(), "idle");
  apply(events::prompt(kFirst, "Hello\nthere", "page"));
  EXPECT_EQ(state_.name(), "running");
  agent(
      R"({"type":"system","subtype":"init","model":"resolved","permissionMode":"plan","session_id":"s-1","uuid":"u"})");
  begun(kFirst);
  apply(events::request("r", R"({"subtype":"can_use_tool","tool_name":"Bash","input":{}})"));
  EXPECT_EQ(state_.name(), "waiting");
  apply(events::resolved("r", {}, "answered"));
  EXPECT_EQ(state_.name(), "running");
  result(0.5);
  EXPECT_EQ(state_.name(), "idle");
  const Json summary = state_.summary();
  EXPECT_EQ(summary["title"].as_string(), "Hello");
  EXPECT_EQ(summary["model"].as_string(), "resolved");
  EXPECT_EQ(summary["mode"].as_string(), "plan");
  EXPECT_EQ(summary["cost_usd"].as_double(), 0.5);
  EXPECT_EQ(state_.agent_session(), "s-1");
  EXPECT_EQ(summary["last_seq"].as_int(), static_cast<std::int64_t>(seq_));
}

TEST_F(SessionStateTest, OwesPromptsUntilTheyAreBegun) {
  start();
  apply(events::prompt(kFirst, "one", "page"));
  apply(events::prompt(kSecond, "two", "page"));
  begun(kFirst);
  result(0);
  EXPECT_EQ(state_.name(), "running") << "the second one waits";
  ASSERT_EQ(state_.waiting_prompts().size(), 1U);
  EXPECT_EQ(state_.waiting_prompts()[0]->content.as_string(), "two");
  apply(events::state("failed", {}));
  EXPECT_EQ(state_.waiting_prompts().size(), 1U);
  apply(events::taken_back(kSecond));
  EXPECT_TRUE(state_.waiting_prompts().empty());
  EXPECT_EQ(state_.find_prompt(kSecond)->seq, 4U);
  EXPECT_EQ(state_.find_prompt("nothing"), nullptr);
}

TEST_F(SessionStateTest, APromptThatIsOnlyEchoedDoesNotRun) {
  start();
  apply(events::prompt(kFirst, "one", "page"));
  apply(events::state("ended", {}));  // the server was killed; the agent had begun with it
  apply(events::state("starting", {}));
  begun(kFirst);
  apply(events::state("idle", {}));
  EXPECT_EQ(state_.name(), "idle");
  EXPECT_TRUE(state_.waiting_prompts().empty());
}

TEST_F(SessionStateTest, APromptIsOwedUntilItsTurnIsOver) {
  start();
  apply(events::prompt(kFirst, "one", "page"));
  agent(R"({"type":"command_lifecycle","command_uuid":")" + std::string(kFirst) +
        R"(","state":"started","uuid":"u","session_id":"s"})");
  begun(kFirst);
  agent(R"({"type":"assistant","message":{"role":"assistant","content":[]},"uuid":"u"})");
  EXPECT_TRUE(state_.waiting_prompts().empty()) << "this process has begun with it";
  const auto restored = SessionState::restore(kId, state_.snapshot());
  ASSERT_TRUE(restored);
  for (const SessionState& each : {state_, *restored}) {
    ASSERT_EQ(each.owed_prompts().size(), 1U) << "it may not be on record yet";
    EXPECT_TRUE(each.owed_prompts()[0]->begun);
  }
  apply(events::state("ended", {}));
  start();
  ASSERT_EQ(state_.waiting_prompts().size(), 1U) << "the next process does not know of it";
  EXPECT_EQ(state_.waiting_prompts()[0]->content.as_string(), "one");
  begun(kFirst);
  result(0);
  EXPECT_TRUE(state_.owed_prompts().empty());
  EXPECT_TRUE(state_.find_prompt(kFirst)->content.is_null());
}

TEST_F(SessionStateTest, WhatWasMadeOneMessageWithAPromptOnRecordIsOnRecord) {
  start();
  apply(events::prompt(kFirst, "one", "page"));
  apply(events::prompt(kSecond, "two", "page"));
  begun(kFirst);
  begun(kSecond);
  apply(events::state("ended", {}));
  apply(events::delivered({kSecond}));
  EXPECT_TRUE(state_.owed_prompts().empty());
}

TEST_F(SessionStateTest, WhatNobodyHasBegunWithIsNotOnRecordBecauseALaterOneIs) {
  start();
  apply(events::prompt(kFirst, "/later", "page"));
  apply(events::prompt(kSecond, "two", "page"));
  begun(kSecond);
  result(0);
  ASSERT_EQ(state_.owed_prompts().size(), 1U);
  EXPECT_EQ(state_.owed_prompts()[0]->client_id, kFirst);
}

TEST_F(SessionStateTest, BeginsAnewUnderAnotherId) {
  EXPECT_EQ(state_.new_agent_session(), kId);
  agent(R"({"type":"system","subtype":"init","session_id":"s-1","uuid":"u"})");
  agent(R"({"type":"assistant","message":{"role":"assistant","content":[]},"uuid":"u"})");
  EXPECT_TRUE(state_.answered());
  apply(events::settings(Json::object({{"agent_session", ""}, {"new_agent_session", "s-2"}})));
  EXPECT_EQ(state_.agent_session(), "");
  EXPECT_EQ(state_.new_agent_session(), "s-2");
  EXPECT_FALSE(state_.answered());
}

TEST_F(SessionStateTest, BelievesAgentsThatConfirmNothing) {
  start();
  apply(events::prompt(kFirst, "one", "page"));
  result(0);
  EXPECT_EQ(state_.name(), "idle");
}

TEST_F(SessionStateTest, AddsUpTheCostsOfProcesses) {
  start();
  result(0.5);
  result(0.75);
  start();
  result(0.25);
  EXPECT_EQ(state_.summary()["cost_usd"].as_double(), 1.0);
}

TEST_F(SessionStateTest, IsTheSameFromASnapshot) {
  start();
  apply(events::prompt(kFirst, Json::array({Json::object({{"type", "text"}, {"text", "hi"}})}),
                       "api"));
  apply(events::request("r", R"({"subtype":"can_use_tool"})"));
  apply(events::settings(Json::object({{"client_id", kSecond}})));
  const auto restored = SessionState::restore(kId, state_.snapshot());
  ASSERT_TRUE(restored);
  EXPECT_EQ(restored->snapshot(), state_.snapshot());
  EXPECT_EQ(restored->summary(), state_.summary());
  EXPECT_EQ(restored->client_id(), kSecond);
  EXPECT_FALSE(SessionState::restore(kId, "{}"));
  EXPECT_FALSE(SessionState::restore(kId, "nonsense"));
}

TEST_F(SessionStateTest, NamesAreShort) {
  std::string long_name(255, 'n');
  std::string shown = long_name;
  shown += "…";
  long_name += "ß and so on";
  apply(events::settings(Json::object({{"title", long_name}, {"mode", long_name}})));
  EXPECT_EQ(state_.title(), shown);
  EXPECT_EQ(state_.mode(), shown);
  agent(R"({"type":"system","subtype":"init","model":")" + long_name + R"(","session_id":")" +
        long_name + R"(","uuid":"u"})");
  EXPECT_EQ(state_.model(), shown);
  EXPECT_EQ(state_.agent_session(), "");  // cut, it would be another's
}

TEST_F(SessionStateTest, TheHeadlineLeavesOutWhatAlwaysChanges) {
  start();
  const std::string before = state_.headline();
  begun(kFirst);
  EXPECT_EQ(state_.headline(), before);
  std::string last = before;
  const auto changes = [&] { return std::exchange(last, state_.headline()) != last; };
  apply(events::prompt(kFirst, "Hello", "page"));
  EXPECT_TRUE(changes());
  apply(events::request("r", R"({"subtype":"can_use_tool"})"));
  EXPECT_TRUE(changes());
  apply(events::resolved("r", {}, "answered"));
  EXPECT_TRUE(changes());
  result(0.5);
  EXPECT_TRUE(changes());
  for (const char* name : {"title", "model", "mode", "cwd"}) {
    apply(events::settings(Json::object({{name, "new"}})));
    EXPECT_TRUE(changes()) << name;
  }
}

TEST_F(SessionStateTest, TheEndOfAServerIsNoActivity) {
  start();
  apply(events::prompt(kFirst, "Hello", "page"));
  const auto prompted = state_.summary()["prompted"].as_int();
  begun(kFirst);
  apply(events::request("r", R"({"subtype":"can_use_tool","tool_name":"Bash","input":{}})"));
  const auto asked = state_.updated();
  EXPECT_GT(asked, prompted);
  apply(events::resolved("r", {}, "lost"));
  apply(events::state("ended", {}));
  EXPECT_EQ(state_.updated(), asked);
  EXPECT_EQ(state_.summary()["prompted"].as_int(), prompted);
}

TEST_F(SessionStateTest, AnAnswerIsWhatAPersonDid) {
  start();
  apply(events::request("r", R"({"subtype":"can_use_tool","tool_name":"Bash","input":{}})"));
  const auto before = state_.summary()["prompted"].as_int();
  apply(events::resolved("r", Json::object({{"behavior", "allow"}}), "answered"));
  EXPECT_GT(state_.summary()["prompted"].as_int(), before);
}

TEST_F(SessionStateTest, CountsWhatRunsInTheBackground) {
  start();
  const std::string before = state_.headline();
  agent(
      R"({"type":"system","subtype":"background_tasks_changed","tasks":[{"task_id":"a"}],"uuid":"u","session_id":"s"})");
  EXPECT_EQ(state_.summary()["background"].as_int(), 1);
  EXPECT_NE(state_.headline(), before);
  const auto restored = SessionState::restore(kId, state_.snapshot());
  ASSERT_TRUE(restored.ok());
  EXPECT_EQ(restored->summary().dump(), state_.summary().dump());
  apply(events::state("ended", {}));
  EXPECT_EQ(state_.summary()["background"].as_int(), 0);
}

TEST_F(SessionStateTest, StepsOverWhatItDoesNotKnow) {
  start();
  apply("nonsense");
  apply(R"({"kind":"new"})");
  agent(R"({"type":"new"})");
  EXPECT_EQ(state_.name(), "idle");
  EXPECT_EQ(state_.last_seq(), 5U);
}

}  // namespace
}  // namespace parley::server
