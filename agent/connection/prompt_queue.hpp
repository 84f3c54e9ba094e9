// The prompts that wait: which of them the next turn takes, which the running turn answers as well,
// and which were seen before.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "../../wire/messages/messages.hpp"

namespace parley::agent {

/// Thread-safe.
class PromptQueue {
 public:
  /// Queues a prompt. False if its uuid was seen before: it is not run again. `on_queued` is
  /// called before a turn can take it: what it says comes before what the turn says.
  bool push(UserMessage prompt, const std::function<void()>& on_queued = {});
  /// No more prompts will come.
  void close();
  /// Something is going on that will end in a prompt: closed or not, it is waited for.
  void hold_open();
  /// It has ended, with or without one.
  void release();
  /// Ends a wait at once, whatever is queued.
  void abandon();

  /// What the next turn answers; waits for it. A prompt that comes while nothing runs is a turn of
  /// its own; what has piled up meanwhile becomes one turn together, by priority. Empty: closed and
  /// nothing left, or what was expected did not come within `patience`. From now on a turn is
  /// running.
  std::vector<UserMessage> next(std::optional<std::chrono::milliseconds> patience = {});
  /// The running turn begins with its tools: what arrives from now on it answers as well.
  void tools_started();
  /// What has arrived since then.
  std::vector<UserMessage> take_for_running_turn();
  /// Withdraws one that still waits.
  bool cancel(const std::string& uuid);
  /// Uuids of what still waits; with `withdraw` it is gone.
  std::vector<std::string> waiting(bool withdraw = false);
  [[nodiscard]] std::size_t size() const;

  /// Ids of an earlier run of this session, not to be run again.
  void mark_seen(const std::set<std::string>& uuids);

 private:
  /// A prompt that waits. What is to become of it stands beside it, because those before it may be
  /// withdrawn.
  struct Waiting {
    UserMessage prompt;
    bool alone = false;         ///< It came while idle, as the first: a turn of its own.
    bool before_tools = false;  ///< The running turn began with its tools after it came.
  };
  static int rank(const Waiting& waiting);
  std::vector<UserMessage> take();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> queue_;
  std::set<std::string> seen_;
  bool idle_ = true;  ///< No turn runs.
  bool closed_ = false;
  int held_open_ = 0;
  bool abandoned_ = false;
};

}  // namespace parley::agent
