#include "http/tls.hpp"

#include <sys/socket.h>
#include <sys/stat.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/write.hpp>

#include "http/server_context.hpp"

namespace parley::http {
namespace {

namespace asio = boost::asio;
namespace ssl = asio::ssl;
using asio::ip::tcp;
using Local = asio::local::stream_protocol;
using ErrorNumber = boost::system::error_code;

/// A TLS record has up to 16 KiB.
constexpr std::size_t kRecordBytes = 16 * 1024;
/// For saying goodbye to a client that may be gone.
constexpr std::chrono::seconds kFarewellTime{1};

/// When a file was written, by whom and how long it is.
std::string version_of(const std::string& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return {};
  return std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec) +
         "/" + std::to_string(status.st_ino) + "/" + std::to_string(status.st_size);
}

/// One client: first the handshake, then bytes in both directions until either side ends.
class Relay final : public Peer, public std::enable_shared_from_this<Relay> {
 public:
  Relay(std::shared_ptr<ServerContext> server, std::shared_ptr<ssl::context> context,
        const Arrival& arrival)
      : server_(std::move(server)),
        context_(std::move(context)),
        refuse_(arrival.refuse),
        strand_(asio::make_strand(server_->io())),
        client_(tcp::socket(strand_, arrival.ipv6 ? tcp::v6() : tcp::v4(), arrival.fd), *context_),
        inside_(strand_),
        deadline_(strand_) {}

  void start() {
    asio::post(strand_, [self = shared_from_this()] { self->handshake(); });
  }

  /// Once the client has shown that it speaks TLS there is a connection in its place.
  [[nodiscard]] bool waits() const override { return true; }

  void leave(bool) override {
    asio::post(strand_, [self = shared_from_this()] {
      // Once there is a connection behind it, that one is told to leave, and the relay follows.
      if (!self->inside_.is_open()) self->end();
    });
  }

 private:
  void handshake() {
    ErrorNumber ignored;
    client_.next_layer().set_option(tcp::no_delay(true), ignored);
    set_deadline(server_->limits().header_time);
    client_.async_handshake(ssl::stream_base::server,
                            [self = shared_from_this()](ErrorNumber error) {
                              if (self->ended_) return;
                              if (error) return self->end();
                              self->deadline_.cancel();
                              self->connect();
                            });
  }

  void connect() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return end();
    inside_.assign(Local(), ends[0]);
    ErrorNumber unknown;
    const auto peer = client_.next_layer().remote_endpoint(unknown);
    Arrival arrival{.fd = ends[1], .refuse = refuse_, .https = true};
    if (!unknown) arrival.peer = peer.address().to_string() + ":" + std::to_string(peer.port());
    // From here on the connection stands for the client; the relay lives as long as it has bytes to
    // pass on.
    start_connection(server_, std::move(arrival));
    server_->remove(*this);
    from_client();
    to_client();
  }

  void from_client() {
    client_.async_read_some(
        asio::buffer(received_), [self = shared_from_this()](ErrorNumber error, std::size_t size) {
          if (self->ended_) return;
          ErrorNumber ignored;
          // The connection answers what it was asked, and goes.
          if (error) return void(self->inside_.shutdown(Local::socket::shutdown_send, ignored));
          asio::async_write(self->inside_, asio::buffer(self->received_, size),
                            [self](ErrorNumber failed, std::size_t) {
                              if (!self->ended_ && !failed) self->from_client();
                            });
        });
  }

  void to_client() {
    inside_.async_read_some(asio::buffer(sent_),
                            [self = shared_from_this()](ErrorNumber error, std::size_t size) {
                              if (self->ended_) return;
                              if (error) return self->say_goodbye();
                              self->set_deadline(self->server_->limits().write_time);
                              asio::async_write(self->client_, asio::buffer(self->sent_, size),
                                                [self](ErrorNumber failed, std::size_t) {
                                                  if (self->ended_) return;
                                                  if (failed) return self->end();
                                                  self->deadline_.cancel();
                                                  self->to_client();
                                                });
                            });
  }

  void say_goodbye() {
    set_deadline(kFarewellTime);
    client_.async_shutdown([self = shared_from_this()](ErrorNumber) { self->end(); });
  }

  void set_deadline(std::chrono::milliseconds time) {
    deadline_.expires_after(time);
    deadline_.async_wait([self = shared_from_this()](ErrorNumber error) {
      if (!error && self->deadline_.expiry() <= asio::steady_timer::clock_type::now()) self->end();
    });
  }

  void end() {
    if (std::exchange(ended_, true)) return;
    server_->remove(*this);
    ErrorNumber ignored;
    deadline_.cancel();
    client_.next_layer().close(ignored);
    inside_.close(ignored);
  }

  const std::shared_ptr<ServerContext> server_;  // first, so that it goes last
  const std::shared_ptr<ssl::context> context_;
  const bool refuse_;
  const asio::strand<asio::io_context::executor_type> strand_;
  ssl::stream<tcp::socket> client_;
  Local::socket inside_;
  asio::steady_timer deadline_;
  std::array<char, kRecordBytes> received_{}, sent_{};
  bool ended_ = false;
};

}  // namespace

Certificate::Certificate(std::string chain_file, std::string key_file)
    : chain_file_(std::move(chain_file)), key_file_(std::move(key_file)) {}

Certificate::~Certificate() = default;

Result<std::shared_ptr<Certificate>> Certificate::load(std::string chain_file,
                                                       std::string key_file) {
  std::shared_ptr<Certificate> certificate(
      new Certificate(std::move(chain_file), std::move(key_file)));
  auto context = certificate->read();
  if (!context) return context.error();
  certificate->context_ = *std::move(context);
  certificate->version_ = version_of(certificate->chain_file_) + version_of(certificate->key_file_);
  return certificate;
}

Result<std::shared_ptr<ssl::context>> Certificate::read() const {
  auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
  ErrorNumber error;
  context->set_options(ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1, error);
  context->use_certificate_chain_file(chain_file_, error);
  if (error) {
    return Error(ErrorCode::invalid, "is no certificate: " + error.message(), chain_file_);
  }
  context->use_private_key_file(key_file_, ssl::context::pem, error);
  if (error) {
    return Error(
        ErrorCode::invalid,
        "is no key for the certificate, or cannot be read without a passphrase: " + error.message(),
        key_file_);
  }
  return context;
}

std::shared_ptr<ssl::context> Certificate::current() {
  const std::string version = version_of(chain_file_) + version_of(key_file_);
  const std::lock_guard lock(mutex_);
  if (version != version_) {
    // Between the two files of a renewal this fails; the next connection tries again.
    if (auto context = read()) {
      context_ = *std::move(context);
      version_ = version;
    }
  }
  return context_;
}

void start_tls_connection(const std::shared_ptr<ServerContext>& server, Certificate& certificate,
                          Arrival arrival) {
  const auto relay = std::make_shared<Relay>(server, certificate.current(), arrival);
  server->add(relay);
  relay->start();
}

}  // namespace parley::http
