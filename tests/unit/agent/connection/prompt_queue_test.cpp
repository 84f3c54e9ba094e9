// Which prompts a turn takes.
#include "agent/connection/prompt_queue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace parley::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

UserMessage prompt(const std::string& text, const std::string& uuid = {},
                   std::optional<MessagePriority> priority = std::nullopt) {
  UserMessage message;
  message.message.role = "user";
  message.message.content = text;
  message.uuid = uuid;
  if (priority) message.priority = *priority;
  return message;
}

std::vector<std::string> texts(const std::vector<UserMessage>& prompts) {
  std::vector<std::string> all;
  for (const UserMessage& one : prompts) all.push_back(std::get<std::string>(one.message.content));
  return all;
}

TEST(PromptQueue, TheFirstRunsAloneAndTheRestTogether) {
  PromptQueue prompts;
  for (const char* text : {"a", "b", "c"}) prompts.push(prompt(text));
  EXPECT_THAT(texts(prompts.next()), ElementsAre("a"));
  EXPECT_THAT(texts(prompts.next()), ElementsAre("b", "c"));
}

TEST(PromptQueue, PrioritiesAreTurnsOfTheirOwn) {
  PromptQueue prompts;
  prompts.push(prompt("first"));
  EXPECT_THAT(texts(prompts.next()), ElementsAre("first"));
  prompts.push(prompt("later", "", MessagePriority::later));
  prompts.push(prompt("next", "", MessagePriority::next));
  prompts.push(prompt("now", "", MessagePriority::now));
  EXPECT_THAT(texts(prompts.next()), ElementsAre("now"));
  EXPECT_THAT(texts(prompts.next()), ElementsAre("next"));
  EXPECT_THAT(texts(prompts.next()), ElementsAre("later"));
}

TEST(PromptQueue, AUuidRunsOnce) {
  PromptQueue prompts;
  prompts.mark_seen({"old"});
  EXPECT_FALSE(prompts.push(prompt("again", "old")));
  EXPECT_TRUE(prompts.push(prompt("new", "1")));
  EXPECT_FALSE(prompts.push(prompt("new", "1")));
  EXPECT_TRUE(prompts.push(prompt("without")));
  EXPECT_TRUE(prompts.push(prompt("without")));
  EXPECT_EQ(prompts.size(), 3u);
}

TEST(PromptQueue, WhoQueuesSaysSoBeforeATurnTakesIt) {
  PromptQueue prompts;
  std::vector<std::string> order;
  std::thread turn([&] {
    prompts.next();
    order.emplace_back("taken");
  });
  prompts.push(prompt("a", "1"), [&] { order.emplace_back("told"); });
  turn.join();
  EXPECT_FALSE(prompts.push(prompt("a", "1"), [&] { order.emplace_back("told twice"); }));
  EXPECT_THAT(order, ElementsAre("told", "taken"));
}

TEST(PromptQueue, WhatWaitsCanBeWithdrawn) {
  PromptQueue prompts;
  prompts.push(prompt("a", "1"));
  (void)prompts.next();
  prompts.push(prompt("b", "2"));
  prompts.push(prompt("c", "3"));
  EXPECT_TRUE(prompts.cancel("2"));
  EXPECT_FALSE(prompts.cancel("2"));
  EXPECT_THAT(prompts.waiting(), ElementsAre("3"));
  EXPECT_THAT(prompts.waiting(true), ElementsAre("3"));
  EXPECT_EQ(prompts.size(), 0u);
}

TEST(PromptQueue, ClosedIsNotTheEndWhileSomethingIsExpected) {
  PromptQueue prompts;
  prompts.hold_open();
  prompts.close();
  std::jthread task([&] {
    prompts.push(prompt("it has ended"));
    prompts.release();
  });
  EXPECT_THAT(texts(prompts.next()), ElementsAre("it has ended"));
  EXPECT_THAT(prompts.next(), IsEmpty());
}

TEST(PromptQueue, ARunningTurnTakesAlongWhatComesDuringItsTools) {
  PromptQueue prompts;
  prompts.push(prompt("a"));
  (void)prompts.next();
  prompts.push(prompt("while it answers"));
  prompts.tools_started();
  prompts.push(prompt("b"));
  prompts.push(prompt("c", "", MessagePriority::later));
  EXPECT_THAT(texts(prompts.take_for_running_turn()), ElementsAre("b"));
  EXPECT_THAT(texts(prompts.next()), ElementsAre("while it answers"));
  EXPECT_THAT(texts(prompts.next()), ElementsAre("c"));
}

TEST(PromptQueue, WhatIsWithdrawnLeavesTheTurnsOfOthersAlone) {
  PromptQueue prompts;
  prompts.push(prompt("a"));
  (void)prompts.next();
  prompts.push(prompt("before the tools", "1"));
  prompts.tools_started();
  EXPECT_TRUE(prompts.cancel("1"));
  prompts.push(prompt("during the tools"));
  EXPECT_THAT(texts(prompts.take_for_running_turn()), ElementsAre("during the tools"));

  prompts.push(prompt("withdrawn with all that waits", "2"));
  prompts.tools_started();
  (void)prompts.waiting(true);
  prompts.push(prompt("during the next tools"));
  EXPECT_THAT(texts(prompts.take_for_running_turn()), ElementsAre("during the next tools"));
}

TEST(PromptQueue, ClosedIsTheEndOnceItIsEmpty) {
  PromptQueue prompts;
  prompts.push(prompt("a"));
  prompts.close();
  EXPECT_THAT(texts(prompts.next()), ElementsAre("a"));
  EXPECT_THAT(prompts.next(), IsEmpty());
}

TEST(PromptQueue, AWaitEndsWhenSomethingComesOrNothingMore) {
  PromptQueue prompts;
  std::jthread writer([&] {
    prompts.push(prompt("a"));
    prompts.close();
  });
  EXPECT_THAT(texts(prompts.next()), ElementsAre("a"));
  EXPECT_THAT(prompts.next(), IsEmpty());
}

}  // namespace
}  // namespace parley::agent
