// Where messages for the client go. The session's own is stdout (output.hpp); a subagent's stamps
// them with the call that it works for and passes them on; a test's keeps them.
#pragma once

#include "../../wire/messages/messages.hpp"

namespace parley::agent {

/// Implementations are thread-safe: messages leave in the order of the calls.
class MessageSink {
 public:
  virtual ~MessageSink() = default;
  /// Sends a message; what it needs of ids is filled in on its way.
  virtual void send(Message message) = 0;
};

}  // namespace parley::agent
