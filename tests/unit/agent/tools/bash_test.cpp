#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "agent/tools/background/background_tasks.hpp"
#include "agent/tools/shell/command_words.hpp"
#include "workspace.hpp"

namespace parley::agent {
namespace {

using testing::is_alive;
using testing::result_of;
using testing::text_of;
using testing::Workspace;

Json command(const std::string& text) { return Json::object({{"command", text}}); }

/// Lets a test wait for what the state tells about tasks.
class TaskEvents {
 public:
  explicit TaskEvents(ToolState& state) {
    state.background_tasks().on_change([this](const BackgroundTask& task, auto) {
      const std::lock_guard lock(mutex_);
      events_.push_back(task);
      changed_.notify_all();
    });
  }
  BackgroundTask wait_for(std::size_t index) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return events_.size() > index; });
    return events_[index];
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<BackgroundTask> events_;
};

TEST(Bash, AnswersAsRecorded) {
  Workspace work;
  const ToolOutput done = work.call("Bash", command("touch made.txt && echo done"));
  EXPECT_EQ(text_of(done), "done");
  EXPECT_FALSE(done.is_error);
  EXPECT_TRUE(done.says_no_error);
  EXPECT_EQ(done.result.text, R"({"stdout":"done","stderr":"","interrupted":false,"isImage":false,)"
                              R"("noOutputExpected":false})");
  EXPECT_EQ(text_of(work.call("Bash", command("ls"))), "made.txt");
  EXPECT_EQ(text_of(work.call("Bash", command(":"))), "(Bash completed with no output)");
  EXPECT_EQ(text_of(work.call("Bash", command("echo '  lead'; echo; echo"))), "  lead");

  const ToolOutput failed = work.call("Bash", command("echo out; echo err >&2; exit 3"));
  EXPECT_TRUE(failed.is_error);
  EXPECT_EQ(text_of(failed), "Exit code 3\nout\nerr");
  EXPECT_EQ(failed.result.text, R"("Error: Exit code 3\nout\nerr")");
  EXPECT_EQ(text_of(work.call("Bash", command("if then"))).substr(0, 20), "Exit code 2\n/bin/bas");
}

TEST(Bash, ExplainsExitCodesThatAreNoFailures) {
  Workspace work;
  work.write("a.txt", "x\n");
  const ToolOutput none = work.call("Bash", command("grep zzz a.txt"));
  EXPECT_FALSE(none.is_error);
  EXPECT_EQ(result_of(none)["returnCodeInterpretation"].as_string(), "No matches found");
  EXPECT_TRUE(
      result_of(work.call("Bash", command("mv a.txt b.txt")))["noOutputExpected"].as_bool());
}

TEST(Bash, KeepsTheFolderWithinTheWorkingFolders) {
  Workspace work;
  std::filesystem::create_directories(work.path("d"));
  EXPECT_EQ(text_of(work.call("Bash", command("cd d; pwd"))), work.path("d"));
  EXPECT_EQ(text_of(work.call("Bash", command("pwd"))), work.path("d"));
  const ToolOutput out = work.call("Bash", command("cd /; pwd"));
  EXPECT_EQ(text_of(out), "/\nShell cwd was reset to " + work.path());
  EXPECT_EQ(result_of(out)["stderr"].as_string(), "\nShell cwd was reset to " + work.path());
  EXPECT_EQ(text_of(work.call("Bash", command("pwd"))), work.path());
}

TEST(Bash, StartsElsewhereWhenItsFolderIsGone) {
  Workspace work;
  work.call("Bash", command("mkdir d && cd d"));
  std::filesystem::remove_all(work.path("d"));
  EXPECT_EQ(text_of(work.call("Bash", command("pwd"))), work.path());
}

TEST(Bash, StoresLongOutput) {
  Workspace work;
  const ToolOutput out = work.call("Bash", command("seq 1 20000"));
  const std::string text = text_of(out);
  EXPECT_TRUE(
      text.starts_with("<persisted-output>\nOutput too large (106.3KB). Full output saved to: "));
  EXPECT_TRUE(text.ends_with("\n526\n527\n...\n</persisted-output>"))
      << text.substr(text.size() - 60);
  const Json result = result_of(out);
  EXPECT_EQ(result["stdout"].as_string().size(), 30000u);
  EXPECT_EQ(result["persistedOutputSize"].as_int(), 108894);
  EXPECT_EQ(std::filesystem::file_size(std::string(result["persistedOutputPath"].as_string())),
            108894u);

  const std::string error = text_of(work.call("Bash", command("seq 1 20000; exit 4")));
  EXPECT_NE(error.find("\n\n... [20012 characters truncated] ...\n\n"), std::string::npos);
}

