// parley run at a terminal: keys, colours, Ctrl-C, and nothing from the agent that the terminal
// obeys.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/files/io.hpp"
#include "support/files/temporary.hpp"
#include "tests/apps/pty_program.hpp"

namespace parley::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kInit =
    R"(out {"type":"system","subtype":"init","session_id":"s-1","model":"fake","tools":["Bash"],)"
    R"("permissionMode":"default","uuid":"u-1"})"
    "\n";
const std::string kResult =
    R"(out {"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"ok",)"
    R"("total_cost_usd":0.25,"duration_ms":1500,"session_id":"s-1","uuid":"u-9"})"
    "\n";

std::string answer(const std::string& text) {
  return R"(out {"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":")" +
         text +
         R"("}]},"parent_tool_use_id":null,"session_id":"s-1","uuid":"u-2"})"
         "\n";
}

/// The agent asks for a tool, and goes on when it has its answer.
std::string asks(const std::string& tool, const std::string& input, const std::string& more = "") {
  return R"(out {"type":"control_request","request_id":"p1","request":{"subtype":"can_use_tool",)"
         R"("tool_name":")" +
         tool + R"(","input":)" + input + R"(,"tool_use_id":"t-1")" + more +
         "}}\nexpect \"request_id\":\"p1\"\n";
}

class RunTerminal : public ::testing::Test {
 protected:
  /// parley run with a CLI that waits for the prompt and then does what the script says.
  [[nodiscard]] PtyProgram run(const std::string& script,
                               const PtyProgram::Environment& more = {}) {
    const fs::path bin = fs::read_symlink("/proc/self/exe").parent_path();
    PtyProgram::Environment environment{
        {"HOME", folder_.string()},
        {"PATH", "/usr/bin:/bin"},
        {"TERM", "xterm"},
        {"PARLEY_FAKE_SCRIPT",
         "save " + sent_file() + "\ninit\nexpect \"type\":\"user\"\n" + kInit + script}};
    environment.insert(environment.end(), more.begin(), more.end());
    return PtyProgram(
        {(bin / "parley").string(), "run", "--cli", (bin / "parley_fake_cli").string(), "do it"},
        environment);
  }
  /// What the program said to the CLI.
  [[nodiscard]] std::string sent() const { return read_file(sent_file()).value_or(""); }
  [[nodiscard]] std::string sent_file() const { return (folder_ / "sent").string(); }
  [[nodiscard]] const fs::path& folder() const { return folder_; }

 private:
  TemporaryFolder temporary_ = TemporaryFolder::make("run-terminal-").value();
  fs::path folder_ = temporary_.path();
};

const std::string kBash = R"({"command":"rm -rf build"})";

TEST_F(RunTerminal, ShowsTheAnswerInColoursAndTheCost) {
  PtyProgram program = run(answer("Here you are.") + kResult);
  EXPECT_EQ(program.wait(), 0);
  EXPECT_THAT(program.screen(), HasSubstr("Here you are."));
  EXPECT_THAT(program.screen(), HasSubstr("$0.25"));
  EXPECT_THAT(program.screen(), HasSubstr("\x1b["));
}

TEST_F(RunTerminal, NoColorIsHeeded) {
  PtyProgram program = run(answer("Plain.") + kResult, {{"NO_COLOR", "1"}});
  EXPECT_EQ(program.wait(), 0);
  EXPECT_THAT(program.screen(), Not(HasSubstr("\x1b")));
}

TEST_F(RunTerminal, OneKeyAllows) {
  PtyProgram program = run(asks("Bash", kBash) + kResult);
  ASSERT_TRUE(program.shows("Allow Bash  rm -rf build?"));
  ASSERT_TRUE(program.shows("[y]es"));
  program.type("x\x1b[Ay");  // neither x nor an arrow is an answer
  EXPECT_EQ(program.wait(), 0);
  EXPECT_THAT(sent(), HasSubstr(R"("behavior":"allow")"));
  EXPECT_TRUE(program.terminal_is_as_before());
}

TEST_F(RunTerminal, OneKeyDenies) {
  PtyProgram program = run(asks("Bash", kBash) + kResult);
  ASSERT_TRUE(program.shows("[n]o"));
  EXPECT_THAT(program.screen(), Not(HasSubstr("[a]lways")));
  program.type("n");
  EXPECT_EQ(program.wait(), 0);
  EXPECT_THAT(sent(), HasSubstr(R"("behavior":"deny")"));
}

TEST_F(RunTerminal, ADenialMayHaveAReason) {
  PtyProgram program = run(asks("Bash", kBash) + kResult);
  ASSERT_TRUE(program.shows("[r]eason: "));
  program.type("r");
  ASSERT_TRUE(program.shows("reason: "));
  program.type("use make clean\r");
  EXPECT_EQ(program.wait(), 0);
  EXPECT_THAT(sent(), HasSubstr(R"("behavior":"deny","message":"use make clean")"));
}

