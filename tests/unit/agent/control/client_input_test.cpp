// Lines of the client, and what becomes of them.
#include "agent/control/client_input.hpp"

#include "control_fixture.hpp"

namespace parley::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ClientInputTest : public ControlTest {
 protected:
  bool say(const std::string& line) { return lines.take(line); }
  ClientInput input{context};
  InputLines lines{input};
};

TEST_F(ClientInputTest, APromptIsQueuedAndSaidToBe) {
  EXPECT_TRUE(say(R"({"type":"user","message":{"role":"user","content":"hi"},"uuid":"1"})"));
  EXPECT_EQ(prompts.size(), 1u);
  EXPECT_EQ(client.last<CommandLifecycle>().state, "queued");
}

TEST_F(ClientInputTest, APromptThatWasSeenIsShownAgainAndNotRun) {
  const std::string line = R"({"type":"user","message":{"role":"user","content":"hi"},"uuid":"1"})";
  say(line);
  say(line);
  EXPECT_EQ(prompts.size(), 1u);
  EXPECT_EQ(client.last<UserMessage>().isReplay, true);
}

TEST_F(ClientInputTest, ARequestIsServed) {
  EXPECT_TRUE(say(R"({"type":"control_request","request_id":"request",)"
                  R"("request":{"subtype":"set_model","model":"claude-x"}})"));
  EXPECT_EQ(answer()["model"].as_string(), "claude-x");
  EXPECT_FALSE(say(R"({"type":"control_request","request_id":"request",)"
                   R"("request":{"subtype":"end_session"}})"));
  EXPECT_FALSE(lines.complaint());
}

TEST_F(ClientInputTest, AMalformedRequestIsAnsweredWithWhatIsWrong) {
  EXPECT_TRUE(say(R"({"type":"control_request","request_id":"request",)"
                  R"("request":{"subtype":"set_permission_mode"}})"));
  EXPECT_THAT(std::string(answer()["error"].as_string()), HasSubstr("set_permission_mode: "));
}

TEST_F(ClientInputTest, AnAnswerReachesWhoAsked) {
  std::jthread user([this] {
    const std::string id = client.request(1).request_id;
    say(R"({"type":"control_response","response":{"subtype":"success","request_id":")" + id +
        R"(","response":{"behavior":"allow"}}})");
  });
  const Asker::Reply reply = asker.ask(control::CanUseTool{}, {});
  EXPECT_EQ(reply.end, Asker::End::answered);
  EXPECT_EQ(reply.body.text, R"({"behavior":"allow"})");
}

TEST_F(ClientInputTest, VariablesAreForTheCommandsOfTools) {
  say(R"({"type":"update_environment_variables","request_id":"request",)"
      R"("variables":{"B":"1","A":"2"}})");
  EXPECT_EQ(tools.state().environment().at("A"), "2");
  EXPECT_EQ(answer().dump(), R"({"applied":["B","A"]})");
}

TEST_F(ClientInputTest, WhatIsNotKnownIsPassedOver) {
  EXPECT_TRUE(say(R"({"type":"keep_alive"})"));
  EXPECT_TRUE(say(R"({"type":"of the future","data":[1]})"));
  EXPECT_TRUE(say(R"({"type":"control_response","response":7})"));
  EXPECT_THAT(client.messages(), IsEmpty());
  EXPECT_FALSE(lines.complaint());
}

TEST_F(ClientInputTest, WhatIsNoMessageEndsTheProgram) {
  EXPECT_FALSE(say("no JSON"));
  EXPECT_THAT(*lines.complaint(), HasSubstr("(type=unknown, 7 chars): SyntaxError"));
}

TEST_F(ClientInputTest, APromptOfTheWrongRoleEndsTheProgram) {
  EXPECT_FALSE(say(R"({"type":"user","message":{"role":"assistant","content":"hi"}})"));
  EXPECT_EQ(*lines.complaint(), "Error: Expected message role 'user', got 'assistant'");
}

TEST_F(ClientInputTest, ARequestWithoutOneEndsTheProgram) {
  EXPECT_FALSE(say(R"({"type":"control_request","request_id":"1"})"));
  EXPECT_EQ(*lines.complaint(), "Error: Missing request on control_request");
}

}  // namespace
}  // namespace parley::agent
