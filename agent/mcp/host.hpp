// What MCP servers need of the agent around them: the way to servers that live in the client, and
// to its user.
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "../../wire/control/control.hpp"

namespace parley::agent {

/// Implementations are thread-safe.
class McpHost {
 public:
  virtual ~McpHost() = default;

  /// Passes a message on to a server in the client and waits for what the client says to it: the
  /// answer of the server, or nothing if it came without one (null).
  virtual Result<RawJson> pass(const std::string& server, const JsonRpcMessage& message,
                               const std::stop_token& stop, std::chrono::milliseconds patience,
                               const std::function<void()>& on_sent) = 0;
  /// The same without waiting.
  virtual void tell(const std::string& server, const JsonRpcMessage& message) = 0;
  /// Puts a question of a server to the user. Without anybody to ask the answer is `cancel`.
  virtual control::ElicitationReply ask_user(const control::Elicitation& question,
                                             const std::stop_token& stop) = 0;
  /// What the user was sent elsewhere for has been done.
  virtual void elicitation_complete(const std::string& server, const std::string& id) = 0;
  /// For people who look for the cause of something.
  virtual void log(std::string_view text) = 0;
};

}  // namespace parley::agent
