// Costs and titles, as results and transcripts have them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../fakes/fakes.hpp"
#include "agent/session/session_cost.hpp"
#include "agent/session/session_title.hpp"

namespace parley::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Usage tokens(std::int64_t input) {
  Usage usage;
  usage.input_tokens = input;
  return usage;
}

TEST(SessionCost, IsReportedOnceAndCountedForEver) {
  SessionCost cost;
  cost.add("claude-opus-5-5", tokens(10));
  EXPECT_EQ(cost.take_unreported().find("claude-opus-5-5")->inputTokens, 10);
  EXPECT_THAT(cost.take_unreported().entries, IsEmpty());
  cost.add("claude-opus-5-5", tokens(5));
  EXPECT_EQ(cost.take_unreported().find("claude-opus-5-5")->inputTokens, 5);
  EXPECT_EQ(cost.by_model().find("claude-opus-5-5")->inputTokens, 15);
}

TEST(SessionCost, GoesOnWhereAnEarlierRunEnded) {
  SessionCost earlier;
  earlier.add("claude-opus-5-5", tokens(10));
  SessionCost cost;
  cost.restore(earlier.line());
  EXPECT_EQ(cost.total(), earlier.total());
  EXPECT_THAT(cost.take_unreported().entries, IsEmpty());
  cost.add("claude-opus-5-5", tokens(1));
  EXPECT_EQ(cost.by_model().find("claude-opus-5-5")->inputTokens, 11);
}

TEST(SessionTitle, OfTheCommandLineIsNotedFirst) {
  FakeClient client;
  FakeTranscript transcript;
  SessionTitle title("from a flag", transcript, client);
  title.rename("from the client");
  title.begin_transcript();
  title.begin_transcript();
  ASSERT_THAT(transcript.notes(), SizeIs(1));
  EXPECT_EQ(transcript.notes()[0]["customTitle"].as_string(), "from a flag");
  title.rename("later");
  ASSERT_THAT(transcript.notes(), SizeIs(2));
  EXPECT_EQ(transcript.notes()[1]["customTitle"].as_string(), "later");
  EXPECT_THAT(client.kinds(),
              ElementsAre("system/session_title_changed", "system/session_title_changed"));
}

TEST(SessionTitle, IsNotInventedForASessionWithoutOne) {
  FakeClient client;
  FakeTranscript transcript;
  SessionTitle title(std::nullopt, transcript, client);
  title.begin_transcript();
  EXPECT_THAT(transcript.notes(), IsEmpty());
}

}  // namespace
}  // namespace parley::agent
