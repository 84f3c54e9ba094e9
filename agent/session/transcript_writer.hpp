// What is written down of a conversation. A session's own goes to its file (transcript.hpp), a
// subagent's to a file beside it, a test's into a list.
#pragma once

#include <string>

#include "../../wire/json/json.hpp"

namespace parley::agent {

/// Implementations are thread-safe: lines are written in the order of the calls.
class TranscriptWriter {
 public:
  virtual ~TranscriptWriter() = default;
  /// Where it is, or would be.
  [[nodiscard]] virtual std::string path() const = 0;
  /// Appends one line of the conversation; the rest of its members is filled in. `uuid` may be
  /// empty. The uuid it has.
  virtual std::string add(Json line) = 0;
  /// Appends a line beside the conversation.
  virtual void note(Json line) = 0;
  /// To the disk, at the end of a turn.
  virtual void sync() = 0;
};

}  // namespace parley::agent
