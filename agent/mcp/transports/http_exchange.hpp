// One HTTP exchange with an MCP server: what is common to the two ways of speaking with servers on
// the web.
#pragma once

#include <map>
#include <optional>

#include "../../api/http.hpp"
#include "../../api/sse_parser.hpp"
#include "../transport.hpp"

namespace parley::agent {

/// How a server on the web is reached. A value.
struct McpWebAccess {
  std::string url;
  std::map<std::string, std::string> headers;
  ApiAccess network;  ///< Proxy and certificates; nothing else of it is used.
  /// The value of the Authorization header; empty if there is none. Called on any thread. May be
  /// empty.
  std::function<std::string()> authorization;
};

/// What came back, apart from what was handed over on its way.
struct McpHttpAnswer {
  int status = 0;
  std::string content_type;
  std::string session_id;        ///< Mcp-Session-Id.
  std::string www_authenticate;  ///< Of a refusal.
  std::string body;              ///< Of answers that are no event streams.
  bool answered = false;         ///< A message that somebody waited for was handed over.
  bool too_large = false;
  std::string last_event_id;
  std::optional<std::chrono::milliseconds> retry;

  [[nodiscard]] bool is_stream() const { return content_type == "text/event-stream"; }
  [[nodiscard]] bool is_good() const { return status >= 200 && status < 300; }
};

struct McpHttpRequest {
  std::string method = "POST";
  std::string url;
  std::vector<std::string> headers;  ///< Besides those of the access.
  std::string body;
  std::stop_token stop;
  std::chrono::milliseconds patience{30'000};
  /// Each event of a stream, by its name. True: nothing more is wanted.
  std::function<bool(const std::string& event, std::string_view data)> on_event;
  std::function<void(const McpHttpAnswer&)> on_head;  ///< May be empty.
};

/// Errors are those of the transfer; a refusal of the server is an answer.
Result<McpHttpAnswer> exchange(HttpConnection& connection, const McpWebAccess& access,
                               const McpHttpRequest& request);

/// What a refusal of the server means: `permission` if it wants to know who we are, `not_found`,
/// `remote`.
Error refusal_of(const McpHttpAnswer& answer);

/// Scheme, host and port of an address.
std::string origin_of(const std::string& url);
/// The address that `reference` means on a page of `base`.
std::string resolve_url(const std::string& base, const std::string& reference);

}  // namespace parley::agent
