// The shell commands of a session: those that run, those in the background, and those whose
// leftovers are still to be ended.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "../tool_state.hpp"
#include "shell_job.hpp"

namespace parley::agent {

/// Thread-safe.
class ShellJobs {
 public:
  explicit ShellJobs(std::filesystem::path scratch_folder);
  ~ShellJobs();  ///< Ends all of them.

  struct Request {
    std::string tool_use_id, command, description;
    /// Program, arguments, folder and environment; the mark is ours. `argv` gets the file into
    /// which the command writes where it ended up.
    ChildProcess::Setup process;
    std::function<std::vector<std::string>(const std::filesystem::path& cwd_file)> argv;
    bool background = false;
  };
  /// What runs, by its task id.
  struct Started {
    std::string id;
    std::shared_ptr<ShellJob> job;
    std::filesystem::path cwd_file;
  };
  Result<Started> start(Request request);

  /// A command in the foreground takes long: the listener hears of it.
  void announce(const std::string& id);
  /// Its call will be answered without it.
  void move_to_background(const std::string& id);
  /// The call is answered: the job is dropped, unless it left something running.
  void close(const std::string& id);

  void on_change(std::function<void(const BackgroundTask&)> listener);
  /// Those in the background, ended ones included.
  [[nodiscard]] std::vector<BackgroundTask> tasks() const;
  bool stop(const std::string& id);
  [[nodiscard]] std::optional<std::string> output(const std::string& id) const;
  /// True when it has ended in time.
  bool wait(const std::string& id, std::chrono::milliseconds timeout, const std::stop_token& stop);

 private:
  struct Entry {
    BackgroundTask task;
    std::shared_ptr<ShellJob> job;
    std::filesystem::path cwd_file;
    bool announced = false;
    bool closed = false;   ///< Kept only for what it left running.
    bool stopped = false;  ///< By order, so that its end is no failure.
  };
  void ended(const std::string& id);
  [[nodiscard]] Entry* entry(const std::string& id) const;
  /// Under `telling_` alone: the listener may ask for the tasks.
  void tell(const BackgroundTask& task);
  void drop_gone();

  const std::filesystem::path folder_;
  const std::string mark_;
  std::mutex telling_;  ///< Keeps the order of what the listener hears. Taken before `mutex_`.
  std::function<void(const BackgroundTask&)> listener_;  ///< Under `telling_`.
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Entry>> entries_;
  bool ran_ = false;
};

}  // namespace parley::agent
