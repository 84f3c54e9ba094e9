#include "transport/replay.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace parley {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kRecording = R"({"t_ms":0,"dir":"start","run":1,"argv":["claude"]}
{"t_ms":1,"dir":"in","line":"{\"type\":\"control_request\",\"request_id\":\"old-1\",\"request\":{\"subtype\":\"set_model\"}}"}
{"t_ms":2,"dir":"out","line":"{\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":\"old-1\"}}"}
{"t_ms":3,"dir":"in","line":"{\"type\":\"user\",\"uuid\":\"u-old\"}"}
{"t_ms":4,"dir":"out","line":"{\"type\":\"echo\",\"of\":\"u-old\"}","no_newline":true}
{"t_ms":5,"dir":"in","eof":true}
{"t_ms":6,"dir":"exit","code":1,"signal":null}
)";

std::vector<std::string> texts(const std::vector<Replayer::Step>& steps) {
  std::vector<std::string> result;
  for (const auto& step : steps) result.push_back(step.text);
  return result;
}

TEST(Replayer, WaitsForWhatItWaitedForAndRenamesIds) {
  Replayer replayer(Recording::parse(kRecording).value());
  EXPECT_TRUE(replayer.advance().empty());
  EXPECT_EQ(replayer.waiting_for(), "control_request/set_model");
  replayer.input(R"({"type":"user","uuid":"u-new"})");
  EXPECT_TRUE(replayer.advance().empty());
  replayer.input(
      R"({"type":"control_request","request_id":"new-7","request":{"subtype":"set_model"}})");
  EXPECT_THAT(texts(replayer.advance()),
              ElementsAre(HasSubstr("\"new-7\""), R"({"type":"echo","of":"u-new"})"));
  EXPECT_EQ(replayer.waiting_for(), "the end of input");
  replayer.input_end();
  const auto last = replayer.advance();
  ASSERT_EQ(last.size(), 1U);
  EXPECT_EQ(last[0].status.code, 1);
  EXPECT_EQ(replayer.waiting_for(), "");
}

TEST(Replayer, AnswersWhatWasNeverAsked) {
  Replayer replayer(Recording::parse(kRecording).value());
  replayer.input(
      R"({"type":"control_request","request_id":"i","request":{"subtype":"initialize"}})");
  EXPECT_THAT(texts(replayer.advance()), ElementsAre(HasSubstr(R"("request_id":"i")")));
}

TEST(Replayer, GoesOnWithoutAClientThatHungUp) {
  Replayer replayer(Recording::parse(kRecording).value());
  replayer.input_end();
  EXPECT_EQ(replayer.advance().size(), 3U);
}

TEST(Recording, TellsWhatIsWrongWithAFile) {
  EXPECT_EQ(Recording::parse("{").error().context(), "line 1");
  EXPECT_EQ(Recording::parse(kRecording, 1).error().code(), ErrorCode::not_found);
  EXPECT_EQ(Recording::load("/nonexistent").error().code(), ErrorCode::not_found);
}

}  // namespace
}  // namespace parley
