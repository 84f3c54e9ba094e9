// One client over WebSocket: text messages both ways, each side bounded. Reading, timers and the
// end happen on the connection's strand; sending on whatever thread sends.
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <cerrno>
#include <vector>

#include "http/server_context.hpp"
#include "http/socket_writer.hpp"
#include "http/websocket_frames.hpp"

namespace parley::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using ErrorNumber = boost::system::error_code;

/// For the client's goodbye after ours.
constexpr std::chrono::seconds kGoodbyeTime{5};
/// For hanging up after both.
constexpr std::chrono::seconds kHangUpTime{1};
constexpr std::size_t kFrameBufferBytes = std::size_t{64} << 10;

std::string handshake_answer(const Request& request, const std::string& protocol) {
  std::string answer =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Accept: " +
      accept_key(request.headers.get("Sec-WebSocket-Key")) + "\r\n";
  if (!protocol.empty()) answer += "Sec-WebSocket-Protocol: " + protocol + "\r\n";
  return answer + "\r\n";
}

class WebSocketSession final : public UpgradedSocket,
                               public std::enable_shared_from_this<WebSocketSession> {
 public:
  WebSocketSession(std::shared_ptr<ServerContext> server, Handlers handlers)
      : server_(std::move(server)),
        strand_(asio::make_strand(server_->io())),
        socket_(strand_),
        silence_(strand_),
        patience_(strand_),
        frames_(server_->limits().message),
        handlers_(std::move(handlers)) {}

  void begin(const Peer& previous, int fd, bool ipv6, const Request& request) override {
    server_->replace(previous, shared_from_this());
    asio::post(strand_, [self = shared_from_this(), fd, ipv6,
                         answer = handshake_answer(request, handlers_.protocol)] {
      // It may have been ended before it began.
      if (self->phase_ == Phase::ended) {
        ::close(fd);
      } else {
        self->accept(fd, ipv6, answer);
      }
    });
  }

  void fail() override {
    post([self = shared_from_this()](WebSocketSession&) { self->end(close_code::kAbnormal, ""); });
  }

  void leave(bool at_once) override {
    if (!at_once) return close(close_code::kGoingAway, "the server stops");
    post([](WebSocketSession& self) { self.end(close_code::kAbnormal, "the server stops"); });
  }

  void send(std::string_view text) override {
    if (!open_) return;
    if (writer_.waiting() + text.size() > server_->limits().unsent) {
      open_ = false;
      // No close frame: it would wait behind everything that the client does not read.
      return post([](WebSocketSession& self) {
        self.end(close_code::kAbnormal, "the client reads too slowly");
      });
    }
    see_to(writer_.send(frame_head(Opcode::text, text.size()), text));
  }

  void close(std::uint16_t code, std::string reason) override {
    if (!open_.exchange(false)) return;
    see_to(writer_.send_last(close_frame(code, reason)));
    post([code, reason = std::move(reason)](WebSocketSession& self) mutable {
      if (self.phase_ == Phase::open) self.say_goodbye(Phase::leaving, code, std::move(reason));
    });
  }

  [[nodiscard]] std::size_t unsent() const override { return writer_.waiting(); }
  [[nodiscard]] bool open() const override { return open_; }

  void pause() override {
    dispatch([](WebSocketSession& self) { self.paused_ = true; });
  }
  void resume() override {
    dispatch([](WebSocketSession& self) {
      self.paused_ = false;
      self.hear();
    });
  }

 private:
  enum class Phase {
    open,
    leaving,  ///< We said goodbye first; the client has not yet.
    parting,  ///< Nothing is left to say. The client is to hang up.
    ended,
  };

  template <class F>
  auto task_for_strand(F task) {
    return [weak = weak_from_this(), task = std::move(task)]() mutable {
      if (const auto self = weak.lock(); self && self->phase_ != Phase::ended) task(*self);
    };
  }
  template <class F>
  void post(F task) {
    if (!server_->stopped()) asio::post(strand_, task_for_strand(std::move(task)));
  }
  /// At once, if this is the strand already.
  template <class F>
  void dispatch(F task) {
    if (!server_->stopped()) asio::dispatch(strand_, task_for_strand(std::move(task)));
  }
  /// For operations of the socket and timers.
  template <class F>
  auto handler(F then) {
    return [weak = weak_from_this(), then = std::move(then)](ErrorNumber error) {
      const auto self = weak.lock();
      if (self && self->phase_ != Phase::ended) then(*self, error);
    };
  }

  void accept(int fd, bool ipv6, const std::string& answer) {
    ErrorNumber error;
    socket_.assign(ipv6 ? tcp::v6() : tcp::v4(), fd, error);
    if (error) return end(close_code::kAbnormal, error.message());
    if (writer_.attach(fd, answer) != SocketWriter::State::empty) wait_to_flush();
    watch_silence();
    wait_to_read();
  }

  // ---- sending ----

  /// From any thread: has somebody see to what is left of a message.
  void see_to(SocketWriter::State state) {
    if (state == SocketWriter::State::filled) {
      post([](WebSocketSession& self) { self.wait_to_flush(); });
    } else if (state == SocketWriter::State::broken) {
      post([](WebSocketSession& self) { self.on_gone(); });
    }
  }

  void wait_to_flush() {
    socket_.async_wait(tcp::socket::wait_write,
                       handler([](WebSocketSession& self, ErrorNumber) { self.flush(); }));
  }

  void flush() {
    switch (writer_.flush()) {
      case SocketWriter::State::empty:
        if (open_ && handlers_.on_drained) handlers_.on_drained();
        return on_all_said();
      case SocketWriter::State::broken: return on_gone();
      default: return wait_to_flush();
    }
  }

  /// Waits for the client's part of a goodbye once our own has left.
  void on_all_said() {
    if (phase_ == Phase::leaving) wait_for_end(kGoodbyeTime);
    if (phase_ == Phase::parting) {
      ErrorNumber ignored;
      socket_.shutdown(tcp::socket::shutdown_send, ignored);
    }
  }

  // ---- receiving ----

  void wait_to_read() {
    if (reading_ || paused_ || phase_ == Phase::ended) return;
    reading_ = true;
    socket_.async_wait(tcp::socket::wait_read, handler([](WebSocketSession& self, ErrorNumber) {
                         self.reading_ = false;
                         self.read();
                       }));
  }

  void read() {
    // One for all that share the thread: it is empty again before the next one reads. Not an array,
    // which every thread of the program would have, also those that never read.
    static thread_local std::vector<char> buffer(kFrameBufferBytes);
    const ssize_t count =
        ::recv(socket_.native_handle(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) return on_gone();
    if (count > 0) {
      heard_ = true;
      frames_.push({buffer.data(), static_cast<std::size_t>(count)});
    }
    hear();
  }

  /// Hears what is complete of what was read.
  void hear() {
    if (hearing_) return;  // a handler has resumed what was never paused
    hearing_ = true;
    const auto self = shared_from_this();  // handlers may let go of it
    while (!paused_ && phase_ != Phase::ended) {
      auto said = frames_.next();
      if (!said) break;
      on_said(*std::move(said));
    }
    hearing_ = false;
    wait_to_read();
  }

  void on_said(Said said) {
    switch (said.kind) {
      case Said::Kind::text:
        // What comes after this side has said goodbye is read, so that the goodbye can be answered,
        // but nobody waits for it any more.
        if (open_ && handlers_.on_message) handlers_.on_message(std::move(said.payload));
        return;
      case Said::Kind::ping: return control(Opcode::pong, said.payload);
      case Said::Kind::pong: return;
      case Said::Kind::close:
        if (phase_ != Phase::open) return say_goodbye(Phase::parting, code_, std::move(reason_));
        open_ = false;
        see_to(writer_.send_last(close_frame(said.code, said.payload)));
        return say_goodbye(Phase::parting, said.code, std::move(said.payload));
      case Said::Kind::broken:
        open_ = false;
        see_to(writer_.send_last(close_frame(said.code, said.payload)));
        return say_goodbye(Phase::parting, said.code, std::move(said.payload));
    }
  }

  void control(Opcode opcode, std::string_view payload) {
    if (writer_.waiting() + payload.size() > server_->limits().unsent) return on_gone();
    see_to(writer_.send(frame_head(opcode, payload.size()), payload));
  }

  /// A client that says nothing is asked whether it is there, and then given up.
  void watch_silence() {
    silence_.expires_after(server_->limits().websocket_idle_time / 2);
    silence_.async_wait(handler([](WebSocketSession& self, ErrorNumber cancelled) {
      if (cancelled) return;
      if (std::exchange(self.heard_, false) || self.paused_) {
        self.asked_ = false;
      } else if (std::exchange(self.asked_, true)) {
        return self.end(close_code::kAbnormal, "the client is silent");
      } else {
        self.control(Opcode::ping, {});
      }
      self.watch_silence();
    }));
  }

  // ---- the end ----

  /// Our close frame is on its way, or has left.
  void say_goodbye(Phase phase, std::uint16_t code, std::string reason) {
    phase_ = phase;
    code_ = code;
    reason_ = std::move(reason);
    if (phase == Phase::parting) wait_for_end(kHangUpTime);
    if (writer_.waiting() == 0) on_all_said();
  }

  void wait_for_end(std::chrono::seconds time) {
    patience_.expires_after(time);
    patience_.async_wait(handler([](WebSocketSession& self, ErrorNumber cancelled) {
      if (!cancelled) self.end(self.code_, self.reason_);
    }));
  }

  /// The connection is no more. That is as it should be after both goodbyes only.
  void on_gone() {
    if (phase_ == Phase::parting) return end(code_, reason_);
    end(close_code::kAbnormal, "the connection was lost");
  }

  void end(std::uint16_t code, const std::string& reason) {
    if (phase_ == Phase::ended) return;
    const auto self = shared_from_this();
    phase_ = Phase::ended;
    open_ = false;
    server_->remove(*this);  // before anybody can see the end
    writer_.detach();        // before the number of the descriptor can live again
    ErrorNumber ignored;
    socket_.close(ignored);
    silence_.cancel();
    patience_.cancel();
    const auto on_close = std::move(handlers_.on_close);
    handlers_ = {};
    if (on_close) on_close(code, reason);
  }

  const std::shared_ptr<ServerContext> server_;  // first, so that it goes last
  const asio::strand<asio::io_context::executor_type> strand_;
  tcp::socket socket_;
  asio::steady_timer silence_;
  asio::steady_timer patience_;
  FrameReader frames_;
  Handlers handlers_;
  SocketWriter writer_;
  std::atomic<bool> open_{true};
  Phase phase_ = Phase::open;
  std::uint16_t code_ = 0;  ///< Why it ends, once that is known.
  std::string reason_;
  bool reading_ = false;
  bool hearing_ = false;
  bool paused_ = false;
  bool heard_ = false;  ///< Since the last look.
  bool asked_ = false;  ///< Whether it is there.
};

}  // namespace

std::shared_ptr<UpgradedSocket> make_websocket(const std::shared_ptr<ServerContext>& server,
                                               WebSocket::Handlers handlers) {
  return std::make_shared<WebSocketSession>(server, std::move(handlers));
}

}  // namespace parley::http
