#include "server/api/api.hpp"

#include <atomic>
#include <chrono>

#include "server/api/metrics.hpp"
#include "server/api/respond.hpp"

namespace parley::server {
namespace {

/// What the hub has for a sign of life.
constexpr std::chrono::seconds kHealthTime{2};
constexpr std::string_view kSessions = "/api/sessions";
constexpr std::string_view kSignIns = "/api/sign-ins";

}  // namespace

std::optional<http::Response> Api::refuse(const http::Request& request) const {
  const std::string_view path = request.path();
  const bool is_public = !path.starts_with("/api/") && path != "/metrics";
  if (const auto refusal = is_public ? access_.check_host(request) : access_.check(request)) {
    return error_response(refusal->status, "permission", refusal->message);
  }
  if (is_public && request.announces_body()) {
    return error_response(413, "too_large", "no body is wanted here");
  }
  return std::nullopt;
}

void Api::handle(const Exchange& exchange) {
  const std::string_view path = exchange->request().path();
  if (path == "/healthz") return show_health(exchange);
  if (path == "/metrics") return show_metrics(exchange);
  if (path.starts_with("/api/")) return serve_api(exchange);
  serve_page(exchange);
}

void Api::serve_api(const Exchange& exchange) {
  const http::Request& request = exchange->request();
  const std::string_view path = request.path();
  if (path == "/api/socket") return open_page_socket(exchange);
  if (path.starts_with(kSessions) && path.size() > kSessions.size() &&
      path[kSessions.size()] == '/') {
    return serve_session(exchange, path.substr(kSessions.size() + 1));
  }
  if (path == kSessions && request.method == "POST") {
    if (const auto body = read_body(*exchange)) create(exchange, *body);
    return;
  }
  if (path == "/api/links" && request.method == "POST") {
    if (!read_body(*exchange)) return;
    return respond_json(*exchange, Json::object({{"path", "?token=" + access_.make_link_token()}}));
  }
  if (path.starts_with(kSignIns)) {
    const std::string id(path.substr(kSignIns.size()));
    if (id.empty() && request.method == "GET") return list_sign_ins(exchange);
    if (!id.starts_with('/')) return id.empty() ? wrong_method(*exchange) : not_found(*exchange);
    if (request.method != "DELETE") return wrong_method(*exchange);
    return end_sign_in(exchange, id.substr(1));
  }
  if (path != kSessions && path != "/api/info" && path != "/api/folders" && path != "/api/links" &&
      path != "/api/search") {
    return not_found(*exchange);
  }
  if (request.method != "GET") return wrong_method(*exchange);
  if (path == "/api/info") return show_info(exchange);
  if (path == "/api/folders") return list_folders(exchange);
  if (path == "/api/search") return search(exchange);
  if (path == "/api/links") return wrong_method(*exchange);
  hub_.post([this, exchange] {
    respond_json(*exchange, Json::object({{"sessions", hub_.summaries()}}));
  });
}

// ---- what concerns no session ------------------------------------------------------------------

void Api::list_folders(const Exchange& exchange) {
  const std::string path =
      exchange->request().query("path").value_or(hub_.folders().roots().front());
  hub_.run_apart([this, exchange, path] {
    const auto page = hub_.folders().list(path);
    if (!page) return respond_error(*exchange, page.error());
    Json names = Json::array();
    for (const std::string& name : page->folders) names.push(name);
    respond_json(*exchange, Json::object({{"path", page->path},
                                          {"parent", page->parent.empty() ? Json() : page->parent},
                                          {"folders", names}}));
  });
}

void Api::search(const Exchange& exchange) {
  const std::string text = exchange->request().query("text").value_or("");
  if (text.empty()) {
    return respond_error(*exchange, Error(ErrorCode::invalid, "must be a text", "text"));
  }
  hub_.post([this, exchange, text] {
    hub_.search(text, [exchange](const Result<Json>& found) {
      if (!found) return respond_error(*exchange, found.error());
      respond_json(*exchange, *found);
    });
  });
}

void Api::show_health(const Exchange& exchange) {
  const std::string& method = exchange->request().method;
  if (method != "GET" && method != "HEAD") return wrong_method(*exchange);
  // Whoever comes first answers: the loop, or the end of patience with it.
  const auto answered = std::make_shared<std::atomic<bool>>(false);
  exchange->after(kHealthTime, [exchange, answered] {
    if (answered->exchange(true)) return;
    respond_error(*exchange, 503, "timeout", "the hub does not answer");
  });
  hub_.post([exchange, answered] {
    if (answered->exchange(true)) return;
    respond_json(*exchange, Json::object({{"status", "ok"}}));
  });
}

void Api::show_info(const Exchange& exchange) {
  hub_.post([this, exchange] {
    Json roots = Json::array();
    for (const std::string& root : hub_.folders().roots()) roots.push(root);
    const std::string& version = hub_.agent_version();
    respond_json(
        *exchange,
        Json::object({{"version", info_.version},
                      {"demo", info_.demo},
                      {"agent", Json::object({{"command", info_.agent},
                                              {"version", version.empty() ? Json() : version}})},
                      {"roots", roots},
                      {"models", hub_.models().is_null() ? Json::array() : hub_.models()},
                      {"bypass", hub_.allows_bypass()}}));
  });
}

void Api::show_metrics(const Exchange& exchange) {
  if (exchange->request().method != "GET") return wrong_method(*exchange);
  const std::size_t connections = connections_ ? connections_() : 0;
  hub_.post([this, exchange, connections] {
    http::Response response;
    response.headers.set("Content-Type", "text/plain; version=0.0.4");
    response.headers.set("Cache-Control", "no-store");
    response.body = metrics_text(hub_, connections);
    exchange->respond(std::move(response));
  });
}

}  // namespace parley::server
