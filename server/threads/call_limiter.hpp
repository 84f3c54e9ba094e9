// Calls that wait for one agent: a few at a time, so that one that says nothing keeps few threads
// from the others, and bounded.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>

#include "server/threads/workers.hpp"
#include "transport/loop.hpp"
#include "wire/error.hpp"

namespace parley::server {

/// Lives on the loop; the calls run on workers.
class CallLimiter : public std::enable_shared_from_this<CallLimiter> {
 public:
  CallLimiter(Loop& loop, Workers& workers) : loop_(loop), workers_(workers) {}

  /// `too_large` if too many wait already. Every call that was taken runs.
  Result<void> run(std::function<void()> call);

 private:
  void start_more();

  Loop& loop_;
  Workers& workers_;
  std::deque<std::function<void()>> waiting_;
  std::size_t running_ = 0;
};

}  // namespace parley::server