TEST(Bash, RefusesToSleep) {
  Workspace work;
  const ToolOutput out = work.call("Bash", command("sleep 60"));
  EXPECT_TRUE(out.is_error);
  EXPECT_TRUE(text_of(out).starts_with("<tool_use_error>Blocked: standalone sleep 60. "));
  EXPECT_FALSE(work.call("Bash", command("sleep 0.01")).is_error);
  EXPECT_FALSE(standalone_sleep("sleep 20"));
}

TEST(Bash, GoesOnInTheBackground) {
  Workspace work;
  TaskEvents events(work.state());
  Json input = command("echo started; read line < go; echo finished");
  input.set("run_in_background", true);
  work.call("Bash", command("mkfifo go"));
  const ToolOutput out = work.call("Bash", input);
  const BackgroundTask started = events.wait_for(0);
  EXPECT_TRUE(started.backgrounded);
  EXPECT_EQ(started.description, "echo started; read line < go; echo finished");
  EXPECT_EQ(text_of(out), "Command running in background with ID: " + started.id +
                              ". Output is being written to: " + started.output_file.string() +
                              ". You will be notified when it completes. To check interim output, "
                              "use Read on that file path.");
  EXPECT_EQ(result_of(out)["backgroundTaskId"].as_string(), started.id);
  EXPECT_EQ(work.state().background_tasks().tasks().size(), 1u);
  work.call("Bash", command("echo > go"));
  const BackgroundTask ended = events.wait_for(1);
  EXPECT_EQ(ended.status, BackgroundTask::Status::completed);
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(work.state().background_tasks().output(ended.id), "started\nfinished\n");
}

TEST(Bash, IsMovedToTheBackgroundAfterItsTimeout) {
  Workspace work;
  TaskEvents events(work.state());
  Json input = command("echo start; while :; do sleep 0.05; done");
  input.set("timeout", 300);
  const ToolOutput out = work.call("Bash", input);
  const BackgroundTask moved = events.wait_for(0);
  EXPECT_EQ(result_of(out)["timedOutAfterMs"].as_int(), 300);
  EXPECT_TRUE(
      text_of(out).starts_with("start\nCommand did not complete within its 1s timeout and was "
                               "moved to the background (ID: " +
                               moved.id + ")."));
  const Json stopped = Json::object(
      {{"message", "Successfully stopped task: " + moved.id + " (" + moved.command + ")"},
       {"task_id", moved.id},
       {"task_type", "local_bash"},
       {"command", moved.command}});
  EXPECT_EQ(text_of(work.call("TaskStop", Json::object({{"task_id", moved.id}}))), stopped.dump());
  EXPECT_EQ(events.wait_for(1).status, BackgroundTask::Status::killed);
  EXPECT_TRUE(text_of(work.call("TaskStop", Json::object({{"task_id", moved.id}})))
                  .find("is not running") != std::string::npos);
  EXPECT_EQ(text_of(work.call("TaskStop", Json::object({{"task_id", "nope"}}))),
            "<tool_use_error>No task found with ID: nope</tool_use_error>");
}

TEST(Bash, ShowsBackgroundTasks) {
  Workspace work;
  TaskEvents events(work.state());
  Json input = command("echo hello; exit 3");
  input.set("run_in_background", true);
  work.call("Bash", input);
  const std::string id = events.wait_for(0).id;
  const Json result = result_of(work.call("TaskOutput", Json::object({{"task_id", id}})));
  EXPECT_EQ(result["retrieval_status"].as_string(), "success");
  EXPECT_EQ(result["task"]["status"].as_string(), "failed");
  EXPECT_EQ(result["task"]["exitCode"].as_int(), 3);
  EXPECT_EQ(result["task"]["output"].as_string(), "hello\n");
}

TEST(Bash, EndsWhenStopped) {
  Workspace work;
  std::stop_source stop;
  work.call("Bash", command("mkfifo ready"));
  std::jthread stopper([&] {
    work.call("Bash", command("cat ready"));  // returns when the other one has come so far
    stop.request_stop();
  });
  const ToolOutput out = work.call(
      "Bash", command("trap '' TERM; echo $$ > pid; echo > ready; while :; do sleep 0.05; done"),
      stop.get_token());
  EXPECT_TRUE(out.is_error);
  EXPECT_FALSE(is_alive(std::stoi(work.read("pid"))));
}

TEST(Bash, KeepsOutputToItselfAndCleansUp) {
  Workspace work;
  const std::filesystem::path scratch = work.state().scratch_folder();
  work.call("Bash", command("true"));
  EXPECT_EQ(std::filesystem::status(scratch).permissions(), std::filesystem::perms(0700));
  EXPECT_TRUE(std::filesystem::is_empty(scratch));
  work.close();
  EXPECT_FALSE(std::filesystem::exists(scratch));
}

