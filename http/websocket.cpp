// One client over WebSocket: text messages both ways, each side bounded.
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <deque>
#include <optional>

#include "http/site.hpp"

namespace parley::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using ErrorNumber = beast::error_code;

/// For the handshake at the beginning and the one at the end.
constexpr std::chrono::seconds kHandshakeTime{5};
constexpr std::chrono::seconds kFarewellTime{1};
constexpr std::size_t kMostReason = 120;  // a close frame has room for 123 bytes

/// As much of the text as fits into a close frame, in whole characters.
std::string fitting(const std::string& reason) {
  std::size_t size = std::min(reason.size(), kMostReason);
  const auto within = [&](std::size_t at) { return (reason[at] & '\xc0') == '\x80'; };
  while (size > 0 && size < reason.size() && within(size)) --size;
  return reason.substr(0, size);
}

class WebSocketSession final : public UpgradedSocket,
                               public std::enable_shared_from_this<WebSocketSession> {
 public:
  WebSocketSession(std::shared_ptr<Site> site, Handlers handlers)
      : site_(std::move(site)),
        strand_(asio::make_strand(site_->io())),
        socket_(std::in_place, strand_),
        farewell_(strand_),
        handlers_(std::move(handlers)) {}

  void begin(const Peer& previous, int fd, bool ipv6, const Request& request) override {
    site_->replace(previous, shared_from_this());
    post([fd, ipv6, request](WebSocketSession& self) { self.accept(fd, ipv6, request); });
  }

  void fail() override {
    post([self = shared_from_this()](WebSocketSession&) { self->end(1006, ""); });
  }

  void leave(bool at_once) override {
    if (!at_once) return close(1001, "the server stops");
    post([](WebSocketSession& self) { self.end(1006, "the server stops"); });
  }

  void send(std::string text) override {
    if (!open_) return;
    if ((unsent_ += text.size()) > site_->limits().unsent) {
      open_ = false;
      // No close frame: it would wait behind everything that the client does not read.
      return post([](WebSocketSession& self) { self.end(1006, "the client reads too slowly"); });
    }
    post([text = std::move(text)](WebSocketSession& self) mutable {
      self.output_.push_back(std::move(text));
      self.write();
    });
  }

  void close(std::uint16_t code, std::string reason) override {
    if (!open_.exchange(false)) return;
    post([code, reason = std::move(reason)](WebSocketSession& self) {
      self.closing_ =
          websocket::close_reason(static_cast<websocket::close_code>(code), fitting(reason));
      self.write();
    });
  }

  [[nodiscard]] std::size_t unsent() const override { return unsent_; }
  [[nodiscard]] bool open() const override { return open_; }

  void pause() override {
    post([](WebSocketSession& self) { self.paused_ = true; });
  }
  void resume() override {
    post([](WebSocketSession& self) {
      self.paused_ = false;
      self.read();
    });
  }

 private:
  template <class F>
  void post(F task) {
    if (site_->stopped()) return;
    asio::post(strand_, [weak = weak_from_this(), task = std::move(task)]() mutable {
      if (const auto self = weak.lock(); self && !self->ended_) task(*self);
    });
  }

  void accept(int fd, bool ipv6, const Request& request) {
    ErrorNumber error;
    socket_->next_layer().assign(ipv6 ? tcp::v6() : tcp::v4(), fd, error);
    if (error) return end(1006, error.message());
    websocket::stream_base::timeout times{};
    times.handshake_timeout = kHandshakeTime;
    times.idle_timeout = site_->limits().websocket_idle_time;
    times.keep_alive_pings = true;
    socket_->set_option(times);
    socket_->auto_fragment(false);
    socket_->read_message_max(site_->limits().message);
    socket_->control_callback([this](websocket::frame_type kind, beast::string_view) {
      if (kind == websocket::frame_type::close) on_farewell();
    });
    for (const auto& [name, value] : request.headers.fields()) handshake_.insert(name, value);
    handshake_.method(beast::http::verb::get);
    handshake_.target(request.target);
    handshake_.version(request.http_1_0 ? 10 : 11);
    socket_->async_accept(handshake_, [weak = weak_from_this()](ErrorNumber failed) {
      const auto self = weak.lock();
      if (!self || self->ended_) return;
      if (failed) return self->end(1006, failed.message());
      self->ready_ = true;
      self->handshake_ = {};
      self->read();
      self->write();
    });
  }

  /// Both sides have said goodbye, or are about to. Whoever then does not hang up is hung up on.
  void on_farewell() {
    const auto reason = socket_->reason();
    farewell_.expires_after(kFarewellTime);
    farewell_.async_wait([weak = weak_from_this(), reason](ErrorNumber cancelled) {
      const auto self = weak.lock();
      if (self && !cancelled) self->end(reason.code, {reason.reason.data(), reason.reason.size()});
    });
  }

  void read() {
    if (!ready_ || reading_ || paused_ || ended_) return;
    reading_ = true;
    socket_->async_read(input_, [weak = weak_from_this()](ErrorNumber error, std::size_t) {
      if (const auto self = weak.lock()) self->on_read(error);
    });
  }

  void on_read(ErrorNumber error) {
    reading_ = false;
    if (ended_) return;
    if (error) return on_read_end(error);
    if (!socket_->got_text()) {
      input_.clear();
      close(1003, "text messages only");
      return read();
    }
    std::string text = beast::buffers_to_string(input_.data());
    input_.clear();
    // What comes after this side has said goodbye is read, so that the goodbye can be answered,
    // but nobody waits for it any more.
    if (open_ && handlers_.on_message) handlers_.on_message(std::move(text));
    read();
  }

  void on_read_end(ErrorNumber error) {
    if (error == websocket::error::closed) {
      const auto& reason = socket_->reason();
      return end(reason.code, std::string(reason.reason.data(), reason.reason.size()));
    }
    end(error == websocket::error::message_too_big ? websocket::close_code::too_big
                                                   : websocket::close_code::abnormal,
        error.message());
  }

  /// Sends the next message, or the goodbye behind the last.
  void write() {
    if (!ready_ || writing_ || ended_) return;
    if (output_.empty()) {
      if (closing_) say_goodbye();
      return;
    }
    writing_ = true;
    socket_->text(true);
    socket_->async_write(asio::buffer(output_.front()),
                         [weak = weak_from_this()](ErrorNumber error, std::size_t) {
                           const auto self = weak.lock();
                           if (!self || self->ended_) return;
                           self->writing_ = false;
                           if (error) return self->end(1006, error.message());
                           self->unsent_ -= self->output_.front().size();
                           self->output_.pop_front();
                           if (self->output_.empty() && self->open_ && self->handlers_.on_drained) {
                             self->handlers_.on_drained();
                           }
                           self->write();
                         });
  }

  void say_goodbye() {
    writing_ = true;
    const websocket::close_reason reason = *closing_;
    socket_->async_close(reason, [weak = weak_from_this(), reason](ErrorNumber) {
      const auto self = weak.lock();
      if (self) self->end(reason.code, std::string(reason.reason.data(), reason.reason.size()));
    });
  }

  void end(std::uint16_t code, const std::string& reason) {
    if (ended_) return;
    const auto self = shared_from_this();
    ended_ = true;
    open_ = false;
    site_->remove(*this);  // before anybody can see the end
    ErrorNumber ignored;
    beast::get_lowest_layer(*socket_).close(ignored);
    farewell_.cancel();
    socket_.reset();  // and with it its timers; users may hold on to this object
    const auto on_close = std::move(handlers_.on_close);
    handlers_ = {};
    if (on_close) on_close(code, reason);
  }

  const std::shared_ptr<Site> site_;  // first, so that it goes last
  const asio::strand<asio::io_context::executor_type> strand_;
  std::optional<websocket::stream<tcp::socket>> socket_;  ///< Empty once it ended.
  asio::steady_timer farewell_;
  Handlers handlers_;
  beast::http::request<beast::http::empty_body> handshake_;
  beast::flat_buffer input_;
  std::deque<std::string> output_;
  std::optional<websocket::close_reason> closing_;
  std::atomic<std::size_t> unsent_{0};
  std::atomic<bool> open_{true};
  bool ready_ = false;
  bool reading_ = false;
  bool writing_ = false;
  bool paused_ = false;
  bool ended_ = false;
};

}  // namespace

std::shared_ptr<UpgradedSocket> make_websocket(const std::shared_ptr<Site>& site,
                                               WebSocket::Handlers handlers) {
  return std::make_shared<WebSocketSession>(site, std::move(handlers));
}

}  // namespace parley::http