TEST_F(RunTerminal, AlwaysTakesTheSuggestions) {
  PtyProgram program = run(asks("Bash", kBash,
                                R"(,"permission_suggestions":[{"type":"addRules","rules":[)"
                                R"({"toolName":"Bash","ruleContent":"rm:*"}],"behavior":"allow",)"
                                R"("destination":"session"}])") +
                           kResult);
  ASSERT_TRUE(program.shows("[a]lways"));
  program.type("a");
  EXPECT_EQ(program.wait(), 0);
  EXPECT_THAT(sent(), HasSubstr(R"("updatedPermissions":[{"type":"addRules")"));
}

TEST_F(RunTerminal, TheInputCanBeEdited) {
  const fs::path editor = folder() / "editor";
  std::ofstream(editor) << "#!/bin/sh\nsed -i 's/rm -rf build/ls build/' \"$1\"\n";
  ::chmod(editor.c_str(), 0700);
  PtyProgram program = run(asks("Bash", kBash) + kResult, {{"EDITOR", editor.string()}});
  ASSERT_TRUE(program.shows("[e]dit"));
  program.type("e");
  EXPECT_EQ(program.wait(), 0);
  EXPECT_THAT(sent(), HasSubstr(R"("updatedInput":{"command":"ls build"})"));
}

TEST_F(RunTerminal, AFailedEditorAsksAgain) {
  PtyProgram program = run(asks("Bash", kBash) + kResult, {{"EDITOR", "false"}});
  ASSERT_TRUE(program.shows("[e]dit"));
  program.type("e");
  ASSERT_TRUE(program.shows("the editor failed"));
  ASSERT_TRUE(program.shows("[s]how"));
  program.type("s");
  ASSERT_TRUE(program.shows("\"command\": \"rm -rf build\""));
  ASSERT_TRUE(program.shows("[n]o"));
  program.type("n");
  EXPECT_EQ(program.wait(), 0);
}

TEST_F(RunTerminal, WhatWasTypedBeforeTheQuestionIsNoAnswer) {
  // The CLI asks when it can open the gate, which happens after the key was pressed.
  const fs::path gate = folder() / "gate";
  ASSERT_EQ(::mkfifo(gate.c_str(), 0600), 0);
  PtyProgram program =
      run(answer("Wait for it.") + "args " + gate.string() + "\n" + asks("Bash", kBash) + kResult);
  ASSERT_TRUE(program.shows("Wait for it."));
  program.type("y");
  ASSERT_TRUE(program.shows("y"));  // the terminal has it
  std::ifstream(gate).ignore(1 << 20);
  ASSERT_TRUE(program.shows("[r]eason: "));
  program.type("n");
  EXPECT_EQ(program.wait(), 0);
  EXPECT_THAT(sent(), HasSubstr(R"("behavior":"deny")"));
}

TEST_F(RunTerminal, QuestionsAreAnsweredWithNumbers) {
  PtyProgram program = run(
      asks("AskUserQuestion",
           R"({"questions":[{"question":"Which colour?","header":"C","multiSelect":false,)"
           R"("options":[{"label":"Red","description":"r"},{"label":"Blue","description":"b"}]},)"
           R"({"question":"Which fruits?","header":"F","multiSelect":true,"options":[)"
           R"({"label":"Apple","description":"a"},{"label":"Pear","description":"p"},)"
           R"({"label":"Plum","description":"l"}]},)"
           R"({"question":"Which name?","header":"N","multiSelect":false,"options":[)"
           R"({"label":"Ada","description":"a"}]}]})") +
      kResult);
  ASSERT_TRUE(program.shows("Which colour?"));
  ASSERT_TRUE(program.shows("words: "));
  program.type("2");
  ASSERT_TRUE(program.shows("Which fruits?"));
  ASSERT_TRUE(program.shows("words: "));
  program.type("1322\r");  // the second 2 takes the first back
  ASSERT_TRUE(program.shows("Which name?"));
  ASSERT_TRUE(program.shows("words: "));
  program.type("o");
  ASSERT_TRUE(program.shows("your answer: "));
  program.type("Grace\r");
  EXPECT_EQ(program.wait(), 0);
  EXPECT_THAT(sent(), HasSubstr(R"("Which colour?":"Blue")"));
  EXPECT_THAT(sent(), HasSubstr(R"("Which fruits?":"Apple, Plum")"));
  EXPECT_THAT(sent(), HasSubstr(R"("Which name?":"Grace")"));
}

