#include "server/api/access.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "support/random.hpp"
#include "support/text/text.hpp"

namespace parley::server {
namespace {

/// Links that nobody opened; the oldest knowledge of them is not worth memory.
constexpr std::size_t kMostLinks = 64;

bool is_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size();
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_';
}

/// The one way of many to write an IPv6 address, in brackets; empty if it is none.
std::string bracketed(std::string_view address) {
  in6_addr parsed{};
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (::inet_pton(AF_INET6, std::string(address).c_str(), &parsed) != 1) return {};
  ::inet_ntop(AF_INET6, &parsed, text.data(), text.size());
  return "[" + std::string(text.data()) + "]";
}

std::vector<std::string> as_in_headers(std::vector<std::string> hosts) {
  for (std::string& host : hosts) {
    if (std::string address = bracketed(host); !address.empty()) host = std::move(address);
  }
  return hosts;
}

/// "example.com:8080" out of "https://example.com:8080"; empty for "null" and the like.
std::string_view authority(std::string_view origin) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme)) return origin.substr(scheme.size());
  }
  return {};
}

/// The parts of a header that is a list, without the blanks around them.
std::vector<std::string_view> parts(std::string_view text, char separator) {
  std::vector<std::string_view> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    all.push_back(part);
  }
  return all;
}

/// A script cannot give a WebSocket headers, but it can name subprotocols.
std::string_view key_of(const http::Request& request) {
  constexpr std::string_view kPrefix = "parley-key.";
  if (!request.wants_websocket()) return request.headers.get(kKeyHeader);
  for (const std::string_view offered : parts(request.headers.get("Sec-WebSocket-Protocol"), ',')) {
    if (offered.starts_with(kPrefix)) return offered.substr(kPrefix.size());
  }
  return request.headers.get(kKeyHeader);
}

bool changes_something(const http::Request& request) {
  return (request.method != "GET" && request.method != "HEAD") || request.wants_websocket();
}

}  // namespace

std::optional<std::string> host_name(std::string_view host) {
  std::string name;
  if (host.starts_with('[')) {
    const std::size_t end = host.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    name = bracketed(host.substr(1, end - 1));
    host.remove_prefix(end + 1);
  } else {
    const std::size_t end = std::min(host.find(':'), host.size());
    name = host.substr(0, end);
    if (!std::all_of(name.begin(), name.end(), is_name_character)) return std::nullopt;
    host.remove_prefix(end);
  }
  const bool plain = host.empty() || (host.starts_with(':') && is_port(host.substr(1)));
  if (name.empty() || !plain) return std::nullopt;
  return name;
}

std::string random_secret() { return random_text(64, kHexDigits); }

bool same_secret(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const char other = b.empty() ? '\0' : b[i % b.size()];
    difference |= static_cast<unsigned>(static_cast<unsigned char>(a[i] ^ other));
  }
  return difference == 0;
}

Access::Access(std::string bearer, std::vector<std::string> hosts, std::uint16_t port,
               SignIns& sign_ins)
    : bearer_(std::move(bearer)),
      hosts_(as_in_headers(std::move(hosts))),
      // Cookies know no ports, so that of another server on this machine must have another name.
      cookie_name_("parley_" + std::to_string(port)),
      sign_ins_(sign_ins) {}

std::string Access::make_link_token() {
  std::string token = random_secret();
  const std::lock_guard lock(mutex_);
  if (links_.size() >= kMostLinks) links_.clear();
  links_.insert(token);
  return token;
}

bool Access::redeem(std::string_view token) {
  if (token.empty()) return false;
  if (same_secret(bearer_, token)) return true;
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(links_.begin(), links_.end(), [&](const std::string& link) {
    return same_secret(link, token);
  });
  if (found == links_.end()) return false;
  links_.erase(found);
  return true;
}

std::string Access::set_cookie(std::string_view secret, bool https) const {
  const auto life = secret.empty() ? std::chrono::seconds(0) : std::chrono::seconds(kSignInLife);
  // Without a path: the browser takes that of the page, which behind a proxy only it knows.
  return cookie_name_ + "=" + std::string(secret) + "; Max-Age=" + std::to_string(life.count()) +
         "; HttpOnly; SameSite=Strict" + (https ? "; Secure" : "");
}

bool Access::has_bearer(const http::Request& request) const {
  constexpr std::string_view kScheme = "Bearer ";
  const std::string_view value = request.headers.get("Authorization");
  return value.size() > kScheme.size() &&
         same_ignoring_case(value.substr(0, kScheme.size()), kScheme) &&
         same_secret(bearer_, value.substr(kScheme.size()));
}

std::vector<std::string_view> Access::cookies(const http::Request& request) const {
  std::vector<std::string_view> found;
  for (const std::string_view cookie : parts(request.headers.get("Cookie"), ';')) {
    const std::size_t equals = cookie.find('=');
    if (equals == std::string_view::npos || cookie.substr(0, equals) != cookie_name_) continue;
    found.push_back(cookie.substr(equals + 1));
  }
  return found;
}

std::optional<SignIn> Access::browser(const http::Request& request) const {
  const std::string_view key = key_of(request);
  if (key.empty()) return std::nullopt;
  for (const std::string_view cookie : cookies(request)) {
    if (auto found = sign_ins_.use(cookie, key)) return found;
  }
  return std::nullopt;
}

std::optional<SignIn> Access::cookie_owner(const http::Request& request) const {
  for (const std::string_view cookie : cookies(request)) {
    if (auto found = sign_ins_.find(cookie)) return found;
  }
  return std::nullopt;
}

bool Access::may_see_page(const http::Request& request) const {
  return has_bearer(request) || cookie_owner(request);
}

std::optional<Refusal> Access::check_host(const http::Request& request) const {
  if (request.headers.count("Host") != 1) return Refusal{400, "one Host header is needed"};
  const auto name = host_name(request.headers.get("Host"));
  if (!name) return Refusal{400, "the Host header is neither a name nor an address"};
  for (const std::string_view own : {"127.0.0.1", "localhost", "[::1]"}) {
    if (same_ignoring_case(*name, own)) return std::nullopt;
  }
  for (const std::string& own : hosts_) {
    if (same_ignoring_case(*name, own)) return std::nullopt;
  }
  return Refusal{403, "this server is not called that; see --allow-host"};
}

std::optional<Refusal> Access::check(const http::Request& request) const {
  if (auto refusal = check_host(request)) return refusal;
  const bool bearer = has_bearer(request);
  if (!bearer && !browser(request)) {
    // Who has only the cookie may be another server on this host: it gets all its cookies.
    return Refusal{401, cookie_owner(request) ? "the key of the page is missing; open a new link"
                                              : "sign in with the link or a token"};
  }
  const std::string* origin = request.headers.find("Origin");
  if (origin != nullptr && !same_ignoring_case(authority(*origin), request.headers.get("Host"))) {
    return Refusal{403, "a page of another origin must not use this server"};
  }
  if (origin == nullptr && !bearer && changes_something(request)) {
    return Refusal{403, "an Origin header or a bearer token is needed"};
  }
  const std::string_view site = request.headers.get("Sec-Fetch-Site");
  if (!bearer && (site == "cross-site" || site == "same-site")) {
    return Refusal{403, "a page of another site must not use this server"};
  }
  return std::nullopt;
}

}  // namespace parley::server
