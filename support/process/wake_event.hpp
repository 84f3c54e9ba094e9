// Wakes a thread that waits in poll(). Internal to Parley.
#pragma once

#include "../files/unique_fd.hpp"

namespace parley {

/// A resource. set() may be called from any thread and in a signal handler.
class WakeEvent {
 public:
  /// Not valid, with errno set, if the system has no more.
  WakeEvent();

  [[nodiscard]] bool valid() const { return fd_.valid(); }
  /// Readable while it is set.
  [[nodiscard]] int fd() const { return fd_.get(); }
  void set() const;
  void clear() const;

 private:
  UniqueFd fd_;
};

}  // namespace parley
