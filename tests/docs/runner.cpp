#include "tests/docs/runner.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support/files/temporary.hpp"

namespace parley::testing {
namespace {

namespace fs = std::filesystem;

/// What the pages ask a CLI, answered so that there is something to show.
constexpr const char* kScript =
    R"(reply mcp_status {"mcpServers":[{"name":"files","status":"connected"}]}
reply mcp_read_resource {"contents":[{"uri":"file:///srv/files/a.txt","text":"a"}]}
reply get_context_usage {"categories":[],"totalTokens":12,"maxTokens":100,"percentage":12}
reply get_usage {"session":{},"subscription_type":null,"rate_limits_available":false,"rate_limits":null,"behaviors":null}
reply interrupt {"still_queued":["u-7"]}
serve Hello)";

fs::path fake_cli() { return fs::read_symlink("/proc/self/exe").parent_path() / "parley_fake_cli"; }

/// The programs find the CLI as those of users do.
void provide_cli(const char* script) {
  ::setenv("PARLEY_CLI", fake_cli().c_str(), 1);
  ::setenv("PARLEY_FAKE_SCRIPT", script, 1);
}

/// A working folder with the files that the pages mention, while it lives.
class WorkFolder {
 public:
  WorkFolder() : before_(fs::current_path()) {
    std::ofstream(folder_.path() / "diagram.png") << "\x89PNG\r\n\x1a\n";
    fs::current_path(folder_.path());
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::current_path(before_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

 private:
  fs::path before_;
  TemporaryFolder folder_ = TemporaryFolder::make("docs-").value();
};

}  // namespace

void expect_answer(int (*run)()) {
  provide_cli("init\nturns Hello");
  ::testing::internal::CaptureStdout();
  const int code = run();
  const std::string printed = ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(code, 0);
  EXPECT_NE(printed.find("Hello"), std::string::npos) << printed;
}

namespace {

/// A handler of a page approves what it is meant to approve, also if the agent sends no plan along.
void expect_plan_approved(const Options& options) {
  provide_cli(R"(init
expect user
out {"type":"control_request","request_id":"p","request":{"subtype":"can_use_tool","tool_name":"ExitPlanMode","input":{},"tool_use_id":"t"}}
expect "behavior"
out {"type":"result","subtype":"success","is_error":false,"result":$LINE}
eof)");
  Session session(options);
  ASSERT_TRUE(session.connect());
  const auto answer = session.ask("Plan it.").result(std::chrono::seconds(30));
  ASSERT_TRUE(answer) << answer.error().what();
  EXPECT_NE(answer->result.value_or("").find(R"("behavior":"allow")"), std::string::npos)
      << answer->result.value_or("");
}

}  // namespace

void run_fragment(void (*fragment)(Options&, Session&, McpServer&)) {
  provide_cli(kScript);
  const WorkFolder folder;
  Options options;
  Session session;
  McpServer calculator("calc");
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.send("Hello?"));
  fragment(options, session, calculator);

  // Programs and folders that the pages name are not on this machine.
  options.cli = {};
  options.cwd.clear();
  options.tools.in_process.push_back(calculator);
  Session with_options(options);
  const auto connected = with_options.connect();
  ASSERT_TRUE(connected) << connected.error().what();
  const auto answer = with_options.ask("Hello?").result(std::chrono::seconds(30));
  ASSERT_TRUE(answer) << answer.error().what();
  EXPECT_EQ(answer->result, "Hello");
  if (options.on_plan) expect_plan_approved(options);
}

}  // namespace parley::testing
