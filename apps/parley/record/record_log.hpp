// Writes a recording: what went over the pipes of an agent CLI, as lines of JSON
// (docs/record-replay.md).
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "support/files/unique_fd.hpp"
#include "transport/transport.hpp"
#include "wire/json/json.hpp"

namespace parley::app {

/// A resource: owns the file. Every member may be called from any thread. A write that fails is
/// said once on standard error; it must not disturb what is being recorded.
class RecordLog {
 public:
  enum class Direction { in, out, err };

  /// Opens the file for one more run after those it holds; others may not read it, because
  /// conversations are private. `io` if it cannot be opened, or if somebody is writing to it.
  static Result<RecordLog> open(const std::string& path);

  RecordLog(RecordLog&& other) noexcept;
  RecordLog& operator=(RecordLog&&) = delete;

  void start(const std::vector<std::string>& command);
  /// Bytes in any portions. They are written as lines, each as soon as it is complete.
  void bytes(Direction direction, std::string_view bytes);
  /// The end of a direction: what stood without a newline is written, and that stdin was closed.
  void end(Direction direction);
  void signal(std::string_view name);
  void exit(const ExitStatus& status);

 private:
  RecordLog(UniqueFd file, std::int64_t run);
  void write_line(Direction direction, std::string_view line, bool newline);
  void write(Json event);

  std::mutex mutex_;
  UniqueFd file_;
  std::int64_t run_ = 0;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::string unfinished_[3];  ///< By direction.
  bool failed_ = false;
};

/// "SIGTERM" of 15.
[[nodiscard]] std::string signal_name(int number);

}  // namespace parley::app
