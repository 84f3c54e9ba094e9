// What the connections of one server share. Internal to http/.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "server.hpp"

namespace boost::asio {
class io_context;
}

namespace parley::http {

/// A connection, whatever it speaks.
class Peer {
 public:
  virtual ~Peer() = default;
  /// Ends it: at once, or as soon as what it is doing is done. From any thread.
  virtual void leave(bool at_once) = 0;
  /// Its body, which has not come to its end, has to make room for others. From any thread.
  virtual void give_up_body() {}
  /// Whether nothing would be lost if it ended now: it has not asked for anything, or has been
  /// told. From any thread.
  [[nodiscard]] virtual bool waits() const { return false; }
};

/// The memory that there is for the bodies of all requests. Only what has come counts, so that
/// announcing a body takes nothing from others; if there is no room, the one that has been on its
/// way for longest goes, so that nobody keeps others out by being slow. From any thread.
class BodyRoom {
 public:
  explicit BodyRoom(std::size_t most) : most_(most) {}

  struct Share {
    std::weak_ptr<Peer> peer;
    std::size_t bytes = 0;
    bool complete = false;  ///< Its owner works with it; it stays.
    bool lost = false;      ///< It had to make room.
  };
  /// False if there is no room, or it had to make room itself.
  bool grow(std::uint64_t number, std::size_t bytes);
  std::uint64_t add(std::weak_ptr<Peer> peer);
  void complete(std::uint64_t number);
  void remove(std::uint64_t number);

 private:
  const std::size_t most_;
  std::mutex mutex_;
  std::size_t bytes_ = 0;
  std::uint64_t added_ = 0;
  std::map<std::uint64_t, Share> shares_;  ///< The oldest first.
};

/// Keeps the connections alive until they are closed; handles that users hold may live longer.
class ServerContext {
 public:
  ServerContext(const ServerOptions& options, Handler handler);
  ~ServerContext();
  ServerContext(const ServerContext&) = delete;
  ServerContext& operator=(const ServerContext&) = delete;

  [[nodiscard]] boost::asio::io_context& io() { return *io_; }
  [[nodiscard]] const Limits& limits() const { return limits_; }
  [[nodiscard]] const Gate& gate() const { return gate_; }
  [[nodiscard]] const Handler& handler() const { return handler_; }
  [[nodiscard]] Response refusal(int status) const;
  /// What the bodies of requests take. From any thread.
  [[nodiscard]] BodyRoom& bodies() { return bodies_; }

  /// Peers that come after leave_all() are told to leave at once.
  void add(const std::shared_ptr<Peer>& peer);
  void remove(const Peer& peer);
  /// `next` takes the place of `previous`, which is the same connection by another protocol.
  void replace(const Peer& previous, const std::shared_ptr<Peer>& next);
  [[nodiscard]] std::size_t count() const;
  /// Ends the one that waits longest, for another to come. False if none does.
  bool make_room();
  [[nodiscard]] bool leaving() const;

  void leave_all(bool at_once);
  /// False if some are left when the time is over.
  bool wait_until_empty(std::chrono::milliseconds patience);
  /// Nothing runs any more, and nothing may be queued: it would never be let go.
  void set_stopped() { stopped_ = true; }
  [[nodiscard]] bool stopped() const { return stopped_; }

 private:
  const std::unique_ptr<boost::asio::io_context> io_;
  const Limits limits_;
  const Gate gate_;
  const RefusalText refusal_;
  const Handler handler_;
  BodyRoom bodies_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  struct Entry {
    std::shared_ptr<Peer> peer;
    std::uint64_t number = 0;  ///< In the order of arrival.
    bool goes = false;         ///< To make room.
  };
  std::unordered_map<const Peer*, Entry> peers_;
  std::uint64_t arrived_ = 0;
  bool leaving_ = false;
  bool at_once_ = false;
  std::atomic<bool> stopped_{false};
};

/// What one request's body takes of the memory that there is for the bodies of all.
class BodyShare {
 public:
  BodyShare() = default;
  BodyShare(std::shared_ptr<ServerContext> server, std::weak_ptr<Peer> peer)
      : server_(std::move(server)), number_(server_->bodies().add(std::move(peer))) {}
  BodyShare(BodyShare&& other) noexcept
      : server_(std::move(other.server_)), number_(std::exchange(other.number_, 0)) {}
  BodyShare& operator=(BodyShare&& other) noexcept {
    std::swap(server_, other.server_);
    std::swap(number_, other.number_);
    return *this;
  }
  ~BodyShare() {
    if (server_) server_->bodies().remove(number_);
  }

  /// False if there is not that much left for it; it keeps what it had then.
  [[nodiscard]] bool grow_to(std::size_t bytes) {
    return !server_ || server_->bodies().grow(number_, bytes);
  }
  /// All of it is there: from now on it makes no room for others.
  void complete() {
    if (server_) server_->bodies().complete(number_);
  }

 private:
  std::shared_ptr<ServerContext> server_;
  std::uint64_t number_ = 0;
};

/// An answer as the connection sees it. Like the streams of users: from any thread, and without
/// effect once it is over.
class Answer : public BodyStream {
 public:
  virtual void respond(Response response) = 0;
  /// What comes before write(), finish() and cut().
  virtual void begin(Response head, Framing framing) = 0;
  virtual void drop() = 0;
  /// The socket goes over to `next`, or `next` fails.
  virtual void hand_over(std::shared_ptr<class UpgradedSocket> next, Request request) = 0;
};
std::shared_ptr<Exchange> make_exchange(const std::shared_ptr<ServerContext>& server,
                                        std::shared_ptr<Answer> answer, Request request,
                                        BodyShare share);

/// A client that has connected.
struct Arrival {
  int fd = -1;  ///< Whoever is given the arrival takes it over.
  bool ipv6 = false;
  bool refuse = false;    ///< It gets 503 and is closed.
  bool https = false;     ///< Its bytes came through TLS.
  std::string peer = {};  ///< Address and port, if the socket itself does not know them.
};
void start_connection(const std::shared_ptr<ServerContext>& server, Arrival arrival);

/// A WebSocket that has no socket yet. Messages sent to it wait.
class UpgradedSocket : public WebSocket, public Peer {
 public:
  /// Takes over the socket `fd` of `previous`, which asked for a WebSocket with `request`.
  virtual void begin(const Peer& previous, int fd, bool ipv6, const Request& request) = 0;
  /// There will be no socket.
  virtual void fail() = 0;
};
std::shared_ptr<UpgradedSocket> make_websocket(const std::shared_ptr<ServerContext>& server,
                                               WebSocket::Handlers handlers);

}  // namespace parley::http
