// What a handler holds: a request and the right to answer it, in one of three ways: a response, a
// stream, a WebSocket. Interfaces, so that handlers can be tested without a socket.
//
// Thread rule for all of them: every function may be called from any thread; callbacks run on the
// server's thread, one at a time per connection, and must not block.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "../wire/error.hpp"
#include "message.hpp"

namespace parley::http {

/// The body of an answer that is written piece by piece.
class BodyStream {
 public:
  virtual ~BodyStream() = default;

  /// Queues bytes; no-op when the stream is over. Whoever writes faster than the client reads sees
  /// it in unsent(); beyond `Limits::unsent` the connection is closed.
  virtual void write(std::string bytes) = 0;
  /// Ends the body properly, after what is queued.
  virtual void finish() = 0;
  /// Ends the connection after what is queued, without a proper end of the body.
  virtual void cut() = 0;
  /// Bytes that were queued and have not left for the client.
  [[nodiscard]] virtual std::size_t unsent() const = 0;
  /// False once the stream was finished or cut, or the client has gone.
  [[nodiscard]] virtual bool open() const = 0;

  /// Called each time everything queued has been sent. At most one; set before the first write.
  virtual void on_drained(std::function<void()> callback) = 0;
  /// Called once if the client goes away before the end, also if it only ends its sending side:
  /// TCP does not show the difference.
  virtual void on_gone(std::function<void()> callback) = 0;
  /// Calls `task` after the delay, unless the stream is over by then.
  virtual void after(std::chrono::milliseconds delay, std::function<void()> task) = 0;
};

/// How a client learns that a streamed body is over.
enum class Framing {
  chunked,      ///< Chunked coding; the connection can be used again. For HTTP/1.0 as the next one.
  until_close,  ///< The connection is closed.
};

/// A WebSocket. Text messages only; others end it with code 1003. Letting go of it does not end it.
class WebSocket {
 public:
  struct Handlers {
    /// A complete message. The next one is read when this has returned.
    std::function<void(std::string)> on_message;
    /// Called once, however it ended. 1006: without a proper end.
    std::function<void(std::uint16_t code, const std::string& reason)> on_close;
    /// Called each time the last of what had to wait has been sent.
    std::function<void()> on_drained;
    /// Of the subprotocols that the client has offered, the one that is spoken; empty for none.
    std::string protocol;
  };

  virtual ~WebSocket() = default;

  /// Sends a message, or has it wait; no-op when it is over. A client that reads so slowly that
  /// more than `Limits::unsent` bytes wait is sent away.
  virtual void send(std::string_view text) = 0;
  /// Ends it, after what is queued.
  virtual void close(std::uint16_t code, std::string reason) = 0;
  [[nodiscard]] virtual std::size_t unsent() const = 0;
  [[nodiscard]] virtual bool open() const = 0;
  /// Stops and restarts reading: the client is held back by TCP. Pings go unanswered meanwhile.
  virtual void pause() = 0;
  virtual void resume() = 0;
};

/// One request. It is answered exactly once: a second answer throws std::logic_error, and if the
/// last owner lets go without any, the client gets a 500.
class Exchange {
 public:
  virtual ~Exchange() = default;

  [[nodiscard]] virtual const Request& request() const = 0;
  /// Sends all of it. Content-Length and Connection are written by the server. Throws
  /// std::invalid_argument for headers that cannot be sent.
  virtual void respond(Response response) = 0;
  /// Begins a streamed answer; `head.body` is its first piece.
  virtual std::shared_ptr<BodyStream> stream(Response head, Framing framing) = 0;
  /// Becomes a WebSocket. An error if the request is no proper handshake; it can be answered
  /// otherwise then. Messages may be sent at once.
  virtual Result<std::shared_ptr<WebSocket>> upgrade(WebSocket::Handlers handlers) = 0;
  /// Closes the connection without an answer.
  virtual void drop() = 0;
  /// Calls `task` after the delay, unless the client has gone or the answer is complete by then.
  virtual void after(std::chrono::milliseconds delay, std::function<void()> task) = 0;
};

using Handler = std::function<void(std::shared_ptr<Exchange>)>;

}  // namespace parley::http
