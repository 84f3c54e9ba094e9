#include "server/api/api.hpp"

#include <atomic>
#include <charconv>
#include <chrono>

#include "server/api/assets.hpp"
#include "server/api/file_state.hpp"
#include "server/api/metrics.hpp"
#include "server/api/respond.hpp"
#include "server/links/inbox.hpp"
#include "server/links/page_link.hpp"
#include "server/links/wire_link.hpp"
#include "wire/ids.hpp"

namespace parley::server {
namespace {

constexpr std::size_t kMostPageRecords = 1000;
/// What the hub has for a sign of life.
constexpr std::chrono::seconds kHealthTime{2};
constexpr std::size_t kMostPageBytes = std::size_t{4} << 20;
constexpr std::string_view kSessions = "/api/sessions";
constexpr std::string_view kSignIns = "/api/sign-ins";
/// Policy violation: the one fitting code that browsers let through.
constexpr std::uint16_t kSignedOut = 1008;

bool is_https(const http::Request& request) {
  return request.https || request.headers.get("X-Forwarded-Proto") == "https";
}

/// The place is relative, so that it is right under the sub-path of a proxy, too.
http::Response redirect(const std::string& place) {
  http::Response response;
  response.status = 303;
  response.headers.set("Location", place);
  response.headers.set("Cache-Control", "no-store");
  return response;
}

std::optional<std::uint64_t> number(const http::Request& request, std::string_view name,
                                    std::uint64_t fallback) {
  const auto text = request.query(name);
  if (!text) return fallback;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return value;
}

void not_found(http::Exchange& exchange) {
  respond_error(exchange, 404, "not_found", "there is nothing here");
}

void wrong_method(http::Exchange& exchange) {
  respond_error(exchange, 405, "invalid", "not with this method");
}

/// Gives a link its socket: messages come on the server's thread and go to the hub's.
template <class Link>
void connect(Hub& hub, const std::shared_ptr<http::Exchange>& exchange,
             const std::shared_ptr<Link>& link,
             const std::function<void(const std::shared_ptr<http::WebSocket>&)>& opened) {
  const auto inbox =
      std::make_shared<Inbox>([&hub](std::function<void()> task) { hub.post(std::move(task)); },
                              [link](const std::string& text) { link->on_text(text); });
  http::WebSocket::Handlers handlers;
  handlers.on_message = [inbox](std::string text) { inbox->put(std::move(text)); };
  handlers.on_close = [&hub, link](std::uint16_t, const std::string&) {
    hub.post([link] { link->on_close(); });
  };
  if constexpr (std::is_same_v<Link, PageLink>) {
    handlers.on_drained = [&hub, link] {
      // The hub is woken only for a page that it has held something back from.
      if (link->take_wish_to_catch_up()) hub.post([link] { link->on_drained(); });
    };
  }
  if (exchange->request().headers.lists("Sec-WebSocket-Protocol", kPageProtocol)) {
    handlers.protocol = kPageProtocol;
  }
  auto socket = exchange->upgrade(std::move(handlers));
  if (!socket) return respond_error(*exchange, socket.error());
  opened(*socket);
  inbox->set_socket(*socket);
  // Before anything that the client says: its messages are posted too.
  if (hub.on_loop()) return link->begin(*std::move(socket));
  hub.post([link, socket = *std::move(socket)] { link->begin(socket); });
}

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

// ---- the page -----------------------------------------------------------------------------------

void Api::serve_page(const Exchange& exchange) {
  const http::Request& request = exchange->request();
  const auto answer = [&exchange](http::Response response) {
    add_safety_headers(response);
    exchange->respond(std::move(response));
  };
  if (request.method != "GET" && request.method != "HEAD") {
    return answer(http::Response::text(405, "Only GET works here."));
  }
  const std::string_view path = request.path();
  if (path != "/") {
    if (auto file = serve_asset(request, path.substr(1))) return answer(*std::move(file));
    return answer(http::Response::text(404, "There is nothing here."));
  }
  if (const auto token = request.query("token")) {
    // A HEAD only looks.
    if (request.method == "GET" && access_.redeem(*token)) return sign_in(exchange);
    // A used link of a browser that is signed in is no reason to send it away.
    if (access_.may_see_page(request)) return answer(redirect("./"));
    return answer(http::Response::text(
        401,
        "This link was used before, or is not from this server. Start parley serve again, or "
        "make another link in the settings of a page that is signed in."));
  }
  if (!access_.may_see_page(request)) {
    return answer(http::Response::text(
        401, "Open the link that parley serve has printed; it signs this browser in."));
  }
  auto page = serve_asset(request, "index.html").value_or(http::Response::text(500, "No page."));
  // The page asks for itself, with its key, from time to time: that renews its cookie. It has to be
  // here, because the cookie is for the path of the page.
  if (const auto browser = access_.browser(request)) {
    page.headers.set("Set-Cookie", access_.set_cookie(browser->cookie, is_https(request)));
  }
  answer(std::move(page));
}

void Api::sign_in(const Exchange& exchange) {
  const http::Request& request = exchange->request();
  // Another link in the same browser takes the place of the first.
  if (const auto before = access_.cookie_owner(request)) access_.sign_ins().end(before->id);
  const SignIn entry = access_.sign_ins().add(request.headers.get("User-Agent"));
  // Fragments stay in the browser, and with the origin that they were sent to.
  http::Response response = redirect("./#key=" + entry.key);
  response.headers.set("Set-Cookie", access_.set_cookie(entry.cookie, is_https(request)));
  add_safety_headers(response);
  exchange->respond(std::move(response));
}

void Api::list_sign_ins(const Exchange& exchange) {
  const auto own = access_.browser(exchange->request());
  Json all = Json::array();
  for (const SignIn& entry : access_.sign_ins().list()) {
    const auto life = std::chrono::duration_cast<std::chrono::milliseconds>(kSignInLife).count();
    all.push(Json::object({{"id", entry.id},
                           {"browser", entry.browser},
                           {"created", entry.created},
                           {"used", entry.used},
                           {"ends", entry.used + life},
                           {"current", own && own->id == entry.id}}));
  }
  respond_json(*exchange, Json::object({{"sign_ins", all}}));
}

void Api::end_sign_in(const Exchange& exchange, const std::string& id) {
  if (!access_.sign_ins().end(id)) return not_found(*exchange);
  std::vector<std::shared_ptr<http::WebSocket>> open;
  {
    const std::lock_guard lock(mutex_);
    const auto [first, last] = sockets_.equal_range(id);
    for (auto it = first; it != last; ++it) {
      if (auto socket = it->second.lock()) open.push_back(std::move(socket));
    }
    sockets_.erase(first, last);
  }
  for (const auto& socket : open) socket->close(kSignedOut, "signed out");
  respond_json(*exchange, Json::object());
}

void Api::bind(const http::Request& request, const std::shared_ptr<http::WebSocket>& socket) {
  const auto browser = access_.browser(request);
  if (!browser) {
    // A program's, or one of a browser that was signed out a moment ago.
    if (access_.check(request)) socket->close(kSignedOut, "signed out");
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(sockets_, [](const auto& entry) { return entry.second.expired(); });
    sockets_.emplace(browser->id, socket);
  }
  if (!access_.sign_ins().has(browser->id)) socket->close(kSignedOut, "signed out");
}

// ---- the API ------------------------------------------------------------------------------------

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
  if (path != kSessions && path != "/api/info" && path != "/api/folders" && path != "/api/links") {
    return not_found(*exchange);
  }
  if (request.method != "GET") return wrong_method(*exchange);
  if (path == "/api/info") return show_info(exchange);
  if (path == "/api/folders") return list_folders(exchange);
  if (path == "/api/links") return wrong_method(*exchange);
  hub_.post([this, exchange] {
    respond_json(*exchange, Json::object({{"sessions", hub_.summaries()}}));
  });
}

void Api::serve_session(const Exchange& exchange, std::string_view rest) {
  const std::string& method = exchange->request().method;
  const auto slash = rest.find('/');
  const std::string id(rest.substr(0, slash));
  const std::string action(slash == std::string_view::npos ? "" : rest.substr(slash + 1));
  if (!is_session_id(id)) return not_found(*exchange);
  if (action == "wire") return open_wire(exchange, id);
  if (action == "events") {
    return method == "GET" ? list_events(exchange, id) : wrong_method(*exchange);
  }
  if (action == "file") {
    return method == "GET" ? show_file(exchange, id) : wrong_method(*exchange);
  }
  if (action.empty() && method == "DELETE") {
    return hub_.post([this, exchange, id] {
      hub_.remove(id, [exchange](Result<void> done) { respond_done(*exchange, done); });
    });
  }
  if (action.empty() && method == "GET") {
    return hub_.post([this, exchange, id] {
      hub_.open(id, [exchange](auto session) {
        if (!session) return respond_error(*exchange, session.error());
        respond_json(*exchange, (*session)->state().summary());
      });
    });
  }
  if (method != "POST" || action.empty()) return wrong_method(*exchange);
  serve_action(exchange, id, action);
}

void Api::serve_action(const Exchange& exchange, const std::string& id, const std::string& action) {
  using Action = void (*)(Hub&, HostedSession&, const Json&, HostedSession::Done);
  static constexpr std::pair<std::string_view, Action> kActions[] = {
      {"interrupt", [](Hub&, HostedSession& s, const Json&,
                       HostedSession::Done done) { s.interrupt(std::move(done)); }},
      {"close", [](Hub&, HostedSession& s, const Json&,
                   HostedSession::Done done) { s.close(std::move(done)); }},
      {"resume", [](Hub& hub, HostedSession& s, const Json&,
                    HostedSession::Done done) { done(hub.launch(s)); }},
      {"model",
       [](Hub&, HostedSession& s, const Json& body, HostedSession::Done done) {
         s.set_model(std::string(body["model"].as_string()), std::move(done));
       }},
      {"mode",
       [](Hub&, HostedSession& s, const Json& body, HostedSession::Done done) {
         s.set_mode(std::string(body["mode"].as_string()), std::move(done));
       }},
      {"title",
       [](Hub&, HostedSession& s, const Json& body, HostedSession::Done done) {
         s.set_title(std::string(body["title"].as_string()), std::move(done));
       }},
  };
  for (const auto& [name, act] : kActions) {
    if (name != action) continue;
    auto body = read_body(*exchange);
    if (!body) return;
    const bool has_value = action != "model" && action != "mode" && action != "title";
    if (!has_value && (*body)[action].as_string().empty()) {
      return respond_error(*exchange, Error(ErrorCode::kInvalid, "must be a text", action));
    }
    return hub_.post([this, exchange, id, act = act, body = *std::move(body)] {
      hub_.open(id, [this, exchange, act, body](auto session) {
        if (!session) return respond_error(*exchange, session.error());
        act(hub_, **session, body,
            [exchange](Result<void> done) { respond_done(*exchange, done); });
      });
    });
  }
  not_found(*exchange);
}

void Api::list_events(const Exchange& exchange, const std::string& id) {
  const auto before = number(exchange->request(), "before", std::uint64_t{1} << 62);
  const auto limit = number(exchange->request(), "limit", 200);
  if (!before || !limit || *limit == 0) {
    return respond_error(*exchange, 400, "invalid", "before and limit must be numbers");
  }
  hub_.post([this, exchange, id, before = *before,
             limit = std::min<std::uint64_t>(*limit, kMostPageRecords)] {
    hub_.open(id, [exchange, before, limit](auto session) {
      if (!session) return respond_error(*exchange, session.error());
      SessionLog& log = (*session)->log();
      const auto page = log.read_before(std::min(before, log.last() + 1), limit, kMostPageBytes);
      if (!page) return respond_error(*exchange, page.error());
      std::string body = R"({"events":[)";
      for (const Record& record : *page) {
        if (body.back() == '}') body += ',';
        body += R"({"seq":)" + std::to_string(record.seq) + R"(,"time":)" +
                std::to_string(record.time) + R"(,"event":)" + record.event + "}";
      }
      const auto earlier = page->empty() ? Result<std::vector<Record>>(std::vector<Record>())
                                         : log.read_before(page->front().seq, 1, 1);
      body += earlier && !earlier->empty() ? R"(],"more":true})" : R"(],"more":false})";
      http::Response response;
      response.headers.set("Content-Type", "application/json");
      response.headers.set("Cache-Control", "no-store");
      response.body = std::move(body);
      add_safety_headers(response);
      exchange->respond(std::move(response));
    });
  });
}

void Api::show_file(const Exchange& exchange, const std::string& id) {
  const std::string path = exchange->request().query("path").value_or("");
  hub_.post([this, exchange, id, path] {
    const auto session = hub_.find(id);
    if (!session) return respond_error(*exchange, 404, "not_found", "there is no such session");
    hub_.run_apart([exchange, path, folder = session->state().cwd()] {
      const auto state = file_state(folder, path);
      if (!state) return respond_error(*exchange, state.error());
      static constexpr const char* kKinds[] = {"none", "file", "folder", "other"};
      respond_json(*exchange,
                   Json::object({{"kind", kKinds[static_cast<int>(state->kind)]},
                                 {"bytes", state->bytes},
                                 {"lines", state->lines ? Json(*state->lines) : Json()}}));
    });
  });
}

void Api::create(const Exchange& exchange, const Json& body) {
  NewSession wanted;
  for (const auto& [name, member] : {std::pair<const char*, std::string*>{"cwd", &wanted.cwd},
                                     {"model", &wanted.model},
                                     {"mode", &wanted.mode},
                                     {"title", &wanted.title},
                                     {"client_id", &wanted.client_id},
                                     {"resume", &wanted.resume}}) {
    const Json* value = body.find(name);
    if (value == nullptr || value->is_null()) continue;
    if (!value->is_string()) {
      return respond_error(*exchange, Error(ErrorCode::kInvalid, "must be a text", name));
    }
    *member = value->as_string();
  }
  wanted.prompt = body["prompt"];
  hub_.post([this, exchange, wanted = std::move(wanted)] {
    hub_.create(wanted, [exchange](Result<std::string> id) {
      if (!id) return respond_error(*exchange, id.error());
      respond_json(*exchange, Json::object({{"id", *id}}));
    });
  });
}

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

// ---- WebSockets ---------------------------------------------------------------------------------

void Api::open_page_socket(const Exchange& exchange) {
  if (!exchange->request().wants_websocket()) {
    return respond_error(*exchange, 426, "invalid", "this is a WebSocket");
  }
  connect(hub_, exchange, std::make_shared<PageLink>(hub_),
          [&](const auto& socket) { bind(exchange->request(), socket); });
}

void Api::open_wire(const Exchange& exchange, const std::string& id) {
  if (!exchange->request().wants_websocket()) {
    return respond_error(*exchange, 426, "invalid", "this is a WebSocket");
  }
  hub_.post([this, exchange, id] {
    hub_.open(id, [this, exchange](auto session) {
      if (!session) return respond_error(*exchange, session.error());
      connect(hub_, exchange, std::make_shared<WireLink>(hub_, *session),
              [&](const auto& socket) { bind(exchange->request(), socket); });
    });
  });
}

}  // namespace parley::server
