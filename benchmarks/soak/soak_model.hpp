// The model of the soak: a process of its own, so that its memory is not that of the sessions.
#pragma once

#include <sys/types.h>

#include <string>

#include "support/files/unique_fd.hpp"

namespace parley::bench {

/// What a prompt asks of the model: its first word. A number follows, which the answer repeats, so
/// that every answer can be seen to belong to its question.
inline constexpr const char* kSayText = "text";
inline constexpr const char* kRunCommand = "command";  ///< Asks for permission.
inline constexpr const char* kReadFile = "read";       ///< The path follows the number.
inline constexpr const char* kCallTool = "call";       ///< One in the program of the SDK.
inline constexpr const char* kBeSlow = "slow";         ///< Begins to answer, and never ends.

/// Serves until standard input ends. Prints its URL. The exit code.
int serve_model();

/// Such a process, alive as long as this object.
class ModelProcess {
 public:
  /// `program` serves the model when it is given the argument --model.
  explicit ModelProcess(const std::string& program);
  ~ModelProcess();
  ModelProcess(const ModelProcess&) = delete;
  ModelProcess& operator=(const ModelProcess&) = delete;

  /// Empty if it did not start.
  [[nodiscard]] const std::string& url() const { return url_; }

 private:
  pid_t pid_ = -1;
  UniqueFd input_;  ///< Its standard input, which ends it.
  std::string url_;
};

}  // namespace parley::bench
