// What the tools of one conversation share: folders, what was read of which file, commands, work in
// the background, the task list, and the ways to the rest of the agent. Thread-safe.
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

class BackgroundTasks;
class ShellJobs;
class TaskList;

/// What the agent knew of a file when it last read or wrote it.
struct KnownFile {
  std::filesystem::file_time_type modified;
  std::string content;                        ///< Of the part that was read.
  std::optional<std::int64_t> offset, limit;  ///< Set if only a part was.
  bool in_context = true;  ///< False: only the client says that the model has read it.
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
    std::filesystem::path plan_file;          ///< Where the plan of the session is or would be.
    std::filesystem::path tasks_folder = {};  ///< Where the list of work is kept; empty: nowhere.
  };
  explicit ToolState(Setup setup);
  /// For an agent that works for this conversation: its own folder, its own knowledge of files and
  /// its own todo list; everything else is shared.
  [[nodiscard]] std::unique_ptr<ToolState> for_agent(const std::string& agent_id) const;
  /// The last one that shares the commands ends them.
  ~ToolState();
  /// Ends every command of the session and whatever commands left running. None starts afterwards.
  void end();

  /// Whose it is: empty for the session itself.
  [[nodiscard]] const std::string& agent_id() const;

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

  /// What TodoWrite keeps.
  [[nodiscard]] Json todos() const;
  void set_todos(Json todos);

  /// What runs beside the conversations of the session.
  [[nodiscard]] BackgroundTasks& background_tasks() const;
  /// For the tools themselves.
  [[nodiscard]] ShellJobs& shells();
  [[nodiscard]] TaskList& task_list();

 private:
  struct Shared;
  struct Impl;
  explicit ToolState(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace parley::agent
