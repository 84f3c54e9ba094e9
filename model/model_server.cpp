#include "model/model_server.hpp"

#include <atomic>

#include "http/server.hpp"
#include "model/delivery.hpp"
#include "model/journal.hpp"

namespace parley::model {
namespace {

/// Conversations with images are long; the real API takes 32 MB.
constexpr std::size_t kLargestRequest = 64 * 1024 * 1024;
constexpr int kCountedTokens = 100;

http::Response refusal(int status, std::string_view type, std::string_view message) {
  return http::Response::json(status, error_body(type, message));
}

}  // namespace

struct ModelServer::Impl {
  explicit Impl(std::shared_ptr<TurnSource> turns) : source(std::move(turns)) {}

  void handle(const std::shared_ptr<http::Exchange>& exchange) {
    const http::Request& request = exchange->request();
    const std::string_view path = request.path();
    const bool looks = request.method == "GET" || request.method == "HEAD";
    if (path == "/_parley/requests" && looks) {
      return exchange->respond({200, {{"Content-Type", "application/x-ndjson"}}, journal.lines()});
    }
    if (path == "/v1/messages" || path == "/v1/messages/count_tokens") {
      if (request.method == "POST") return question(exchange, path != "/v1/messages");
      journal.add(request, {}, "");
      auto response = refusal(405, "invalid_request_error", "Method Not Allowed");
      response.headers.set("Allow", "POST");
      return exchange->respond(std::move(response));
    }
    journal.add(request, {}, "");
    if (path == "/" && looks) {
      return exchange->respond(
          http::Response::text(200, "A Messages API by parley model. POST /v1/messages.\n"));
    }
    exchange->respond(refusal(404, "not_found_error", "not found"));
  }

  void question(const std::shared_ptr<http::Exchange>& exchange, bool counts) {
    const http::Request& request = exchange->request();
    const auto body = Json::parse(request.body);
    if (!body || !body->is_object()) {
      journal.add(request, request.body, "");
      const std::string why = body ? "expected an object" : body.error().what();
      return exchange->respond(
          refusal(400, "invalid_request_error", "The request body is not valid JSON: " + why));
    }
    if (counts) {
      journal.add(request, *body, "count_tokens");
      return exchange->respond(
          http::Response::json(200, Json::object({{"input_tokens", kCountedTokens}})));
    }
    Choice choice = source->choose(*body);
    journal.add(request, *body, choice.label);
    deliver(exchange, std::move(choice.turn),
            {++answered, std::string((*body)["model"].as_string())}, (*body)["stream"].as_bool());
  }

  const std::shared_ptr<TurnSource> source;
  Journal journal;
  std::atomic<std::uint64_t> answered{0};
  std::unique_ptr<http::Server> server;  // last, so that it stops before the rest goes
};

ModelServer::ModelServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ModelServer::~ModelServer() = default;

Result<std::unique_ptr<ModelServer>> ModelServer::start(std::shared_ptr<TurnSource> source,
                                                        const ModelServerOptions& options) {
  auto impl = std::make_unique<Impl>(std::move(source));
  if (!options.record.empty()) {
    if (const auto opened = impl->journal.open(options.record); !opened) return opened.error();
  }
  http::ServerOptions server;
  server.host = options.host;
  server.port = options.port;
  server.limits.body = kLargestRequest;
  server.limits.header = 64 * 1024;
  auto started = http::Server::start(
      server, [impl = impl.get()](const std::shared_ptr<http::Exchange>& exchange) {
        impl->handle(exchange);
      });
  if (!started) return started.error();
  impl->server = *std::move(started);
  return std::unique_ptr<ModelServer>(new ModelServer(std::move(impl)));
}

std::uint16_t ModelServer::port() const { return impl_->server->port(); }
std::string ModelServer::url() const { return impl_->server->url(); }
std::string ModelServer::requests() const { return impl_->journal.lines(); }
void ModelServer::stop(std::chrono::milliseconds grace) { impl_->server->stop(grace); }

}  // namespace parley::model
