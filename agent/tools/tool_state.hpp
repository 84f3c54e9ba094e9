// What the tools of one session share: folders, what was read of which file, background shells, the
// task list, and the ways to the rest of the agent. Thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "../../wire/json/json.hpp"

namespace parley::agent {

class ShellJobs;
class TaskList;

/// What the agent knew of a file when it last read or wrote it.
struct KnownFile {
  std::filesystem::file_time_type modified;
  std::string content;                        ///< Of the part that was read.
  std::optional<std::int64_t> offset, limit;  ///< Set if only a part was.
  bool in_context = true;  ///< False: only the client says that the model has read it.
};

/// A shell command that goes on after its call has been answered, or that has been running for a
/// while in the foreground.
struct BackgroundTask {
  std::string id;  ///< "b" and eight letters or digits.
  std::string tool_use_id;
  std::string command;
  std::string description;  ///< Of the call, or the command.
  std::filesystem::path output_file;
  enum class Status { running, completed, failed, killed } status = Status::running;
  std::optional<int> exit_code;
  /// False: its call still waits for it; it is worth a word because it takes long.
  bool backgrounded = true;
};

/// What came of fetching a page.
struct FetchedPage {
  int status = 0;
  std::string status_text;
  std::string content_type;
  std::string body;      ///< The first megabytes of it.
  std::string location;  ///< Of a redirect, which is not followed.
};

/// Bash in bubblewrap.
struct SandboxSetup {
  bool enabled = false;  ///< Where bwrap is not installed, commands are refused.
  bool network = false;
  /// Besides the start folder and a fresh /tmp.
  std::vector<std::filesystem::path> writable;
  bool may_be_left = true;  ///< Whether `dangerouslyDisableSandbox` is heard.
};

class ToolState {
 public:
  struct Setup {
    std::filesystem::path cwd;  ///< Where the agent was started.
    std::filesystem::path
        results_folder;  ///< `<project>/<session>/tool-results`; made when needed.
    std::filesystem::path scratch_folder;            ///< For output of commands; made when needed.
    std::map<std::string, std::string> environment;  ///< Of the commands that tools run.
    std::string session_id;
    SandboxSetup sandbox;

    // Ways to the rest of the agent. One that is not set makes what needs it fail with a clear
    // error; they are called on any thread.

    /// Whether a folder is one the session works in; only the start folder if not set.
    std::function<bool(const std::filesystem::path&)> is_working_folder;
    /// Tells which files a search by that tool must pass over; empty, or not set, if none.
    std::function<std::function<bool(const std::filesystem::path&)>(std::string_view tool)>
        hidden_from;
    /// HTTP GET, redirects not followed.
    std::function<Result<FetchedPage>(const std::string& url, std::stop_token stop)> fetch;
    /// The answer of a small model.
    std::function<Result<std::string>(const std::string& prompt, std::stop_token stop)> ask_model;
    std::function<bool()> in_plan_mode;
    std::function<void(bool on)> set_plan_mode;
    std::filesystem::path plan_file;  ///< Where the plan of the session is or would be.
  };
  explicit ToolState(Setup setup);
  ~ToolState();  ///< Ends every command and whatever commands left running.

  [[nodiscard]] const Setup& setup() const;
  /// Where commands run now: a `cd` in a command moves it.
  [[nodiscard]] std::filesystem::path cwd() const;
  void set_cwd(std::filesystem::path cwd);
  [[nodiscard]] const std::filesystem::path& start_folder() const;
  [[nodiscard]] std::filesystem::path results_folder() const;
  [[nodiscard]] std::filesystem::path scratch_folder() const;
  /// Absolute, `.` and `..` resolved by text, `~` expanded.
  [[nodiscard]] std::filesystem::path absolute(const std::string& path) const;
  /// Relative to where commands run now if it lies there, else as it is.
  [[nodiscard]] std::string relative(const std::filesystem::path& path) const;
  [[nodiscard]] bool is_working_folder(const std::filesystem::path& folder) const;

  /// Which files a search by that tool must pass over; empty if none.
  [[nodiscard]] std::function<bool(const std::filesystem::path&)> hidden_from(
      std::string_view tool) const;

  [[nodiscard]] std::map<std::string, std::string> environment() const;
  void set_variables(const std::map<std::string, std::string>& variables);

  [[nodiscard]] std::optional<KnownFile> known(const std::filesystem::path& file) const;
  void note(const std::filesystem::path& file, KnownFile known);

  // ---- background tasks ----

  /// Told about every start, move to the background and end of a task, on any thread.
  void on_task_change(std::function<void(const BackgroundTask&)> listener);
  [[nodiscard]] std::vector<BackgroundTask> tasks() const;
  /// Ends it; false if there is no such running task.
  bool stop_task(const std::string& id);
  /// What it has written so far, the end of it if that is long.
  [[nodiscard]] std::optional<std::string> task_output(const std::string& id) const;

  /// What TodoWrite keeps.
  [[nodiscard]] Json todos() const;
  void set_todos(Json todos);

  /// For the tools themselves.
  [[nodiscard]] ShellJobs& shells();
  [[nodiscard]] TaskList& task_list();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace parley::agent
