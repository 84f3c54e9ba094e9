// What browsers get: the files of the page, and signing in and out.
#include <chrono>

#include "server/api/api.hpp"
#include "server/api/assets.hpp"
#include "server/api/respond.hpp"

namespace parley::server {
namespace {

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

/// For whoever is not signed in: the page that says what to do, or its words if there is none.
http::Response sign_in_page(const http::Request& request) {
  auto page = serve_asset(request, "sign_in.html");
  // One that the browser has is no answer to a link that is refused.
  if (!page || page->status != 200) {
    return http::Response::text(
        401,
        "This browser is not signed in. A link works once: open the one that parley serve prints "
        "when "
        "it starts, or make one under \"Browsers\" in a page that is signed in.");
  }
  page->status = 401;
  page->headers.set("Cache-Control", "no-store");
  page->headers.erase("ETag");
  return *std::move(page);
}

}  // namespace

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
    return answer(sign_in_page(request));
  }
  if (!access_.may_see_page(request)) return answer(sign_in_page(request));
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

}  // namespace parley::server
