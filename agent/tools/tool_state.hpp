// What the tools of one session share: folders, what was read of which file, background shells, the
// task list. Thread-safe.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "../../wire/json.hpp"

namespace parley::agent {

/// What the agent knew of a file when it last read or wrote it.
struct KnownFile {
  std::filesystem::file_time_type modified;
  std::string content;                        ///< Of the part that was read.
  std::optional<std::int64_t> offset, limit;  ///< Set if only a part was.
};

/// A shell command or other work that goes on after its call has been answered.
struct BackgroundTask {
  std::string id;  ///< "b" and eight letters or digits.
  std::string tool_use_id;
  std::string command;
  std::string description;
  std::filesystem::path output_file;
  enum class Status { kRunning, kCompleted, kFailed, kKilled } status = Status::kRunning;
  std::optional<int> exit_code;
};

class ToolState {
 public:
  struct Setup {
    std::filesystem::path cwd;  ///< Where the agent was started.
    std::filesystem::path
        results_folder;  ///< `<project>/<session>/tool-results`; made when needed.
    std::filesystem::path scratch_folder;  ///< For output of background tasks; made when needed.
    std::map<std::string, std::string> environment;  ///< Of the commands that tools run.
    std::string session_id;
  };
  explicit ToolState(Setup setup);
  ~ToolState();  ///< Ends every background task.

  /// Where commands run now: a `cd` in a command moves it.
  [[nodiscard]] std::filesystem::path cwd() const;
  void set_cwd(std::filesystem::path cwd);
  [[nodiscard]] const std::filesystem::path& start_folder() const;
  [[nodiscard]] std::filesystem::path results_folder() const;
  [[nodiscard]] std::filesystem::path scratch_folder() const;
  /// Absolute, `.` and `..` resolved by text, `~` expanded.
  [[nodiscard]] std::filesystem::path absolute(const std::string& path) const;

  [[nodiscard]] std::map<std::string, std::string> environment() const;
  void set_variables(const std::map<std::string, std::string>& variables);

  [[nodiscard]] std::optional<KnownFile> known(const std::filesystem::path& file) const;
  void note(const std::filesystem::path& file, KnownFile known);

  // ---- background tasks ----

  /// Told about every start and end of a background task, on any thread.
  void on_task_change(std::function<void(const BackgroundTask&)> listener);
  [[nodiscard]] std::vector<BackgroundTask> tasks() const;
  /// Ends it; false if there is no such running task.
  bool stop_task(const std::string& id);
  /// What it has written so far.
  [[nodiscard]] std::optional<std::string> task_output(const std::string& id) const;

  /// The task list of TaskCreate and TodoWrite, as those tools keep it.
  [[nodiscard]] Json todos() const;
  void set_todos(Json todos);

 private:
  friend class Shell;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace parley::agent
