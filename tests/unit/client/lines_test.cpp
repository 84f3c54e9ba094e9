// The stream of lines: everything that the agent writes, byte by byte and in its order.
#include <string>
#include <vector>

#include "client/session.hpp"
#include "support.hpp"

namespace parley::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

const std::string kDoneLine =
    R"({"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s"})";
const std::string kAsk =
    R"({"type":"control_request","request_id":"q","request":{"subtype":"can_use_tool",)"
    R"("tool_name":"Bash","input":{"n":1.0e3},"tool_use_id":"t"}})";

/// A session whose agent writes these lines after the first prompt.
class Lines : public ::testing::Test {
 protected:
  void start(const std::vector<std::string>& lines, const std::string& then = "") {
    saved_ = temporary_file("lines.jsonl");
    std::string script = "save " + saved_.string() + "\ninit\nexpect user\n";
    for (const std::string& line : lines) script += "out " + line + "\n";
    Options options = fake(script + then + "eof");
    options.delivery.line_stream = true;
    session_ = std::make_unique<Session>(std::move(options));
    ASSERT_TRUE(session_->connect());
    ASSERT_TRUE(session_->send("go"));
  }
  std::optional<ReceivedLine> next() {
    auto line = session_->receive_line(kPatience);
    if (line) return *std::move(line);
    EXPECT_EQ(line.error().code(), ErrorCode::end) << line.error().what();
    return std::nullopt;
  }
  /// The texts up to the result.
  std::vector<std::string> texts() {
    std::vector<std::string> all;
    while (const auto line = next()) {
      all.emplace_back(line->text);
      if (std::holds_alternative<ResultMessage>(line->message)) break;
    }
    return all;
  }
  std::vector<Json> answers() {
    session_->close();
    std::vector<Json> found;
    for (const std::string& line : read_lines(saved_)) {
      const auto json = Json::parse(line).value();
      if (json["type"].as_string() == "control_response") found.push_back(json["response"]);
    }
    return found;
  }

  std::filesystem::path saved_;
  std::unique_ptr<Session> session_;
};

TEST_F(Lines, HaveTheirBytes) {
  const std::vector<std::string> written = {
      R"({"uuid":"u","extra":[ 1.0e3 , "\u0041\/" ],"type":"assistant","message":{"content":[],)"
      R"("id":"m","role":"assistant","type":"message","model":"x"},"session_id":"s","extra":2})",
      R"({"type":"stream_event","event":{"type":"message_stop" , "odd":-0.0},"session_id":"s"})",
      R"({ "type" : "brand_new" , "number" : 10000000000000000000000 })",
      R"({"type":"assistant","message":7})",
      kDoneLine,
  };
  start(written);
  const auto first = next();
  ASSERT_TRUE(first);
  EXPECT_TRUE(std::holds_alternative<ControlResponse>(first->message));
  EXPECT_EQ(texts(), written);
}

TEST_F(Lines, HaveQuestionsInTheirPlace) {
  const std::string cancel = R"({"type":"control_cancel_request","request_id":"q"})";
  const std::string note = R"({"type":"system","subtype":"status","status":null,"session_id":"s"})";
  start({note, kAsk, note, cancel, note, kAsk, kDoneLine});
  EXPECT_THAT(texts(), ElementsAre(StartsWith(R"({"type":"control_response")"), note, kAsk, note,
                                   cancel, note, kAsk, kDoneLine));
}

TEST_F(Lines, AreAnsweredOnce) {
  start({kAsk}, "expect control_response\nout " + kDoneLine + "\n");
  next();
  const auto asked = next();
  ASSERT_TRUE(asked && std::holds_alternative<ControlRequest>(asked->message));
  EXPECT_THAT(session_->pending(), SizeIs(1));
  EXPECT_TRUE(session_->answer("q", RawJson(R"({"behavior":"deny","message":"no"})")));
  EXPECT_EQ(session_->answer("q", RawJson("{}")).error().code(), ErrorCode::not_found);
  EXPECT_EQ(session_->decline("q").error().code(), ErrorCode::not_found);
  EXPECT_FALSE(session_->answer("q", RawJson("{")));
  EXPECT_THAT(texts(), ElementsAre(kDoneLine));
  const auto given = answers();
  ASSERT_THAT(given, SizeIs(1));
  EXPECT_EQ(given[0]["response"]["message"].as_string(), "no");
}

TEST_F(Lines, AreAnsweredInOneLine) {
  start({kAsk}, "expect control_response\nout " + kDoneLine + "\n");
  next();
  next();
  ASSERT_TRUE(session_->answer("q", RawJson("{\n  \"behavior\": \"deny\"\n}")));
  EXPECT_THAT(texts(), ElementsAre(kDoneLine));
  const auto given = answers();
  ASSERT_THAT(given, SizeIs(1));
  EXPECT_EQ(given[0]["response"]["behavior"].as_string(), "deny");
}

TEST_F(Lines, CanBeDeclinedAsWithoutHandlers) {
  const std::string form =
      R"({"type":"control_request","request_id":"f","request":{"subtype":"elicitation",)"
      R"("mcp_server_name":"m","message":"?"}})";
  start({kAsk, form}, "expect control_response\nexpect control_response\nout " + kDoneLine + "\n");
  next();
  next();
  ASSERT_TRUE(session_->decline("q"));
  next();
  ASSERT_TRUE(session_->decline("f"));
  EXPECT_THAT(texts(), ElementsAre(kDoneLine));
  const auto given = answers();
  ASSERT_THAT(given, SizeIs(2));
  EXPECT_THAT(std::string(given[0]["error"].as_string()), HasSubstr("no permission handler"));
  EXPECT_EQ(given[1]["response"]["action"].as_string(), "decline");
}

TEST_F(Lines, ThatAreNoMessagesSayWhy) {
  start({"noise", R"({"type":"stream_event","event":})", R"({"type":"result","is_error":"?"})"});
  next();
  for (const char* begins : {"noise", R"({"type":"stream_event")"}) {
    const auto line = next();
    ASSERT_TRUE(line && line->error);
    EXPECT_EQ(line->error->code(), ErrorCode::malformed);
    EXPECT_THAT(std::string(line->text), StartsWith(begins));
  }
  // Somebody waits for a result: there is one, in words of the library.
  const auto result = next();
  ASSERT_TRUE(result && !result->error);
  EXPECT_TRUE(std::holds_alternative<ResultMessage>(result->message));
  EXPECT_EQ(result->text, "");
}

TEST_F(Lines, OutliveTheQueue) {
  start({kDoneLine});
  next();
  const auto line = next();
  session_->close();
  session_.reset();
  ASSERT_TRUE(line);
  EXPECT_EQ(line->text, kDoneLine);
}

TEST(LineStream, TakesThePlaceOfReceive) {
  Session plain(fake("init\neof"));
  ASSERT_TRUE(plain.connect());
  EXPECT_EQ(plain.try_receive_line().error().code(), ErrorCode::invalid);
  Options options = fake("init\neof");
  options.delivery.line_stream = true;
  Session lines(options);
  ASSERT_TRUE(lines.connect());
  EXPECT_EQ(lines.try_receive().error().code(), ErrorCode::invalid);
  options.delivery.on_message = [](const Message&) {};
  EXPECT_EQ(Session(options).connect().error().context(), "delivery.line_stream");
}

}  // namespace
}  // namespace parley::testing
