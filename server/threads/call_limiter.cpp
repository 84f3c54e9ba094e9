#include "server/threads/call_limiter.hpp"

#include <utility>

namespace parley::server {
namespace {

constexpr std::size_t kAtOnce = 4;
constexpr std::size_t kMostWaiting = 100;

}  // namespace

Result<void> CallLimiter::run(std::function<void()> call) {
  if (waiting_.size() >= kMostWaiting) {
    return Error(ErrorCode::too_large, "too many requests wait for the agent already");
  }
  waiting_.push_back(std::move(call));
  start_more();
  return {};
}

void CallLimiter::start_more() {
  for (; running_ < kAtOnce && !waiting_.empty(); waiting_.pop_front()) {
    ++running_;
    workers_.run([self = shared_from_this(), call = std::move(waiting_.front())] {
      call();
      self->loop_.post([self] {
        --self->running_;
        self->start_more();
      });
    });
  }
}

}  // namespace parley::server
