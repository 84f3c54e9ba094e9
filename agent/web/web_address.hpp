// A web address as libcurl reads it. Rules about hosts and the requests they allow both go by this
// one reading: two readers of one text can be made to see two hosts in it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "../../wire/error.hpp"

namespace parley::agent {

struct WebAddress {
  /// The address written again from its parts, with a plain host; to be requested in place of the
  /// text it was read from.
  std::string text;
  std::string scheme;  ///< "http" or "https".
  /// In lower case, without percent signs, in letters of ASCII, numbers of IPv4 as four, IPv6 in
  /// brackets, no dot at its end.
  std::string host;
  std::string port;         ///< Also the usual one.
  bool names_user = false;  ///< Has a name or password in front of the host.

  /// Errors: `invalid`.
  static Result<WebAddress> parse(std::string_view text);
  /// Where a link or a Location on this page leads.
  [[nodiscard]] Result<WebAddress> resolve(std::string_view link) const;
  /// Whether going on to `next` stays with the host that was agreed to, over a connection that is
  /// no less safe.
  [[nodiscard]] bool leads_to_same_host(const WebAddress& next) const;
};

/// The host that a rule names ("Example.com", "münchen.example"), in the form of WebAddress::host.
[[nodiscard]] std::optional<std::string> plain_host(std::string_view host);

}  // namespace parley::agent
