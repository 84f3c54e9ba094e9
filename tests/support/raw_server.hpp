// A TCP server on loopback that says exactly what a test wants, byte by byte. Each connection runs
// the handler on a thread of its own.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace parley::testing {

/// One accepted connection.
class Peer {
 public:
  explicit Peer(int fd) : fd_(fd) {}

  /// Head and body of the next request; empty once the client has gone.
  std::string read_request();
  /// False if the client has gone.
  bool send(const std::string& bytes);
  /// An event stream with a length, so that the connection can be used again.
  bool send_events(const std::string& events);
  /// Until the client closes its end.
  void wait_for_close();
  /// The client sees a connection that broke, not one that ended.
  void reset();

 private:
  int fd_;
  std::string buffered_;
};

class RawServer {
 public:
  using Handler = std::function<void(Peer&)>;
  explicit RawServer(Handler handler);
  ~RawServer();
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;

  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] int connections() const { return connections_; }

 private:
  void accept_all();

  Handler handler_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<int> connections_ = 0;
  std::mutex mutex_;
  std::vector<int> open_;              ///< Guarded by the mutex; closed at the end.
  std::vector<std::thread> handlers_;  ///< The accepting thread's own.
  std::thread acceptor_;
};

/// "data: ..." of one event, with its end.
std::string sse(const std::string& json);
/// A whole streamed answer that says `text`.
std::string text_answer(const std::string& text);

}  // namespace parley::testing