TEST(BashHostile, RefusesAScratchFolderThatIsALink) {
  Workspace work;
  std::filesystem::create_directory_symlink(work.path(), work.state().scratch_folder());
  EXPECT_TRUE(work.call("Bash", command("true")).is_error);
}

TEST(Bash, PassesTheVariablesOfTheSession) {
  Workspace work;
  work.state().set_variables({{"MYVAR", "7"}});
  EXPECT_EQ(text_of(work.call("Bash", command("echo \"v=$MYVAR\""))), "v=7");
}

// ---- commands that do not behave
// -----------------------------------------------------------------

TEST(BashHostile, LeavesNothingRunning) {
  const std::string commands[] = {
      "sleep 300 & echo $! > pid",                   // in the session
      "sleep 300 > /dev/null 2>&1 & echo $! > pid",  // with its output elsewhere
      // in another session
      "setsid sh -c 'echo $$ > pid; exec sleep 300' > /dev/null 2>&1 & "
      "until [ -s pid ]; do sleep 0.01; done",
      "env -i sleep 300 & echo $! > pid",               // without our mark
      "(trap '' TERM HUP; sleep 300) & echo $! > pid",  // deaf to signals
  };
  for (const std::string& text : commands) {
    Workspace work;
    EXPECT_FALSE(work.call("Bash", command(text)).is_error) << text;
    const int pid = std::stoi(work.read("pid"));
    EXPECT_TRUE(is_alive(pid)) << text;
    work.close();
    EXPECT_FALSE(is_alive(pid)) << text;
  }
}

TEST(BashHostile, CollectsASilentLeftoverWhenItEnds) {
  Workspace work;
  const std::string text = "echo $$ > shell; sleep 300 > /dev/null 2>&1 & echo $! > pid";
  EXPECT_FALSE(work.call("Bash", command(text)).is_error);
  const pid_t shell = std::stoi(work.read("shell"));
  EXPECT_EQ(::kill(shell, 0), 0) << "its id stays taken as long as somebody of its session lives";
  ::kill(std::stoi(work.read("pid")), SIGKILL);
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (::kill(shell, 0) == 0 && std::chrono::steady_clock::now() < patience) {
    ::poll(nullptr, 0, 5);  // nobody tells who is collected
  }
  EXPECT_NE(::kill(shell, 0), 0) << "a dead process is kept";
}

TEST(BashHostile, ReturnsThoughChildrenHoldTheOutput) {
  Workspace work;
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(text_of(work.call("Bash", command("(sleep 300; echo late) & echo early"))), "early");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

TEST(BashHostile, EndsACommandThatWritesForEver) {
  Workspace work;
  const ToolOutput out = work.call("Bash", command("yes"));
  EXPECT_TRUE(out.is_error);
  EXPECT_TRUE(text_of(out).starts_with("The command was ended because it wrote more than 64MB."));
  EXPECT_LT(text_of(out).size(), 20000u);
}

TEST(BashHostile, TakesOddOutput) {
  Workspace work;
  EXPECT_EQ(text_of(work.call("Bash", command("printf 'a\\0b\\xff\\n'"))),
            std::string("a\0b\xEF\xBF\xBD", 6));
  EXPECT_EQ(text_of(work.call("Bash", command("echo hi; exec >&- 2>&-; sleep 0.1"))), "hi");
  EXPECT_TRUE(text_of(work.call("Bash", command("kill -9 $$"))).starts_with("Exit code 137"));
  EXPECT_EQ(text_of(work.call("Bash", command("cat; echo end"))), "end");  // stdin is empty
  EXPECT_EQ(text_of(work.call("Bash", command("echo 'it'\\''s'"))), "it's");
}

TEST(BashHostile, EndsAForkingCommand) {
  Workspace work;
  std::stop_source stop;
  Json input = command("f() { while :; do (sleep 300) & sleep 0.02; done; }; echo $$ > pid; f");
  input.set("timeout", 400);
  const ToolOutput out = work.call("Bash", input);
  EXPECT_FALSE(out.is_error);
  const int pid = std::stoi(work.read("pid"));
  work.close();
  EXPECT_FALSE(is_alive(pid));
  // Nothing of its session is left either, but for those whom nobody has collected yet.
  const std::string left = "ps -o stat= -s " + std::to_string(pid) + " | grep -qv Z";
  EXPECT_NE(::system(left.c_str()), 0);
}

}  // namespace
}  // namespace parley::agent
