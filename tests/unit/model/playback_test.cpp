#include "model/playback.hpp"

#include <gtest/gtest.h>

namespace parley::model {
namespace {

class PlaybackOf {
 public:
  explicit PlaybackOf(std::string_view script) : playback_(Script::parse(script).value()) {}

  Choice choose(const Json& request) { return playback_.choose(request); }

  /// The text that answers a request with these messages.
  std::string answer(std::string_view messages, bool tools = true, std::string_view model = "m") {
    Json request = Json::object({{"model", model}, {"messages", Json::parse(messages).value()}});
    if (tools) request.set("tools", Json::parse(R"([{"name":"Bash"}])").value());
    const Choice choice = choose(request);
    if (choice.turn.content.empty()) return choice.label;
    return std::string(choice.turn.content[0]["text"].as_string());
  }

 private:
  Playback playback_;
};

std::string turn(std::string_view text, std::string_view conditions = "") {
  return R"({"content":[{"type":"text","text":")" + std::string(text) + "\"}]" +
         std::string(conditions) + "}";
}

constexpr std::string_view kHello = R"([{"role":"user","content":"hello"}])";

TEST(Playback, InOrderAndOnce) {
  PlaybackOf play("[" + turn("1") + "," + turn("2") + "]");
  EXPECT_EQ(play.answer(kHello), "1");
  EXPECT_EQ(play.answer(kHello), "2");
  EXPECT_EQ(play.answer(kHello), "(script exhausted)");
}

TEST(Playback, SideBusiness) {
  PlaybackOf play("[" + turn("1") + "," + turn("title", R"(,"aux":true)") + "]");
  EXPECT_EQ(play.answer(kHello, false), "title");
  EXPECT_EQ(play.answer(kHello, false), "ok");
  EXPECT_EQ(play.answer(kHello), "1");
  PlaybackOf named(R"({"aux":"side","api":[]})");
  EXPECT_EQ(named.answer(kHello, false), "side");
  PlaybackOf main("{\"tools_zero_main\":true,\"api\":[" + turn("1") + "]}");
  EXPECT_EQ(main.answer(kHello, false), "1");
}

TEST(Playback, Conditions) {
  PlaybackOf play("[" + turn("sub", R"(,"when_first":"SUBTASK","repeat":true)") + "," +
                  turn("small", R"(,"when_model":"haiku")") + "," +
                  turn("result", R"(,"when_last":"\"type\": \"tool_result\"")") + "," +
                  turn("both", R"(,"when_any":"ONE","when_last":"TWO")") + "," + turn("rest") +
                  "]");
  constexpr std::string_view kSub =
      R"([{"role":"user","content":"SUBTASK"},{"role":"user","content":"x"}])";
  EXPECT_EQ(play.answer(kSub), "sub");
  EXPECT_EQ(play.answer(kSub), "sub");
  EXPECT_EQ(play.answer(kHello, true, "claude-haiku"), "small");
  EXPECT_EQ(play.answer(R"([{"role":"user","content":[{"type":"tool_result"}]}])"), "result");
  EXPECT_EQ(play.answer(R"([{"role":"user","content":"TWO"}])"), "rest");
  EXPECT_EQ(play.answer(R"([{"role":"user","content":"ONE"},{"role":"user","content":"TWO"}])"),
            "both");
}

TEST(Playback, ConditionsOfSeveralExpressions) {
  PlaybackOf play(
      "[" + turn("both", R"(,"when_last":{"all":["ONE","TWO"],"none":["SIX"]},"repeat":true)") +
      "," + turn("not", R"(,"when_last":{"none":["TWO","SIX"]},"repeat":true)") + "," +
      turn("ahead", R"(,"when_last":"^(?!.*SIX).*TWO","repeat":true)") + "," +
      turn("rest", R"(,"repeat":true)") + "]");
  const auto answer = [&](const std::string& text) {
    return play.answer(R"([{"role":"user","content":")" + text + R"("}])");
  };
  EXPECT_EQ(answer("TWO ONE"), "both");
  EXPECT_EQ(answer("ONE"), "not");
  EXPECT_EQ(answer("TWO"), "ahead");
  EXPECT_EQ(answer("ONE TWO SIX"), "rest");
}

TEST(Playback, SubtasksAreKnownByTheFirstMessageOnly) {
  PlaybackOf play("[" + turn("sub", R"(,"when_first":"SUBTASK")") + "," + turn("main") + "]");
  EXPECT_EQ(play.answer(R"([{"role":"user","content":"x"},{"role":"user","content":"SUBTASK"}])"),
            "main");
}

TEST(Playback, APauseHappensOnce) {
  Playback play(
      Script::parse(R"([{"content":[],"hang_after":1,"hang_ms":5,"repeat":true}])").value());
  const Json request = Json::parse(R"({"tools":[{}],"messages":[]})").value();
  EXPECT_TRUE(play.choose(request).turn.hang_after);
  EXPECT_FALSE(play.choose(request).turn.hang_after);
}

TEST(Playback, OddRequests) {
  PlaybackOf play("[" + turn("1", R"(,"when_first":"x","when_last":"x")") + "]");
  EXPECT_EQ(play.answer("[]"), "(script exhausted)");
  EXPECT_EQ(play.choose(Json()).label, "aux");
  EXPECT_EQ(play.choose(Json::parse(R"({"tools":7,"messages":"x"})").value()).label, "aux");
}

}  // namespace
}  // namespace parley::model
