// Commands that fork, hang, flood, hide, and fight back.
#include <signal.h>

#include <filesystem>

#include "hostile.hpp"

namespace parley::testing {
namespace {

namespace fs = std::filesystem;

class HostileCommands : public HostileTest {
 protected:
  /// With a timeout in milliseconds, after which the command goes on in the background.
  Json bash_for(const std::string& command, int timeout, const Bounds& bounds = {}) {
    return call("Bash", Json::object({{"command", command}, {"timeout", timeout}}), bounds);
  }
};

TEST_F(HostileCommands, FiveHundredMegabytesOfOutput) {
  const Json result = bash("head -c 500000000 /dev/zero | tr '\\0' 'x'", {60s, 64});
  expect_refused(result, "more than 64MB");
}

TEST_F(HostileCommands, OutputWithoutEnd) {
  expect_refused(bash("yes", {60s, 64}), "more than 64MB");
  expect_refused(bash("cat /dev/urandom", {60s, 64}), "more than 64MB");
}

TEST_F(HostileCommands, LongOutputIsKeptInAFile) {
  const Json result = bash("seq 1 1000000");
  EXPECT_FALSE(result["is_error"].as_bool());
  EXPECT_THAT(text_of(result), HasSubstr("<persisted-output>"));
}

/// The limit is one of characters, as in the real CLI.
TEST_F(HostileCommands, LongCharactersCountOnce) {
  const std::string bytes = "for i in $(seq 29000); do printf '\\xe2\\x82\\xac'; done";
  EXPECT_EQ(text_of(bash(bytes)).size(), 29'000u * 3);
}

TEST_F(HostileCommands, BinaryOutput) {
  const Json result = bash("head -c 20000 /dev/urandom; printf '\\0\\xff\\xc3\\x1b[2J'");
  EXPECT_FALSE(result["is_error"].as_bool());
}

TEST_F(HostileCommands, HangsAndIgnoresSignals) {
  const Json result = bash_for("trap '' TERM HUP INT; while :; do sleep 1; done", 300);
  EXPECT_THAT(text_of(result), HasSubstr("moved to the background"));
}

TEST_F(HostileCommands, Daemons) {
  bash("setsid sleep 1000 >/dev/null 2>&1 </dev/null & disown");
  bash("(setsid sh -c 'sleep 1000 & sleep 1000' >/dev/null 2>&1 &) & true");
  bash("nohup sleep 1000 >/dev/null 2>&1 &");
}

TEST_F(HostileCommands, ADaemonThatForgetsWhereItComesFrom) {
  bash("env -i /usr/bin/setsid /bin/sh -c '/bin/sleep 1000 & exit' >/dev/null 2>&1 </dev/null &");
}

TEST_F(HostileCommands, ADaemonThatKeepsTheOutputOpen) {
  const Json result = bash("setsid sleep 1000 & echo started");
  EXPECT_THAT(text_of(result), HasSubstr("started"));
}

TEST_F(HostileCommands, ADaemonThatChangesItsProcessAllTheTime) {
  bash(
      "python3 - <<'END'\n"
      "import os, time\n"
      "if os.fork(): os._exit(0)\n"
      "os.setsid()\n"
      "end = time.time() + 30\n"
      "while time.time() < end:\n"
      "    if os.fork(): os._exit(0)\n"
      "    time.sleep(0.001)\n"
      "END");
}

TEST_F(HostileCommands, AForkBomb) {
  const Json result = bash_for(
      "bomb() { if [ $1 -gt 0 ]; then bomb $(($1 - 1)) & bomb $(($1 - 1)) & fi; sleep 1000; }; "
      "bomb 7",
      1000, {60s, 64});
  EXPECT_THAT(text_of(result), HasSubstr("moved to the background"));
}

TEST_F(HostileCommands, ClosesItsOutput) {
  const Json result = bash_for("exec >&- 2>&-; sleep 1000", 300);
  EXPECT_THAT(text_of(result), HasSubstr("moved to the background"));
}

TEST_F(HostileCommands, ReadsItsInput) {
  EXPECT_FALSE(bash("cat; read line; python3 -c 'import sys; sys.stdin.read()'; true")["is_error"]
                   .as_bool());
}

TEST_F(HostileCommands, WantsATerminal) {
  bash("cat /dev/tty");
  bash("stty -a; tty");
}

TEST_F(HostileCommands, KillsItself) {
  expect_refused(bash("kill -9 $$"), "Exit code 137");
  expect_refused(bash("kill -SEGV $$"), "Exit code 139");
}

TEST_F(HostileCommands, KillsItsParent) {
  for (const char* name : {"TERM", "HUP"}) {
    const HostileModel model({events(call_events(
        {{"Bash", R"({"command":"kill -)" + std::string(name) + R"( $PPID; sleep 1000"})"}}))});
    AgentRun run(workspace_, {model.url(), {"--permission-mode", "bypassPermissions", "go"}, {}});
    expect_bounded(run.finish(20s), {});
  }
}

TEST_F(HostileCommands, StopsItsParent) {
  bash("(sleep 0.3; kill -CONT $PPID) & kill -STOP $PPID; sleep 0.6");
}

TEST_F(HostileCommands, RemovesTheFolderItIsIn) {
  const AgentEnd end =
      turn({events(call_events({{"Bash", R"({"command":"mkdir x && cd x"})"}})),
            events(call_events({{"Bash", R"({"command":"rm -rf \"$PWD\"; pwd"})", "toolu_2"}})),
            events(call_events({{"Bash", R"({"command":"pwd"})", "toolu_3"}})),
            events(call_events({{"Glob", R"({"pattern":"*"})", "toolu_4"}}))});
  ASSERT_EQ(end.tool_results().size(), 4u);
  EXPECT_EQ(text_of(end.tool_results()[2]), workspace_.work().string());
}

TEST_F(HostileCommands, ACommandOfAMegabyte) {
  EXPECT_TRUE(bash("true " + std::string(1 << 20, 'x'))["is_error"].as_bool());
}

TEST_F(HostileCommands, BackgroundCommandsEndWithTheSession) {
  const std::string command =
      R"({"command":"trap '' TERM; while :; do echo x; sleep 0.1; done","run_in_background":true})";
  const AgentEnd end = turn({events(call_events({{"Bash", command, "toolu_1"},
                                                 {"Bash", command, "toolu_2"},
                                                 {"Bash", command, "toolu_3"}}))});
  EXPECT_EQ(end.tool_results().size(), 3u);
}

TEST_F(HostileCommands, BackgroundCommandsEndWhenTheAgentIsTold) {
  for (const int number : {SIGTERM, SIGHUP, SIGINT}) {
    const HostileModel model(
        {events(call_events({{"Bash", R"({"command":"sleep 1000","run_in_background":true})"},
                             {"Bash", R"({"command":"setsid sleep 1000"})", "toolu_2"}}))});
    AgentRun run(workspace_, {model.url(), {"--permission-mode", "bypassPermissions", "go"}, {}});
    ASSERT_TRUE(run.wait_for([](const Json& m) { return m["type"].as_string() == "user"; }));
    run.signal(number);
    expect_bounded(run.finish(20s), {});
  }
}

TEST_F(HostileCommands, HooksThatMisbehave) {
  fs::create_directory(workspace_.path(".claude"));
  const auto hook = [](const char* command) {
    return Json::object({{"type", "command"}, {"command", command}, {"timeout", 1}});
  };
  const Json hooks = Json::array(
      {Json::object({{"hooks", Json::array({hook("sleep 1000"), hook("yes"), hook("exec >&-; cat"),
                                            hook("trap '' TERM; while :; do sleep 1; done"),
                                            hook("printf '{\"decision\":'"),
                                            hook("head -c 50000000 /dev/zero")})}})});
  workspace_.write(
      ".claude/settings.json",
      Json::object(
          {{"hooks",
            Json::object({{"UserPromptSubmit", hooks}, {"PostToolUse", hooks}, {"Stop", hooks}})}})
          .dump());
  turn({events(call_events({{"Bash", R"({"command":"true"})"}}))}, {30s, 128});
}

}  // namespace
}  // namespace parley::testing
