#include "agent/hooks/shell_command.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

namespace parley::agent {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

ShellCommand shell(std::string text) {
  ShellCommand command;
  command.command = std::move(text);
  command.cwd = "/";
  command.environment = {{"PATH", "/usr/bin:/bin"}};
  command.timeout = std::chrono::minutes(1);
  return command;
}

ShellEnd run(const ShellCommand& command, const std::stop_token& stop = {}) {
  auto end = run_shell_command(command, stop);
  EXPECT_TRUE(end.ok()) << end.error().what();
  return end ? *end : ShellEnd();
}

/// Waits until the process has ended. Who inherits it may not have waited for it.
bool has_ended(const std::string& pid) {
  const auto deadline = Clock::now() + std::chrono::seconds(20);
  while (Clock::now() < deadline) {
    std::ifstream file("/proc/" + pid + "/stat");
    std::string id, name, state;
    if (!(file >> id >> name >> state) || state == "Z" || state == "X") return true;
    std::this_thread::yield();
  }
  return false;
}

TEST(ShellCommand, GivesInputFolderAndEnvironment) {
  ShellCommand command = shell("cat; pwd; echo $NAME >&2; cat /dev/stdin");
  command.input = "in\n";
  command.cwd = "/usr";
  command.environment["NAME"] = "value";
  const ShellEnd end = run(command);
  EXPECT_EQ(end.output, "in\n/usr\nin\n");
  EXPECT_EQ(end.errors, "value\n");
  EXPECT_EQ(end.exit_code, 0);
}

TEST(ShellCommand, SaysHowItEnded) {
  EXPECT_EQ(run(shell("exit 7")).exit_code, 7);
  EXPECT_EQ(run(shell("kill -9 $$")).exit_code, 1);
  EXPECT_EQ(run(shell("/no/such/program")).exit_code, 127);
  EXPECT_EQ(run(shell("exec >&- 2>&-; exit 3")).exit_code, 3);
}

TEST(ShellCommand, DoesNotNeedItsInputToBeRead) {
  ShellCommand command = shell("exit 0");
  command.input.assign(std::size_t{4} << 20, 'x');
  EXPECT_EQ(run(command).exit_code, 0);
  command.command = "wc -c";
  EXPECT_EQ(run(command).output, "4194304\n");
}

TEST(ShellCommand, KeepsAReasonableAmountOfOutput) {
  const ShellEnd end = run(shell("head -c 5000000 /dev/zero"));
  EXPECT_EQ(end.output.size(), std::size_t{1} << 20);
  EXPECT_EQ(end.exit_code, 0);
}

TEST(ShellCommand, KillsTheWholeGroupAtTheTimeout) {
  ShellCommand command = shell("trap '' TERM; sleep 600 & echo $!; sleep 600");
  command.timeout = milliseconds(2000);
  const ShellEnd end = run(command);
  EXPECT_TRUE(end.timed_out);
  EXPECT_EQ(end.exit_code, 1);
  ASSERT_FALSE(end.output.empty());
  EXPECT_TRUE(has_ended(end.output.substr(0, end.output.size() - 1)));
}

TEST(ShellCommand, EndsAnEndlessWriterAtTheTimeout) {
  ShellCommand command = shell("yes");
  command.timeout = milliseconds(200);
  EXPECT_TRUE(run(command).timed_out);
}

TEST(ShellCommand, StopsWhenAsked) {
  const auto source = std::make_unique<std::stop_source>();
  const std::filesystem::path fifo =
      std::filesystem::temp_directory_path() / ("parley-hook-" + std::to_string(::getpid()));
  std::filesystem::remove(fifo);
  ShellCommand command =
      shell("mkfifo " + fifo.string() + "; echo up > " + fifo.string() + "; exec sleep 600");
  Clock::time_point asked;
  std::jthread stopper([&] {
    while (!std::filesystem::exists(fifo)) std::this_thread::yield();
    std::ifstream(fifo).get();  // opens when the command does
    asked = Clock::now();
    source->request_stop();
  });
  const ShellEnd end = run(command, source->get_token());
  stopper.join();
  std::filesystem::remove(fifo);
  EXPECT_TRUE(end.cancelled);
  EXPECT_FALSE(end.timed_out);
  EXPECT_LT(Clock::now() - asked, std::chrono::seconds(5));
}

TEST(ShellCommand, DoesNotWaitForWhatItLeavesRunning) {
  const auto start = Clock::now();
  const ShellEnd end = run(shell("sleep 600 & echo $!"));
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_FALSE(end.timed_out);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(20));
  const pid_t left = std::stoi(end.output);
  EXPECT_EQ(::kill(left, SIGKILL), 0);
}

TEST(ShellCommand, DoesNotInheritIgnoredSignals) {
  const auto before = ::signal(SIGPIPE, SIG_IGN);
  EXPECT_EQ(run(shell("sh -c 'kill -PIPE $$'; echo $?")).output, "141\n");
  ::signal(SIGPIPE, before);
}

TEST(ShellCommand, SaysWhyItCannotStart) {
  ShellCommand command = shell("true");
  command.cwd = "/no/such/folder";
  const auto end = run_shell_command(command, {});
  ASSERT_FALSE(end.ok());
  EXPECT_NE(std::string(end.error().what()).find("No such file"), std::string::npos);
}

}  // namespace
}  // namespace parley::agent
