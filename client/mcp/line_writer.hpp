// Writes whole lines to a descriptor, from any thread. Internal to client/.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "../../support/process/wake_event.hpp"

namespace parley::detail {

/// Lines never mix, and a reader that does not read holds up the writers: that is the pressure it
/// should feel. Once `end` is set, which happens by itself when the reader is gone, whoever waits
/// and whoever comes is sent away.
class LineWriter {
 public:
  /// Neither owns the descriptor nor closes it.
  explicit LineWriter(int fd) : fd_(fd) {}

  /// Valid, unless the system has no more of them.
  [[nodiscard]] const WakeEvent& end() const { return end_; }
  /// `line` without its end. Dropped after the end.
  void write(std::string line);
  /// The descriptor is not used after this returns.
  void close();
  /// The error number, if it was the descriptor that ended it.
  [[nodiscard]] std::optional<int> failure();

 private:
  [[nodiscard]] bool write_all_of(std::string_view bytes);

  const int fd_;
  WakeEvent end_;
  std::mutex mutex_;
  bool closed_ = false;
  std::optional<int> failure_;
};

}  // namespace parley::detail
