#include "server/agents/agent_record.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace parley::server {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSession = "11111111-2222-4333-8444-555555555555";

class AgentRecordTest : public ::testing::Test {
 protected:
  AgentRecordTest() {
    root_ = fs::path(::testing::TempDir()) / "agent_record_test";
    fs::remove_all(root_);
    fs::create_directories(root_ / "projects" / "-work");
  }
  ~AgentRecordTest() override { fs::remove_all(root_); }

  AgentRecord read(const std::string& transcript, const std::vector<std::string>& prompts) {
    std::ofstream(root_ / "projects" / "-work" / (std::string(kSession) + ".jsonl")) << transcript;
    return read_agent_record({root_.string()}, kSession, prompts);
  }

  fs::path root_;
};

TEST_F(AgentRecordTest, NothingIsProvenByWhatIsNotThere) {
  const AgentRecord record = read_agent_record({root_.string()}, kSession, {"a"});
  EXPECT_FALSE(record.found);
  EXPECT_TRUE(record.prompts.empty());
}

TEST_F(AgentRecordTest, FindsPromptsAndThoseThatBecamePartOfATurn) {
  const AgentRecord record = read(
      R"({"type":"user","uuid":"a","parentUuid":null,"message":{"role":"user","content":"x"}})"
      "\n"
      R"({"type":"attachment","uuid":"n","attachment":{"type":"queued_command","source_uuid":"b"}})"
      "\n"
      R"({"type":"assistant","uuid":"m","parentUuid":"c"})"
      "\n",
      {"a", "b", "c", "d"});
  EXPECT_TRUE(record.found);
  EXPECT_EQ(record.prompts, (std::vector<std::string>{"a", "b", "c"}));
}

TEST_F(AgentRecordTest, WhatIsOnlyAnnouncedOrTornOffIsNotOnRecord) {
  const AgentRecord record =
      read(R"({"type":"queue-operation","operation":"enqueue","commandUuid":"a"})"
           "\n"
           R"({"type":"file-history-snapshot","messageId":"a"})"
           "\n"
           R"({"type":"user","uuid":"a","message":{"role":"user","con)",
           {"a"});
  EXPECT_FALSE(record.found);
  EXPECT_TRUE(record.prompts.empty());
}

TEST(AgentRecordWords, AnAgentThatCannotResumeIsToldApart) {
  ResultMessage result;
  result.is_error = true;
  result.errors = {"No conversation found with session ID: " + std::string(kSession)};
  EXPECT_TRUE(has_no_conversation(result));
  result.errors = {"Invalid API key"};
  EXPECT_FALSE(has_no_conversation(result));
  EXPECT_TRUE(is_session_in_use("Error: Session ID x is already in use.\n"));
  EXPECT_FALSE(is_session_in_use("the port is already in use"));
}

}  // namespace
}  // namespace parley::server
