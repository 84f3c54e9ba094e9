// How messages reach an MCP server and come back: one implementation per kind of server, in
// transports/. What the messages mean is the connection's business.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "../../wire/mcp/mcp.hpp"

namespace parley::agent {

/// The longest message that is taken from a server; whatever is longer costs the answer it is, and
/// nothing else.
inline constexpr std::size_t kLongestMcpMessage = std::size_t{32} << 20;

/// Takes what a server says. Called on threads of the transport, one message at a time per thread.
class McpReceiver {
 public:
  virtual ~McpReceiver() = default;
  /// True if it was the answer to a request that waits for it.
  virtual bool on_message(std::string_view json) = 0;
  /// A message that was too long, by its beginning.
  virtual void on_too_long(std::string_view beginning) = 0;
  /// Nothing more will come. Called once at most, and not because of close().
  virtual void on_closed(const Error& why) = 0;
};

struct McpSendOptions {
  std::stop_token stop;
  std::chrono::milliseconds patience{30'000};
  std::function<void()> on_sent;  ///< Called when the message is on its way.
};

/// A resource. open() comes first; the rest may be called from any thread.
class ServerTransport {
 public:
  virtual ~ServerTransport() = default;

  /// Starts or reaches the server. `receiver` lives until close() has returned.
  virtual Result<void> open(McpReceiver& receiver, const McpSendOptions& options) = 0;
  /// Sends a message. Where an answer comes back on the same way, it has been handed to the
  /// receiver when this returns, or `options` did not allow to wait for it.
  virtual Result<void> send(const JsonRpcMessage& message, const McpSendOptions& options) = 0;
  /// Says something to the server that nobody answers, and waits for nothing. Where that cannot be
  /// done it does nothing and returns false: send() is for that.
  virtual bool tell(const JsonRpcMessage& /*message*/) { return false; }
  /// The handshake is done, with this revision of the protocol.
  virtual void established(const std::string& /*protocol_version*/) {}
  /// Ends the server, or leaves it. Nothing is received any more when it returns.
  virtual void close() = 0;
};

}  // namespace parley::agent
