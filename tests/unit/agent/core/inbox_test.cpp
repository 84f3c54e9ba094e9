// Which prompts a turn takes.
#include "agent/connection/inbox.hpp"

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

TEST(Inbox, TheFirstRunsAloneAndTheRestTogether) {
  Inbox inbox;
  for (const char* text : {"a", "b", "c"}) inbox.push(prompt(text));
  EXPECT_THAT(texts(inbox.next()), ElementsAre("a"));
  EXPECT_THAT(texts(inbox.next()), ElementsAre("b", "c"));
}

TEST(Inbox, PrioritiesAreTurnsOfTheirOwn) {
  Inbox inbox;
  inbox.push(prompt("first"));
  EXPECT_THAT(texts(inbox.next()), ElementsAre("first"));
  inbox.push(prompt("later", "", MessagePriority::later));
  inbox.push(prompt("next", "", MessagePriority::next));
  inbox.push(prompt("now", "", MessagePriority::now));
  EXPECT_THAT(texts(inbox.next()), ElementsAre("now"));
  EXPECT_THAT(texts(inbox.next()), ElementsAre("next"));
  EXPECT_THAT(texts(inbox.next()), ElementsAre("later"));
}

TEST(Inbox, AUuidRunsOnce) {
  Inbox inbox;
  inbox.seen({"old"});
  EXPECT_FALSE(inbox.push(prompt("again", "old")));
  EXPECT_TRUE(inbox.push(prompt("new", "1")));
  EXPECT_FALSE(inbox.push(prompt("new", "1")));
  EXPECT_TRUE(inbox.push(prompt("without")));
  EXPECT_TRUE(inbox.push(prompt("without")));
  EXPECT_EQ(inbox.size(), 3u);
}

TEST(Inbox, WhoQueuesSaysSoBeforeATurnTakesIt) {
  Inbox inbox;
  std::vector<std::string> order;
  std::thread turn([&] {
    inbox.next();
    order.emplace_back("taken");
  });
  inbox.push(prompt("a", "1"), [&] { order.emplace_back("told"); });
  turn.join();
  EXPECT_FALSE(inbox.push(prompt("a", "1"), [&] { order.emplace_back("told twice"); }));
  EXPECT_THAT(order, ElementsAre("told", "taken"));
}

TEST(Inbox, WhatWaitsCanBeWithdrawn) {
  Inbox inbox;
  inbox.push(prompt("a", "1"));
  (void)inbox.next();
  inbox.push(prompt("b", "2"));
  inbox.push(prompt("c", "3"));
  EXPECT_TRUE(inbox.cancel("2"));
  EXPECT_FALSE(inbox.cancel("2"));
  EXPECT_THAT(inbox.waiting(), ElementsAre("3"));
  EXPECT_THAT(inbox.waiting(true), ElementsAre("3"));
  EXPECT_EQ(inbox.size(), 0u);
}

TEST(Inbox, ClosedIsNotTheEndWhileSomethingIsExpected) {
  Inbox inbox;
  inbox.expect();
  inbox.close();
  std::jthread task([&] {
    inbox.push(prompt("it has ended"));
    inbox.expected();
  });
  EXPECT_THAT(texts(inbox.next()), ElementsAre("it has ended"));
  EXPECT_THAT(inbox.next(), IsEmpty());
}

TEST(Inbox, ARunningTurnTakesAlongWhatComesDuringItsTools) {
  Inbox inbox;
  inbox.push(prompt("a"));
  (void)inbox.next();
  inbox.push(prompt("while it answers"));
  inbox.tools_begin();
  inbox.push(prompt("b"));
  inbox.push(prompt("c", "", MessagePriority::later));
  EXPECT_THAT(texts(inbox.take_along()), ElementsAre("b"));
  EXPECT_THAT(texts(inbox.next()), ElementsAre("while it answers"));
  EXPECT_THAT(texts(inbox.next()), ElementsAre("c"));
}

TEST(Inbox, WhatIsWithdrawnLeavesTheTurnsOfOthersAlone) {
  Inbox inbox;
  inbox.push(prompt("a"));
  (void)inbox.next();
  inbox.push(prompt("before the tools", "1"));
  inbox.tools_begin();
  EXPECT_TRUE(inbox.cancel("1"));
  inbox.push(prompt("during the tools"));
  EXPECT_THAT(texts(inbox.take_along()), ElementsAre("during the tools"));

  inbox.push(prompt("withdrawn with all that waits", "2"));
  inbox.tools_begin();
  (void)inbox.waiting(true);
  inbox.push(prompt("during the next tools"));
  EXPECT_THAT(texts(inbox.take_along()), ElementsAre("during the next tools"));
}

TEST(Inbox, ClosedIsTheEndOnceItIsEmpty) {
  Inbox inbox;
  inbox.push(prompt("a"));
  inbox.close();
  EXPECT_THAT(texts(inbox.next()), ElementsAre("a"));
  EXPECT_THAT(inbox.next(), IsEmpty());
}

TEST(Inbox, AWaitEndsWhenSomethingComesOrNothingMore) {
  Inbox inbox;
  std::jthread writer([&] {
    inbox.push(prompt("a"));
    inbox.close();
  });
  EXPECT_THAT(texts(inbox.next()), ElementsAre("a"));
  EXPECT_THAT(inbox.next(), IsEmpty());
}

}  // namespace
}  // namespace parley::agent
