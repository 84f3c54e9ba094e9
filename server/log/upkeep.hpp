// Work on the logs that nobody waits for (compacting, saving what is known), a little at a time.
// When many turns end together it would otherwise stand before the events of all other sessions.
//
// Thread rule: all of it on one loop.
#pragma once

#include <deque>
#include <functional>
#include <optional>

#include "transport/loop.hpp"

namespace parley::server {

class Upkeep {
 public:
  explicit Upkeep(Loop& loop) : loop_(loop) {}
  Upkeep(const Upkeep&) = delete;
  Upkeep& operator=(const Upkeep&) = delete;

  /// Runs the task in a while, after those added before. Never, if stop() comes first: a task must
  /// be something that can be left undone.
  void add(std::function<void()> task);
  void stop();

 private:
  void schedule();
  void run_some();

  Loop& loop_;
  std::deque<std::function<void()>> tasks_;
  std::optional<Loop::TimerId> timer_;
  bool stopped_ = false;
};

}  // namespace parley::server
