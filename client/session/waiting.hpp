// Waiting with a deadline, or without one. Internal to client/.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "../../wire/error.hpp"

namespace parley::detail {

/// None for no time at all, which stands for no limit.
inline std::optional<std::chrono::steady_clock::time_point> deadline_in(
    std::chrono::milliseconds time) {
  if (time <= std::chrono::milliseconds::zero()) return std::nullopt;
  return std::chrono::steady_clock::now() + time;
}

/// False if the deadline passed first.
template <class Predicate>
bool wait(std::condition_variable& changed, std::unique_lock<std::mutex>& lock,
          std::optional<std::chrono::steady_clock::time_point> deadline, Predicate done) {
  if (deadline) return changed.wait_until(lock, *deadline, done);
  changed.wait(lock, done);
  return true;
}

inline Error closed_error() { return {ErrorCode::closed, "the session is closed"}; }

}  // namespace parley::detail
