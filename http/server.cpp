#include "http/server.hpp"

#include <signal.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <thread>
#include <vector>

#include "http/server_context.hpp"
#include "http/tls.hpp"

namespace parley::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using ErrorNumber = boost::system::error_code;

/// Beyond the limit so many more are told so; the rest is closed without a word.
constexpr std::size_t kRefusedPolitely = 32;
/// Enough for one connection with TLS.
constexpr std::size_t kSpareDescriptors = 4;
/// When there are no descriptors left at all, waiting is all that helps.
constexpr std::chrono::milliseconds kAcceptPause{100};

void run(asio::io_context& io) {
  // Signals belong to the threads of the program.
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
  for (;;) {
    try {
      io.run();
      return;
    } catch (...) {
      // A callback has thrown. What it was doing is abandoned; the others are not its business.
    }
  }
}

}  // namespace

struct Server::Impl {
  explicit Impl(std::shared_ptr<ServerContext> shared)
      : context(std::move(shared)),
        work(asio::make_work_guard(context->io())),
        acceptor(asio::make_strand(context->io())),
        pause(acceptor.get_executor()) {}

  Result<void> listen(const ServerOptions& options) {
    ErrorNumber error;
    const auto address = asio::ip::make_address(options.host, error);
    const std::string place = options.host + ":" + std::to_string(options.port);
    if (error) return Error(ErrorCode::invalid, "not an IP address", options.host);
    const tcp::endpoint endpoint(address, options.port);
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(tcp::acceptor::max_listen_connections, error);
    if (error) return Error(ErrorCode::io, "cannot listen: " + error.message(), place);
    local = acceptor.local_endpoint();
    return {};
  }

  void accept() {
    acceptor.async_accept([this](ErrorNumber error, tcp::socket socket) {
      if (!acceptor.is_open()) return;
      if (!error) {
        on_accepted(std::move(socket));
        refill_spare();
        return accept();
      }
      // One that was kept for this: whoever is let in by it can at least be told how things are.
      if (!spare.empty()) {
        spare.pop_back();
        return accept();
      }
      // Those that ask for nothing make room for those that do.
      context->make_room();
      pause.expires_after(kAcceptPause);
      pause.async_wait([this](ErrorNumber cancelled) {
        if (cancelled || !acceptor.is_open()) return;
        refill_spare();
        accept();
      });
    });
  }

  void refill_spare() {
    while (spare.size() < kSpareDescriptors) {
      tcp::socket kept(context->io());
      ErrorNumber error;
      kept.open(tcp::v4(), error);
      if (error) return;
      spare.push_back(std::move(kept));
    }
  }

  void on_accepted(tcp::socket socket) {
    const std::size_t limit = context->limits().connections;
    const std::size_t now = context->count();
    if (now >= limit + kRefusedPolitely) return;
    ErrorNumber error;
    const int fd = socket.release(error);
    if (error) return;
    // Who only holds a connection must not keep others out.
    const bool refuse = now >= limit && !context->make_room();
    Arrival arrival{.fd = fd, .ipv6 = local.protocol() == tcp::v6(), .refuse = refuse};
    if (certificate) {
      start_tls_connection(context, *certificate, std::move(arrival));
    } else {
      start_connection(context, std::move(arrival));
    }
  }

  void stop(std::chrono::milliseconds grace) {
    if (threads.empty()) return;
    asio::post(acceptor.get_executor(), [this] {
      ErrorNumber ignored;
      acceptor.close(ignored);
      pause.cancel();
    });
    if (grace.count() > 0) {
      context->leave_all(false);
      context->wait_until_empty(grace);
    }
    context->leave_all(true);
    work.reset();
    for (std::thread& thread : threads) thread.join();
    threads.clear();
    context->set_stopped();
    context->io().restart();
    context->io().poll();  // what was posted in between
  }

  const std::shared_ptr<ServerContext> context;
  std::shared_ptr<Certificate> certificate;  ///< None: no TLS.
  asio::executor_work_guard<asio::io_context::executor_type> work;
  tcp::acceptor acceptor;
  asio::steady_timer pause;
  tcp::endpoint local;
  std::vector<tcp::socket> spare;  ///< Never used: descriptors for when the system has no more.
  std::vector<std::thread> threads;
};

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Server::~Server() { stop(); }

Result<std::unique_ptr<Server>> Server::start(const ServerOptions& options, Handler handler) {
  if (options.threads < 1) return Error(ErrorCode::invalid, "at least one is needed", "threads");
  auto context = std::make_shared<ServerContext>(options, std::move(handler));
  std::unique_ptr<Server> server(new Server(std::make_unique<Impl>(std::move(context))));
  Impl& impl = *server->impl_;
  if (!options.certificate_file.empty() || !options.key_file.empty()) {
    auto certificate = Certificate::load(options.certificate_file, options.key_file);
    if (!certificate) return certificate.error();
    impl.certificate = *std::move(certificate);
  }
  if (const auto listening = impl.listen(options); !listening) return listening.error();
  impl.refill_spare();
  impl.accept();
  for (int i = 0; i < options.threads; ++i) {
    impl.threads.emplace_back([shared = impl.context] { run(shared->io()); });
  }
  return server;
}

std::uint16_t Server::port() const { return impl_->local.port(); }

std::string Server::url() const {
  const bool ipv6 = impl_->local.protocol() == tcp::v6();
  const std::string loopback = ipv6 ? "::1" : "127.0.0.1";
  const std::string address =
      impl_->local.address().is_unspecified() ? loopback : impl_->local.address().to_string();
  return (impl_->certificate ? "https://" : "http://") + (ipv6 ? "[" + address + "]" : address) +
         ":" + std::to_string(port());
}

std::size_t Server::connections() const { return impl_->context->count(); }

void Server::stop(std::chrono::milliseconds grace) { impl_->stop(grace); }

}  // namespace parley::http
