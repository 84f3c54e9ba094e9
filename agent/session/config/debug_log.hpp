// What is said on stderr, or in the file of --debug-file: stdout belongs to the protocol.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace parley::agent {

/// A line on stderr, whole.
void complain(std::string_view text);

/// Thread-safe.
class DebugLog {
 public:
  /// Says nothing.
  DebugLog() = default;
  DebugLog(bool enabled, std::optional<std::string> file)
      : enabled_(enabled), file_(std::move(file)) {}

  /// Says something if --debug was given.
  void write(std::string_view text) const;

 private:
  bool enabled_ = false;
  std::optional<std::string> file_;  ///< Instead of stderr.
};

}  // namespace parley::agent
