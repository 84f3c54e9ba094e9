// Children as support/process/spawn.hpp starts them: what they inherit, and why they do not start.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <sstream>
#include <thread>

#include "support/files/io.hpp"
#include "support/files/replace_file.hpp"
#include "support/files/temporary.hpp"
#include "support/process/environment.hpp"
#include "support/process/spawn.hpp"

namespace parley {
namespace {

namespace fs = std::filesystem;

struct ChildRun {
  std::string output;
  int status = -1;
};

SpawnSpec shell(const std::string& command) {
  SpawnSpec spec;
  spec.program = "/bin/sh";
  spec.arguments = {"sh", "-c", command};
  spec.environment = {"PATH=/usr/bin:/bin"};
  return spec;
}

/// Runs it to its end with no input and with its output and errors in one pipe.
ChildRun run(SpawnSpec spec) {
  auto pipe = make_pipe();
  const UniqueFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  spec.stdio = {nothing.get(), pipe->write.get(), pipe->write.get()};
  const Spawned child = spawn(spec);
  EXPECT_EQ(child.error, 0);
  pipe->write.reset();
  ChildRun ended;
  EXPECT_TRUE(read_all(pipe->read.get(), ended.output));
  EXPECT_EQ(::waitpid(child.pid, &ended.status, 0), child.pid);
  return ended;
}

TEST(Spawn, GivesArgumentsEnvironmentAndFolder) {
  SpawnSpec spec = shell("printf '%s|' \"$0\" \"$1\" \"$GREETING\" \"$PWD\"; cat; exit 7");
  spec.arguments.insert(spec.arguments.end(), {"zero", "one and\nhalf"});
  spec.environment = environment_texts(std::vector<std::pair<std::string, std::string>>{
      {"PATH", "/usr/bin:/bin"}, {"GREETING", "hi"}});
  spec.working_folder = "/usr";
  const ChildRun done = run(spec);
  EXPECT_EQ(done.output, "zero|one and\nhalf|hi|/usr|");
  ASSERT_TRUE(WIFEXITED(done.status));
  EXPECT_EQ(WEXITSTATUS(done.status), 7);
}

TEST(Spawn, NothingElseIsInherited) {
  const int leaked = ::open("/dev/null", O_RDONLY);  // a careless host
  ::signal(SIGHUP, SIG_IGN);
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
  // The shell opens one descriptor itself, to read the folder.
  const ChildRun listed =
      run(shell("cd /proc/self/fd && for n in *; do [ -e $n ] && echo $n; done"));
  EXPECT_EQ(listed.output.find("\n" + std::to_string(leaked) + "\n"), std::string::npos)
      << listed.output;
  EXPECT_TRUE(WIFSIGNALED(run(shell("kill -HUP $$")).status));
  EXPECT_TRUE(WIFSIGNALED(run(shell("kill -TERM $$")).status));
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ::signal(SIGHUP, SIG_DFL);
  ::close(leaked);
}

TEST(Spawn, GroupsAndSessions) {
  // Fields of /proc/PID/stat behind the name: state, parent, group, session.
  const auto ids = [](SpawnSpec::Group group) {
    SpawnSpec spec = shell("sed 's/.*) //' /proc/$$/stat | cut -d' ' -f3,4; echo $$");
    spec.group = group;
    return run(spec).output;
  };
  const std::string ours = std::to_string(::getpgrp()) + " " + std::to_string(::getsid(0)) + "\n";
  EXPECT_TRUE(ids(SpawnSpec::Group::ours).starts_with(ours));
  const auto parts = [](const std::string& text) {
    std::vector<std::string> numbers(3);
    std::istringstream in(text);
    in >> numbers[0] >> numbers[1] >> numbers[2];
    return numbers;
  };
  const auto own = parts(ids(SpawnSpec::Group::own));
  EXPECT_EQ(own[0], own[2]);
  EXPECT_EQ(own[1], std::to_string(::getsid(0)));
  const auto session = parts(ids(SpawnSpec::Group::session));
  EXPECT_EQ(session[0], session[2]);
  EXPECT_EQ(session[1], session[2]);
}

TEST(Spawn, KeepsOurOwnStreamsIfTheyAreWanted) {
  auto pipe = make_pipe();
  const UniqueFd kept(::fcntl(1, F_DUPFD_CLOEXEC, 3));
  // Marked to close on exec, which must not hold for what the child is to keep.
  ASSERT_EQ(::dup3(pipe->write.get(), 1, O_CLOEXEC), 1);
  SpawnSpec spec = shell("echo through ours");
  spec.stdio = {0, 1, 2};
  const Spawned child = spawn(spec);
  ASSERT_EQ(::dup2(kept.get(), 1), 1);
  pipe->write.reset();
  std::string output;
  EXPECT_TRUE(read_all(pipe->read.get(), output));
  EXPECT_EQ(output, "through ours\n");
  EXPECT_EQ(::waitpid(child.pid, nullptr, 0), child.pid);
}

TEST(Spawn, SaysWhyNothingStarted) {
  const TemporaryFolder folder = TemporaryFolder::make("spawn-").value();
  const auto file = [&](const std::string& name, std::string_view text, mode_t mode) {
    const std::string path = (folder.path() / name).string();
    EXPECT_TRUE(replace_file(path, text, {.mode = mode, .exact_mode = true}));
    return path;
  };
  const struct {
    std::string program;
    int error;
  } cases[] = {{"/nowhere/program", ENOENT},
               {file("plain", "#!/bin/sh\n", 0600), EACCES},
               {file("no-interpreter", "#!/nowhere/sh\n", 0700), ENOENT},
               {file("no-first-line", "echo hello\n", 0700), ENOEXEC},
               {folder.path().string(), EACCES}};
  for (const auto& [program, error] : cases) {
    SpawnSpec spec;
    spec.program = program;
    spec.arguments = {program};
    const Spawned child = spawn(spec);
    EXPECT_FALSE(child);
    EXPECT_EQ(child.error, error) << program;
    EXPECT_EQ(child.failed, SpawnStep::start);
    EXPECT_EQ(child.pid, -1);
  }
  SpawnSpec spec = shell("true");
  spec.working_folder = "/nowhere";
  const Spawned child = spawn(spec);
  EXPECT_EQ(child.error, ENOENT);
  EXPECT_EQ(child.failed, SpawnStep::folder);
  // Whoever did not start leaves nothing to wait for.
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(Spawn, AChildCanEndWithTheThreadThatStartedIt) {
  Spawned child;
  std::jthread([&] {
    // Not a shell, which could have made another child by then, who would live on.
    SpawnSpec spec;
    spec.program = "/bin/sleep";
    spec.arguments = {"sleep", "1000"};
    spec.ends_with_thread = true;
    child = spawn(spec);
  }).join();
  ASSERT_TRUE(child);
  pollfd ended{child.pidfd.get(), POLLIN, 0};
  EXPECT_EQ(::poll(&ended, 1, 20'000), 1);
  int status = 0;
  EXPECT_EQ(::waitpid(child.pid, &status, 0), child.pid);
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
}

TEST(FindProgram, LooksWhereItMay) {
  const TemporaryFolder folder = TemporaryFolder::make("path-").value();
  fs::create_directories(folder.path() / "a/tool");  // a folder is no program
  fs::create_directories(folder.path() / "b");
  ASSERT_TRUE(replace_file((folder.path() / "b/data").string(), "", {}));
  ASSERT_TRUE(
      replace_file((folder.path() / "b/tool").string(), "", {.mode = 0700, .exact_mode = true}));
  const std::string a = (folder.path() / "a").string(), b = (folder.path() / "b").string();
  EXPECT_EQ(find_program("tool", a + ":" + b), folder.path() / "b/tool");
  EXPECT_EQ(find_program("tool", a), std::nullopt);
  EXPECT_EQ(find_program("data", b), std::nullopt);
  EXPECT_EQ(find_program("tool", ""), std::nullopt);
  // A project must not bring its own, unless that is asked for.
  const fs::path before = fs::current_path();
  fs::current_path(folder.path() / "b");
  EXPECT_EQ(find_program("tool", ":.:" + a), std::nullopt);
  EXPECT_TRUE(fs::equivalent(find_program("tool", a + ":", PathFolders::all).value(),
                             folder.path() / "b/tool"));
  fs::current_path(before);
}

TEST(Environment, IsThatOfThisProcess) {
  ::setenv("PARLEY_SUPPORT_TEST", "a=b", 1);
  const auto variables = current_environment();
  ::unsetenv("PARLEY_SUPPORT_TEST");
  const std::pair<std::string, std::string> wanted{"PARLEY_SUPPORT_TEST", "a=b"};
  EXPECT_NE(std::find(variables.begin(), variables.end(), wanted), variables.end());
}

}  // namespace
}  // namespace parley
