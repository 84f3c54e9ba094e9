// A value that several threads use, behind a lock of its own.
#pragma once

#include <mutex>
#include <utility>

namespace parley::agent {

/// Thread-safe.
template <class T>
class Guarded {
 public:
  Guarded() = default;
  explicit Guarded(T value) : value_(std::move(value)) {}

  [[nodiscard]] T copy() const {
    const std::lock_guard lock(mutex_);
    return value_;
  }
  void set(T value) {
    const std::lock_guard lock(mutex_);
    value_ = std::move(value);
  }
  /// `change` is called with the value, and holds the lock: it is quick and waits for nobody.
  template <class F>
  void change(const F& change) {
    const std::lock_guard lock(mutex_);
    change(value_);
  }

 private:
  mutable std::mutex mutex_;
  T value_{};
};

}  // namespace parley::agent
