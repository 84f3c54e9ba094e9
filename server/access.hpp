// Who may do what: the rules of docs/server.md about Host, Origin, tokens and cookies. No I/O.
#pragma once

#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.hpp"

namespace parley::server {

/// 256 random bits as hexadecimal digits.
[[nodiscard]] std::string random_secret();
/// Compares without telling by its duration how much was right.
[[nodiscard]] bool same_secret(std::string_view a, std::string_view b);

/// The name in a Host header, "example.com" or "[::1]", without the port; nothing if the header is
/// not what a browser sends.
[[nodiscard]] std::optional<std::string> host_name(std::string_view host);

/// The standing credentials of a server. Kept, so that pages stay signed in when it restarts.
struct Credentials {
  std::string bearer;  ///< For programs: "Authorization: Bearer ...".
  std::string cookie;  ///< For browsers that came with a link.
};

/// Why a request is refused.
struct Refusal {
  int status = 403;
  std::string message;
};

/// Thread-safe.
class Access {
 public:
  /// `hosts` are the names and addresses beyond the loopback ones under which the server may be
  /// addressed.
  Access(Credentials credentials, std::vector<std::string> hosts, std::uint16_t port);

  /// A token that opens the page once.
  [[nodiscard]] std::string make_link_token();
  /// Whether `token` is good to sign in: a link's, which is used up by it, or the bearer token.
  [[nodiscard]] bool redeem(std::string_view token);
  /// The Set-Cookie value that signs a browser in.
  [[nodiscard]] std::string set_cookie(bool https) const;

  /// Refuses what is addressed to another host: a page of elsewhere whose name leads here.
  [[nodiscard]] std::optional<Refusal> check_host(const http::Request& request) const;
  /// Refuses strangers and, for whatever changes something or becomes a WebSocket, requests that no
  /// page of ours made. Includes check_host().
  [[nodiscard]] std::optional<Refusal> check(const http::Request& request) const;
  [[nodiscard]] bool signed_in(const http::Request& request) const;

 private:
  [[nodiscard]] bool has_bearer(const http::Request& request) const;
  [[nodiscard]] bool has_cookie(const http::Request& request) const;

  const Credentials credentials_;
  const std::vector<std::string> hosts_;
  const std::string cookie_name_;
  std::mutex mutex_;
  std::set<std::string> links_;
};

}  // namespace parley::server
