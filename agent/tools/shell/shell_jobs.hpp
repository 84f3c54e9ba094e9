// The shell commands of a session: those that run, those in the background, and those whose
// leftovers are still to be ended. Each is a task of the session's list.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "../background/background_tasks.hpp"
#include "shell_job.hpp"

namespace parley::agent {

/// Thread-safe.
class ShellJobs {
 public:
  ShellJobs(std::filesystem::path scratch_folder, BackgroundTasks& tasks);
  ~ShellJobs();
  /// Ends all of them, and whatever they left running. None is started afterwards.
  void end();

  struct Request {
    std::string tool_use_id, command, description;
    /// Program, arguments, folder and environment; the mark is ours. `argv` gets the file into
    /// which the command writes where it ended up.
    ChildProcess::Setup process;
    std::function<std::vector<std::string>(const std::filesystem::path& cwd_file)> argv;
    bool background = false;
    std::string parent_id = {};  ///< The agent that runs it; empty: the session itself.
  };
  /// What runs, by its task id.
  struct Started {
    std::string id;
    std::shared_ptr<ShellJob> job;
    std::filesystem::path cwd_file;
    std::stop_token moved;  ///< Somebody wants the call answered without it.
  };
  Result<Started> start(Request request);

  /// The call is answered: the job is dropped, unless it left something running.
  void close(const std::string& id);

 private:
  struct Entry {
    std::string id;
    std::shared_ptr<ShellJob> job;
    std::filesystem::path cwd_file;
    bool closed = false;  ///< Kept only for what it left running.
  };
  void ended(const std::string& id);
  [[nodiscard]] Entry* entry(const std::string& id) const;
  void drop_gone();

  const std::filesystem::path folder_;
  const std::string mark_;
  BackgroundTasks& tasks_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Entry>> entries_;
  bool ran_ = false;
  bool over_ = false;
};

}  // namespace parley::agent
