// parley sessions at a terminal: whatever a transcript holds, nothing that the terminal obeys.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/files/temporary.hpp"
#include "support/text/unprintable.hpp"
#include "tests/apps/pty_program.hpp"

namespace parley::testing {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSession = "11111111-1111-4111-8111-111111111111";
// An escape sequence, one that begins with a C1 control, DEL, and text that is written backwards.
// JSON has to escape the first and leaves the others alone.
const std::string kEvil = "needle \\u001b]52;c;ZXZpbA==\\u0007 \u009b31m \x7f \u202etxt.exe\u202c";

std::string line(const std::string& type, const std::string& message, const std::string& uuid,
                 const std::string& parent) {
  return R"({"type":")" + type + R"(","sessionId":")" + kSession + R"(","uuid":")" + uuid +
         R"(","parentUuid":)" + parent + R"(,"cwd":"/x\u001b[31m)" + "\u009b" +
         R"(","gitBranch":")" + kEvil + R"(","timestamp":"2026-01-01T00:00:00.000Z",)" +
         R"("message":)" + message + "}\n";
}

class SessionsTerminal : public ::testing::Test {
 protected:
  SessionsTerminal() {
    const fs::path project = folder_ / "projects" / "-x";
    fs::create_directories(project / kSession / "subagents");
    const std::string transcript =
        line("user", R"({"role":"user","content":")" + kEvil + "\"}", "u-1", "null") +
        line(
            "assistant",
            R"({"role":"assistant","id":"m","model":"model )" + kEvil +
                R"(","usage":{"input_tokens":1,"output_tokens":1},"content":[{"type":"text","text":")" +
                kEvil + R"("},{"type":"tool_use","id":"t","name":"Bash )" + kEvil +
                R"(","input":{"command":")" + kEvil + "\"}}]}",
            "u-2" + kEvil, "\"u-1\"") +
        line("user",
             R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":")" +
                 kEvil + "\"}]}",
             "u-3", "\"u-2" + kEvil + "\"") +
        "damaged \x1b[31m \x9b \u009b\n";
    std::ofstream(project / (std::string(kSession) + ".jsonl"), std::ios::binary) << transcript;
    std::ofstream(project / kSession / "subagents" / "agent-a1.jsonl", std::ios::binary)
        << transcript;
    std::ofstream(project / kSession / "subagents" / "agent-a1.meta.json", std::ios::binary)
        << R"({"agentType":")" + kEvil + R"(","toolUseId":")" + kEvil + R"(","parentAgentId":")" +
               kEvil + "\"}";
  }

  /// What the command shows. Its standard error is elsewhere: progress moves the cursor.
  std::string shown(const std::string& arguments) {
    const fs::path parley = fs::read_symlink("/proc/self/exe").parent_path() / "parley";
    PtyProgram program(
        {"/bin/sh", "-c", parley.string() + " sessions " + arguments + " 2>/dev/null"},
        {{"HOME", folder_.string()},
         {"CLAUDE_CONFIG_DIR", folder_.string()},
         {"PATH", "/usr/bin:/bin"},
         {"TERM", "xterm"},
         {"NO_COLOR", "1"}});
    EXPECT_EQ(program.wait(), 0) << arguments;
    return program.screen();
  }

 private:
  TemporaryFolder temporary_ = TemporaryFolder::make("sessions-terminal-").value();
  fs::path folder_ = temporary_.path();
};

TEST_F(SessionsTerminal, NothingOfATranscriptIsObeyed) {
  for (const char* command : {"list",
                              "list --long",
                              "list --json",
                              "list --long --json",
                              "info 1111",
                              "info 1111 --json",
                              "show 1111 --all --tools",
                              "show 1111 --all --json",
                              "tree 1111",
                              "tree 1111 --json",
                              "agents 1111",
                              "agents 1111 --json",
                              "search needle",
                              "search needle --json",
                              "search -e 'need.*'",
                              "usage model",
                              "usage model --json",
                              "usage model --csv",
                              "export 1111",
                              "export 1111 -f html",
                              "export 1111 -f jsonl"}) {
    const std::string screen = shown(command);
    EXPECT_NE(screen, "") << command;
    EXPECT_EQ(screen, printable(screen)) << command;
  }
}

}  // namespace
}  // namespace parley::testing
