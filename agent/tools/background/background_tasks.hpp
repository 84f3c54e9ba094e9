// The one list of what a session has running beside its conversation: shell commands and subagents.
// Who carries a task out enters it here and says when it has ended; clients and the model find it,
// look at it, stop it and send it to the background through here.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "../../../wire/error.hpp"
#include "background_task.hpp"

namespace parley::agent {

/// Thread-safe.
class BackgroundTasks {
 public:
  enum class Change {
    started,  ///< Or it has become worth a word.
    moved,    ///< To the background, after its start was told.
    ended,    ///< Or it counts as stopped.
    gone,     ///< One that was stopped has come to its end.
    adopted,  ///< Its parent has ended: it is the session's now.
  };
  /// Hears of every change, one after the other, on any thread. It may ask for the tasks.
  using Listener = std::function<void(const BackgroundTask& task, Change change)>;

  /// What is done with a task, by who carries it out. Called without locks.
  struct Actions {
    std::function<void()> stop;             ///< Asks for its end; does not wait.
    std::function<void()> leave_call = {};  ///< Answers its call without it. None: not possible.
    std::function<std::string()> output =
        {};  ///< What it has written, the end of it if it is long.
    /// True when it has ended in that time.
    std::function<bool(std::chrono::milliseconds timeout, const std::stop_token& stop)> wait = {};
  };

  void on_change(Listener listener);

  /// Enters a task. `begin` starts it: whatever happens to it is told after its start. An error of
  /// it is handed on, and there is no task. `worth_telling`: the listener hears of it now.
  Result<void> add(BackgroundTask task, Actions actions, bool worth_telling,
                   const std::function<Result<void>()>& begin);
  /// It takes long: the listener hears of it, if it has not yet.
  void announce(const std::string& id);
  /// It has come to its end. `fill_in` says how; a task that was stopped before stays stopped.
  void end(const std::string& id, const std::function<void(BackgroundTask& task)>& fill_in);
  /// Its parent has ended: from now on it belongs to the session.
  void adopt_children(const std::string& parent);
  /// The task is of no interest any more.
  void forget(const std::string& id);

  /// The task goes on in the background; the listener hears of it. What is returned lets its call
  /// go; none if there is no such running task, or it cannot be moved.
  [[nodiscard]] std::function<void()> mark_moved(const std::string& id);
  /// The task counts as stopped, and the listener hears of it. What is returned ends it for real;
  /// none if there is no such running task. `is_news`: the model is to be told.
  [[nodiscard]] std::function<void()> mark_stopped(const std::string& id, bool is_news);
  /// Both at once. False if there is no such running task.
  bool stop(const std::string& id, bool is_news = false);

  /// Those in the background, ended ones included.
  [[nodiscard]] std::vector<BackgroundTask> tasks() const;
  /// Those that run and that the listener knows of, with those whose call waits for them.
  [[nodiscard]] std::vector<BackgroundTask> running() const;
  [[nodiscard]] std::optional<BackgroundTask> find(const std::string& id) const;
  /// Of one in the background.
  [[nodiscard]] std::optional<std::string> output(const std::string& id) const;
  /// True when it has ended in time, or there is none.
  bool wait(const std::string& id, std::chrono::milliseconds timeout, const std::stop_token& stop);

 private:
  struct Entry {
    BackgroundTask task;
    Actions actions;
    bool told = false;  ///< The listener knows of it.
  };
  /// Calls `change` for a running task and tells the listener, if it knows of the task then.
  template <class F>
  bool update(const std::string& id, Change what, const F& change);
  [[nodiscard]] Entry* entry(const std::string& id) const;

  std::mutex telling_;  ///< Keeps the order of what the listener hears. Taken before `mutex_`.
  Listener listener_;   ///< Under `telling_`.
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Entry>> entries_;
};

/// An id for one run of a task, as the real CLI writes them.
[[nodiscard]] std::string make_run_id();

}  // namespace parley::agent