TEST_F(RunTerminal, PlansAreApprovedOrSentBack) {
  {
    PtyProgram program = run(asks("ExitPlanMode", R"({"plan":"1. Do it."})") + kResult);
    ASSERT_TRUE(program.shows("1. Do it."));
    ASSERT_TRUE(program.shows("[c]hange it: "));
    program.type("a");
    EXPECT_EQ(program.wait(), 0);
    EXPECT_THAT(sent(), HasSubstr(R"("mode":"acceptEdits")"));
  }
  PtyProgram program = run(asks("ExitPlanMode", R"({"plan":"1. Do it."})") + kResult);
  ASSERT_TRUE(program.shows("[c]hange it: "));
  program.type("c");
  ASSERT_TRUE(program.shows("what to change: "));
  program.type("tests first\r");
  EXPECT_EQ(program.wait(), 0);
  EXPECT_THAT(sent(), HasSubstr(R"("behavior":"deny","message":"tests first")"));
}

TEST_F(RunTerminal, CtrlCInterruptsTheTurn) {
  PtyProgram program = run(
      answer("Working on it.") +
      "expect \"subtype\":\"interrupt\"\n"
      R"(out {"type":"control_response","response":{"subtype":"success","request_id":"$ID","response":{}}})"
      "\n"
      R"(out {"type":"result","subtype":"error_during_execution","is_error":true,)"
      R"("terminal_reason":"aborted_streaming","session_id":"s-1","uuid":"u-9"})"
      "\n");
  ASSERT_TRUE(program.shows("Working on it."));
  program.press_ctrl_c();
  ASSERT_TRUE(program.shows("interrupting"));
  EXPECT_EQ(program.wait(), 130);
}

TEST_F(RunTerminal, CtrlCWhileAskedWithdrawsTheQuestion) {
  PtyProgram program = run(
      R"(out {"type":"control_request","request_id":"p1","request":{"subtype":"can_use_tool",)"
      R"("tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"t-1"}})"
      "\nexpect \"subtype\":\"interrupt\"\n"
      R"(out {"type":"control_cancel_request","request_id":"p1"})"
      "\n"
      R"(out {"type":"control_response","response":{"subtype":"success","request_id":"$ID","response":{}}})"
      "\n"
      R"(out {"type":"result","subtype":"error_during_execution","is_error":true,)"
      R"("terminal_reason":"aborted_tools","session_id":"s-1","uuid":"u-9"})"
      "\n");
  ASSERT_TRUE(program.shows("[r]eason: "));
  program.press_ctrl_c();
  EXPECT_EQ(program.wait(), 130);
  EXPECT_TRUE(program.terminal_is_as_before());
}

TEST_F(RunTerminal, ASecondCtrlCEndsTheProgramAndGivesTheTerminalBack) {
  PtyProgram program =
      run(R"(out {"type":"control_request","request_id":"p1","request":{"subtype":"can_use_tool",)"
          R"("tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"t-1"}})"
          "\nhang\n");
  ASSERT_TRUE(program.shows("[r]eason: "));
  EXPECT_FALSE(program.terminal_is_as_before());
  program.press_ctrl_c();
  ASSERT_TRUE(program.shows("again"));
  program.press_ctrl_c();
  EXPECT_EQ(program.wait(), 130);
  EXPECT_TRUE(program.terminal_is_as_before());
}

TEST_F(RunTerminal, CtrlDIsNoAnswer) {
  PtyProgram program = run(asks("Bash", kBash) + kResult);
  ASSERT_TRUE(program.shows("[r]eason: "));
  program.type("\x04");
  EXPECT_EQ(program.wait(), 0);
  EXPECT_THAT(sent(), HasSubstr(R"("message":"The user gave no answer.")"));
}

TEST_F(RunTerminal, TheAgentCannotSteerTheTerminal) {
  // Escape sequences in text, in a command that is to be allowed, in what a tool said, and a
  // character that turns the rest of the line round.
  PtyProgram program = run(
      answer(R"(A\u001b]0;owned\u0007B\u009b2JC\rD)") +
          asks("Bash", R"({"command":"echo \u001b[2K\u202esafe"})") +
          R"(out {"type":"user","message":{"role":"user","content":[{"type":"tool_result",)"
          R"("tool_use_id":"t-1","is_error":true,"content":"E\u001b[31mF"}]},"session_id":"s-1"})"
          "\n" +
          kResult,
      {{"NO_COLOR", "1"}});
  ASSERT_TRUE(program.shows("[r]eason: "));
  program.type("y");
  EXPECT_EQ(program.wait(), 0);
  for (const char* forbidden : {"\x1b", "\x07", "\xC2\x9b", "\xE2\x80\xAE"}) {
    EXPECT_THAT(program.screen(), Not(HasSubstr(forbidden)));
  }
  EXPECT_THAT(program.screen(), HasSubstr("owned"));
}

}  // namespace
}  // namespace parley::testing
