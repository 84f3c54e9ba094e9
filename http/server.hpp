// A small HTTP/1.1 and WebSocket server. What it is built on stays inside its .cpp files.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "../wire/error.hpp"
#include "exchange.hpp"

namespace parley::http {

/// What a client may take. A client that goes beyond gets a plain status and is sent away.
struct Limits {
  /// At a time. For more, those go that ask for nothing; if there are none, the new one gets 503.
  std::size_t connections = 1024;
  std::size_t header = 16 * 1024;      ///< Bytes of request line and header fields; more get 431.
  std::size_t body = 8 * 1024 * 1024;  ///< Bytes of a request's body; more get 413.
  /// So many times `body` is what the bodies of all clients may take at a time, as far as they have
  /// come. For more, the one goes that has been on its way for longest (408); if there is none, the
  /// new one gets 503.
  std::size_t bodies = 8;
  std::size_t message = 8 * 1024 * 1024;          ///< Bytes of a WebSocket message; more get 1009.
  std::size_t unsent = 16 * 1024 * 1024;          ///< Bytes that wait for a slow client.
  std::chrono::milliseconds header_time{10'000};  ///< From first to last byte of the header; 408.
  std::chrono::milliseconds body_time{60'000};    ///< For the whole body; 408.
  std::chrono::milliseconds idle_time{75'000};    ///< Between requests; then it is closed.
  std::chrono::milliseconds write_time{30'000};   ///< Without one byte taken by the client.
  /// A WebSocket that says nothing is asked with a ping after half of this and ended after all.
  std::chrono::milliseconds websocket_idle_time{60'000};
};

/// Sees each request when its header is complete, before anything of the body is read or asked for
/// ("100 Continue"). If it has an answer, that is sent instead of calling the handler, and a client
/// with a body is sent away. Must not block.
using Gate = std::function<std::optional<Response>(const Request&)>;
/// What a client is told whom the server itself refuses.
using RefusalText = std::function<Response(int status)>;

struct ServerOptions {
  std::string host = "127.0.0.1";  ///< An address, not a name.
  std::uint16_t port = 0;          ///< 0: any free one.
  Limits limits;
  int threads = 1;
  Gate gate;            ///< None: everything comes to the handler.
  RefusalText refusal;  ///< None: the name of the status as plain text.
  /// PEM files. With them the server speaks TLS and nothing else; renewed ones are taken up.
  std::string certificate_file, key_file;
};

/// A resource: listens from start() to stop() or the end of its life.
class Server {
 public:
  /// Listens. `handler` is called for each request on a thread of the server; it must not block,
  /// but may keep the exchange and answer later, from any thread. A handler that throws is a 500.
  static Result<std::unique_ptr<Server>> start(const ServerOptions& options, Handler handler);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  /// "http://127.0.0.1:8080", or "https://..."; for a server on all addresses that of loopback.
  [[nodiscard]] std::string url() const;
  /// Connections that are open now.
  [[nodiscard]] std::size_t connections() const;

  /// Takes no more connections, closes those that wait for a request, tells WebSockets to go
  /// (1001), gives running answers up to `grace` to end, closes the rest, and returns when nothing
  /// of the server runs any more. Not from a callback. A second call does nothing.
  void stop(std::chrono::milliseconds grace = std::chrono::milliseconds(0));

 private:
  struct Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace parley::http
