// Who may do what: the rules of docs/server.md about Host, Origin, tokens, cookies and keys. No
// I/O.
#pragma once

#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.hpp"
#include "server/api/sign_ins.hpp"

namespace parley::server {

/// 256 random bits as hexadecimal digits.
[[nodiscard]] std::string random_secret();
/// Compares without telling by its duration how much was right.
[[nodiscard]] bool same_secret(std::string_view a, std::string_view b);

/// The name in a Host header, "example.com" or "[::1]", without the port; nothing if the header is
/// not what a browser sends.
[[nodiscard]] std::optional<std::string> host_name(std::string_view host);

/// The subprotocol of the WebSockets of pages, beside which they name their key.
inline constexpr std::string_view kPageProtocol = "parley";
/// The header in which pages send their key.
inline constexpr std::string_view kKeyHeader = "Parley-Key";

/// Why a request is refused.
struct Refusal {
  int status = 403;
  std::string message;
};

/// Thread-safe.
class Access {
 public:
  /// `bearer` is for programs: "Authorization: Bearer ...". `hosts` are the names and addresses
  /// beyond the loopback ones under which the server may be addressed. `sign_ins` must outlive it.
  Access(std::string bearer, std::vector<std::string> hosts, std::uint16_t port, SignIns& sign_ins);

  /// A token that opens the page once.
  [[nodiscard]] std::string make_link_token();
  /// Whether `token` is good to sign in: a link's, which is used up by it, or the bearer token.
  [[nodiscard]] bool redeem(std::string_view token);
  /// The Set-Cookie value that signs a browser in, or keeps it signed in; with an empty secret,
  /// out.
  [[nodiscard]] std::string set_cookie(std::string_view secret, bool https) const;

  /// Refuses what is addressed to another host: a page of elsewhere whose name leads here.
  [[nodiscard]] std::optional<Refusal> check_host(const http::Request& request) const;
  /// Refuses strangers and, for whatever changes something or becomes a WebSocket, requests that no
  /// page of ours made. Includes check_host().
  [[nodiscard]] std::optional<Refusal> check(const http::Request& request) const;
  /// May see the page, which is the same for everybody: a cookie is enough for that.
  [[nodiscard]] bool may_see_page(const http::Request& request) const;
  /// The browser that the request comes from, if it proves that with cookie and key. A use of it.
  [[nodiscard]] std::optional<SignIn> browser(const http::Request& request) const;
  /// The browser that the cookie belongs to.
  [[nodiscard]] std::optional<SignIn> cookie_owner(const http::Request& request) const;
  [[nodiscard]] SignIns& sign_ins() const { return sign_ins_; }

 private:
  [[nodiscard]] bool has_bearer(const http::Request& request) const;
  /// What the request has as cookies of this server; another path may have brought a second one.
  [[nodiscard]] std::vector<std::string_view> cookies(const http::Request& request) const;

  const std::string bearer_;
  const std::vector<std::string> hosts_;
  const std::string cookie_name_;
  SignIns& sign_ins_;
  std::mutex mutex_;
  std::set<std::string> links_;
};

}  // namespace parley::server
