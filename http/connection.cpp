// One client over HTTP: requests in order, one answer each. Everything runs on the connection's
// strand; the handles that users hold post to it.
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/write.hpp>
#include <cstdio>
#include <set>

#include "http/request_parser.hpp"
#include "http/server_context.hpp"

namespace parley::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using ErrorNumber = boost::system::error_code;
using Milliseconds = std::chrono::milliseconds;
using Task = std::function<void()>;

constexpr std::size_t kReadAtOnce = 16 * 1024;
/// How long, and for how many bytes, a client that was refused may go on sending: closing on unread
/// bytes would make its system throw away our answer.
constexpr Milliseconds kLingerTime{2'000};
constexpr std::size_t kLingerBytes = 16 * 1024 * 1024;

std::string head_text(const Response& response) {
  std::string text = "HTTP/1.1 " + std::to_string(response.status) + " ";
  text += reason_phrase(response.status);
  text += "\r\n";
  for (const auto& [name, value] : response.headers.fields()) {
    text.append(name).append(": ").append(value).append("\r\n");
  }
  return text + "\r\n";
}

std::string chunk(std::string_view bytes) {
  std::array<char, 20> size{};
  std::snprintf(size.data(), size.size(), "%zx\r\n", bytes.size());
  std::string text(size.data());
  text.append(bytes).append("\r\n");
  return text;
}

/// Statuses whose answers have no body, whatever the handler says.
bool is_bodiless(int status) { return status < 200 || status == 204 || status == 304; }

class ConnectionAnswer;

class Connection final : public Peer, public std::enable_shared_from_this<Connection> {
 public:
  Connection(std::shared_ptr<ServerContext> server, Arrival arrival)
      : server_(std::move(server)),
        ipv6_(arrival.ipv6),
        https_(arrival.https),
        socket_(asio::make_strand(server_->io()), ipv6_ ? tcp::v6() : tcp::v4(), arrival.fd),
        deadline_(socket_.get_executor()),
        parser_(server_->limits().header, server_->limits().body),
        peer_(std::move(arrival.peer)) {}

  void start(bool refuse) {
    post([refuse](Connection& self) {
      ErrorNumber ignored;
      self.socket_.set_option(tcp::no_delay(true), ignored);
      const auto peer = self.socket_.remote_endpoint(ignored);
      if (!ignored) self.peer_ = peer.address().to_string() + ":" + std::to_string(peer.port());
      if (refuse) return self.refuse(503);
      self.set_deadline(self.server_->limits().header_time);
      self.read();
    });
  }

  void leave(bool at_once) override {
    post([at_once](Connection& self) {
      self.leaving_ = true;
      if (at_once || self.phase_ == Phase::lingering ||
          (self.phase_ == Phase::reading && self.parser_.state() == RequestParser::State::idle)) {
        self.close();
      }
    });
  }

  [[nodiscard]] bool waits() const override { return waits_; }
  void give_up_body() override {
    post([](Connection& self) {
      // It may have ended by itself meanwhile.
      const bool within =
          self.phase_ == Phase::reading && self.parser_.state() == RequestParser::State::body;
      if (within) self.refuse(408);
    });
  }

  /// From any thread: runs `task` with this connection, unless it is gone by then.
  template <class F>
  void post(F task) {
    if (server_->stopped()) return;
    asio::post(socket_.get_executor(), [weak = weak_from_this(), task = std::move(task)]() mutable {
      if (const auto self = weak.lock(); self && self->phase_ != Phase::closed) task(*self);
    });
  }

  // ---- for the current answer, on the strand ----

  void respond(Response response) {
    const bool head_only = head_only_ || is_bodiless(response.status);
    if (!is_bodiless(response.status)) {
      response.headers.set("Content-Length", std::to_string(response.body.size()));
    }
    begin_answer(response, true);
    queue(head_text(response) + (head_only ? std::string() : std::move(response.body)));
    end_answer();
  }

  void begin_stream(Response head, Framing framing) {
    streaming_ = true;
    if (input_ended_) return close();  // it went while the handler was thinking
    chunked_ = framing == Framing::chunked && !http_1_0_ && !head_only_;
    if (chunked_) head.headers.set("Transfer-Encoding", "chunked");
    begin_answer(head, chunked_ || head_only_);
    queue(head_text(head));
    if (head_only_) return end_answer();
    read();
  }

  void write_stream(std::string bytes) {
    counted_ += bytes.size();
    queue(chunked_ ? chunk(bytes) : std::move(bytes));
  }

  void finish_stream() {
    if (chunked_) queue("0\r\n\r\n");
    end_answer();
  }

  void cut_stream() {
    keep_alive_ = false;
    end_answer();
  }

  void close() {
    if (phase_ == Phase::closed) return;
    const auto self = shared_from_this();
    phase_ = Phase::closed;
    server_->remove(*this);  // before anybody can see the end
    ErrorNumber ignored;
    socket_.close(ignored);
    deadline_.cancel(ignored);
    forget_answer(!ending_);
  }

  void after(Milliseconds delay, Task task) {
    const auto timer = std::make_shared<asio::steady_timer>(socket_.get_executor(), delay);
    timers_.insert(timer);
    timer->async_wait([weak = weak_from_this(), timer, task = std::move(task)](ErrorNumber error) {
      const auto self = weak.lock();
      if (!self || self->timers_.erase(timer) == 0 || error) return;
      task();
    });
  }

  /// The socket goes over to `next`; the connection is no more. False if that cannot be.
  bool hand_over(UpgradedSocket& next, const Request& request) {
    // Nobody may speak the new protocol before it was agreed on.
    if (parser_.state() != RequestParser::State::idle || !early_.empty()) {
      refuse(400);
      return false;
    }
    phase_ = Phase::closed;
    deadline_.cancel();
    forget_answer(false);
    ErrorNumber error;
    const int fd = socket_.release(error);
    if (error) {
      server_->remove(*this);
      return false;
    }
    next.begin(*this, fd, ipv6_, request);
    return true;
  }

  [[nodiscard]] const std::shared_ptr<ServerContext>& server() const { return server_; }

 private:
  enum class Phase {
    reading,    ///< A request, or the wait for one.
    answering,  ///< The handler has it, or its answer is on the way.
    lingering,  ///< All was said; the client may still be talking.
    closed,
  };

  void read() {
    if (reading_ || input_ended_) return;
    // While an answer is given, reading shows that the client goes; requests that come early wait
    // here, up to a bound.
    const std::size_t waiting = early_.size() + parser_.buffered();
    if (phase_ == Phase::answering && waiting >= server_->limits().header) return;
    reading_ = true;
    socket_.async_read_some(asio::buffer(input_),
                            [weak = weak_from_this()](ErrorNumber error, std::size_t count) {
                              if (const auto self = weak.lock()) self->on_read(error, count);
                            });
  }

  void on_read(ErrorNumber error, std::size_t count) {
    reading_ = false;
    if (phase_ == Phase::closed) return;
    if (error) return on_input_end(error);
    const std::string_view bytes(input_.data(), count);
    switch (phase_) {
      case Phase::reading: on_bytes(bytes); return;
      case Phase::answering:
        early_.append(bytes);
        read();
        return;
      case Phase::lingering:
        lingered_ += count;
        if (lingered_ > kLingerBytes) return close();
        read();
        return;
      case Phase::closed: return;
    }
  }

  void on_input_end(ErrorNumber error) {
    input_ended_ = true;
    if (error != asio::error::eof || phase_ != Phase::answering) return close();
    // The client ended its side, or is gone: TCP does not say. A response can still be delivered,
    // a stream would talk to nobody.
    keep_alive_ = false;
    if (streaming_ && !ending_) close();
  }

  void on_bytes(std::string_view bytes) {
    const auto before = parser_.state();
    parser_.push(bytes);
    advance(before);
  }

  /// Does what the parser's state asks for, until it needs more bytes. `before` is the state that
  /// was seen to last.
  void advance(RequestParser::State before) {
    using State = RequestParser::State;
    for (;;) {
      const State now = parser_.state();
      switch (now) {
        case State::idle: break;
        case State::header:
          if (before == State::idle) set_deadline(server_->limits().header_time);
          break;
        case State::head:
          if (!admit()) return;
          before = now;
          parser_.proceed();
          continue;
        case State::body:
          if (!share_.grow_to(parser_.body_size())) return refuse(503);
          if (before == State::body) break;
          set_deadline(server_->limits().body_time);
          if (parser_.wants_continue()) queue("HTTP/1.1 100 Continue\r\n\r\n");
          break;
        case State::done:
          if (!share_.grow_to(parser_.body_size())) return refuse(503);
          share_.complete();
          return on_request();
        case State::refused: return refuse(parser_.refusal());
      }
      // What came while the last request was answered.
      if (early_.empty()) {
        waits_ = now == State::idle || now == State::header;
        return read();
      }
      before = now;
      parser_.push(std::exchange(early_, {}));
    }
  }

  /// Whether the request may go on to its body. If not, it has its answer.
  bool admit() {
    waits_ = false;
    Request& head = parser_.head();
    head.peer = peer_;
    head.https = https_;
    if (auto refusal = ask_gate(head)) {
      turn_away(*std::move(refusal));
      return false;
    }
    if (head.announces_body()) share_ = BodyShare(server_, weak_from_this());
    return true;
  }

  std::optional<Response> ask_gate(const Request& head) {
    try {
      return server_->gate() ? server_->gate()(head) : std::nullopt;
    } catch (...) {
      return server_->refusal(500);
    }
  }

  /// Answers a request whose body nobody wants. Without one the connection can be used again.
  void turn_away(Response answer) {
    const Request& head = parser_.head();
    begin_turn(head);
    if (head.announces_body()) {
      keep_alive_ = false;
      parser_.refuse(answer.status);
    } else {
      parser_.proceed();
      parser_.take();
    }
    respond(std::move(answer));
  }

  void begin_turn(const Request& request) {
    clear_deadline();
    phase_ = Phase::answering;
    keep_alive_ = request.keep_alive;
    head_only_ = request.method == "HEAD";
    http_1_0_ = request.http_1_0;
  }

  void on_request();

  /// Says why the client is sent away, and closes.
  void refuse(int status);

  void begin_answer(Response& head, bool has_end) {
    keep_alive_ = keep_alive_ && has_end && !leaving_ && !input_ended_;
    if (!keep_alive_) head.headers.set("Connection", "close");
    if (keep_alive_ && http_1_0_) head.headers.set("Connection", "keep-alive");
  }

  void end_answer() {
    ending_ = true;
    if (!writing_) on_written();
  }

  void queue(std::string bytes) {
    if (output_.empty()) {
      output_ = std::move(bytes);
    } else {
      output_ += bytes;
    }
    if (!writing_) write_some();
  }

  void write_some() {
    sending_.swap(output_);
    output_.clear();
    sending_counted_ = std::exchange(counted_, 0);
    sent_ = 0;
    writing_ = true;
    write_rest();
  }

  void write_rest() {
    if (phase_ == Phase::answering) set_deadline(server_->limits().write_time);
    socket_.async_write_some(asio::buffer(sending_.data() + sent_, sending_.size() - sent_),
                             [weak = weak_from_this()](ErrorNumber error, std::size_t count) {
                               const auto self = weak.lock();
                               if (!self || self->phase_ == Phase::closed) return;
                               if (error) return self->close();
                               self->sent_ += count;
                               if (self->sent_ < self->sending_.size()) return self->write_rest();
                               self->writing_ = false;
                               self->on_sent(self->sending_counted_);
                               if (!self->output_.empty()) return self->write_some();
                               self->on_written();
                             });
  }

  /// Everything queued has left.
  void on_written() {
    if (phase_ != Phase::answering) return;
    clear_deadline();
    if (ending_) return on_answered();
    on_drained();
  }

  void on_sent(std::size_t bytes);
  void on_drained();

  void on_answered() {
    forget_answer(false);
    ending_ = streaming_ = chunked_ = false;
    sending_.clear();
    sending_.shrink_to_fit();
    if (!keep_alive_) return linger();
    if (leaving_) return close();
    phase_ = Phase::reading;
    set_deadline(server_->limits().idle_time);
    advance(RequestParser::State::idle);
  }

  void linger() {
    phase_ = Phase::lingering;
    waits_ = true;
    ErrorNumber error;
    socket_.shutdown(tcp::socket::shutdown_send, error);
    if (error || input_ended_ || (leaving_ && socket_.available(error) == 0)) return close();
    set_deadline(kLingerTime);
    early_.clear();
    read();
  }

  void forget_answer(bool gone);

  void set_deadline(Milliseconds time) {
    deadline_.expires_after(time);
    deadline_.async_wait([weak = weak_from_this()](ErrorNumber error) {
      const auto self = weak.lock();
      // Whoever set another deadline meanwhile has cancelled this one, perhaps too late to stop it.
      if (!self || error || self->deadline_.expiry() > asio::steady_timer::clock_type::now())
        return;
      self->on_deadline();
    });
  }

  void clear_deadline() { deadline_.expires_at(asio::steady_timer::time_point::max()); }

  void on_deadline() {
    if (phase_ == Phase::closed) return;
    const auto state = parser_.state();
    const bool within = phase_ == Phase::reading && (state == RequestParser::State::header ||
                                                     state == RequestParser::State::body);
    if (within) return refuse(408);
    close();
  }

  const std::shared_ptr<ServerContext>
      server_;  // first, so that it goes last: it owns what the rest runs on
  const bool ipv6_;
  const bool https_;
  tcp::socket socket_;
  asio::steady_timer deadline_;
  RequestParser parser_;
  BodyShare share_;  ///< Of the request that is being read.
  std::string peer_;
  Phase phase_ = Phase::reading;
  std::atomic<bool> waits_{true};
  bool leaving_ = false;

  std::array<char, kReadAtOnce> input_{};
  bool reading_ = false;
  bool input_ended_ = false;
  std::string early_;
  std::size_t lingered_ = 0;

  std::string output_, sending_;
  std::size_t sent_ = 0;
  bool writing_ = false;
  std::size_t counted_ = 0, sending_counted_ = 0;  ///< Bytes of the stream within them.

  std::shared_ptr<ConnectionAnswer> answer_;
  std::set<std::shared_ptr<asio::steady_timer>> timers_;
  bool keep_alive_ = true;
  bool head_only_ = false;
  bool http_1_0_ = false;
  bool chunked_ = false;
  bool streaming_ = false;
  bool ending_ = false;

  friend class ConnectionAnswer;
};

/// Tells a WebSocket that waits for its socket if the connection ends before.
struct Handover {
  explicit Handover(std::shared_ptr<UpgradedSocket> next) : socket(std::move(next)) {}
  Handover(const Handover&) = delete;
  Handover& operator=(const Handover&) = delete;
  ~Handover() {
    if (socket) socket->fail();
  }

  std::shared_ptr<UpgradedSocket> socket;
};

/// The handle of one answer. It may outlive its turn: then nothing it does reaches the connection.
class ConnectionAnswer final : public Answer,
                               public std::enable_shared_from_this<ConnectionAnswer> {
 public:
  explicit ConnectionAnswer(std::shared_ptr<Connection> connection)
      : connection_(std::move(connection)) {}

  void respond(Response response) override {
    post([response = std::move(response)](Connection& self) mutable {
      self.respond(std::move(response));
    });
  }
  void begin(Response head, Framing framing) override {
    post([head = std::move(head), framing](Connection& self) mutable {
      self.begin_stream(std::move(head), framing);
    });
  }
  void drop() override {
    post([](Connection& self) { self.close(); });
  }
  void hand_over(std::shared_ptr<UpgradedSocket> next, Request request) override {
    post([handover = std::make_shared<Handover>(std::move(next)),
          request = std::move(request)](Connection& self) {
      if (self.hand_over(*handover->socket, request)) handover->socket.reset();
    });
  }

  void write(std::string bytes) override {
    if (bytes.empty() || !open_) return;
    if ((unsent_ += bytes.size()) > connection_->server_->limits().unsent) {
      open_ = false;
      return drop();
    }
    post([bytes = std::move(bytes)](Connection& self) mutable {
      self.write_stream(std::move(bytes));
    });
  }
  void finish() override {
    if (open_.exchange(false)) post([](Connection& self) { self.finish_stream(); });
  }
  void cut() override {
    if (open_.exchange(false)) post([](Connection& self) { self.cut_stream(); });
  }
  [[nodiscard]] std::size_t unsent() const override { return unsent_; }
  [[nodiscard]] bool open() const override { return open_; }
  void on_drained(Task callback) override {
    post([this, callback = std::move(callback)](Connection&) mutable {
      on_drained_ = std::move(callback);
    });
  }
  void on_gone(Task callback) override {
    if (connection_->server_->stopped()) return;
    asio::post(connection_->socket_.get_executor(),
               [self = shared_from_this(), callback = std::move(callback)]() mutable {
                 if (self->gone_) return callback();
                 if (self->connection_->answer_ == self) self->on_gone_ = std::move(callback);
               });
  }
  void after(Milliseconds delay, Task task) override {
    post([delay, task = std::move(task)](Connection& self) mutable {
      self.after(delay, std::move(task));
    });
  }

  // ---- for the connection, on its strand ----

  void sent(std::size_t bytes) { unsent_ -= bytes; }
  void drained() {
    if (const Task callback = on_drained_) callback();
  }
  /// It is complete, or the client has gone before.
  void end(bool gone) {
    open_ = false;
    gone_ = gone;
    on_drained_ = nullptr;
    const Task callback = std::exchange(on_gone_, nullptr);
    if (gone && callback) callback();
  }

 private:
  /// Runs `task` while this is the answer that the connection gives.
  template <class F>
  void post(F task) {
    connection_->post(
        [answer = shared_from_this(), task = std::move(task)](Connection& self) mutable {
          if (self.answer_ == answer) task(self);
        });
  }

  const std::shared_ptr<Connection> connection_;
  std::atomic<std::size_t> unsent_{0};
  std::atomic<bool> open_{true};
  bool gone_ = false;
  Task on_drained_, on_gone_;
};

void Connection::on_sent(std::size_t bytes) {
  if (answer_) answer_->sent(bytes);
}

void Connection::on_drained() {
  if (answer_) answer_->drained();
}

void Connection::forget_answer(bool gone) {
  for (const auto& timer : std::exchange(timers_, {})) timer->cancel();
  if (const auto answer = std::exchange(answer_, nullptr)) answer->end(gone);
}

void Connection::refuse(int status) {
  phase_ = Phase::answering;
  keep_alive_ = false;
  head_only_ = false;
  forget_answer(false);
  waits_ = false;
  parser_.refuse(status);
  share_ = {};
  respond(server_->refusal(status));
}

void Connection::on_request() {
  Request request = parser_.take();
  begin_turn(request);
  answer_ = std::make_shared<ConnectionAnswer>(shared_from_this());
  // A client that becomes a WebSocket must not have its first frames read here.
  const bool may_upgrade = request.wants_websocket();
  try {
    server_->handler()(make_exchange(server_, answer_, std::move(request), std::move(share_)));
  } catch (...) {
    // The exchange answers with 500 when its last owner lets go, which the exception has done.
  }
  if (phase_ == Phase::answering && !may_upgrade) read();
}

}  // namespace

void start_connection(const std::shared_ptr<ServerContext>& server, Arrival arrival) {
  const bool refuse = arrival.refuse;
  const auto connection = std::make_shared<Connection>(server, std::move(arrival));
  server->add(connection);
  connection->start(refuse);
}

}  // namespace parley::http
