// HTTP requests and responses as plain values. No I/O, nothing of the library behind the server.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../wire/json/json.hpp"

namespace parley::http {

/// Header fields in order. Names are compared without case, as the protocol wants it.
class Headers {
 public:
  using Field = std::pair<std::string, std::string>;

  Headers() = default;
  Headers(std::initializer_list<Field> fields) : fields_(fields) {}

  /// The first value, or null.
  [[nodiscard]] const std::string* find(std::string_view name) const;
  /// The first value, or an empty text.
  [[nodiscard]] std::string_view get(std::string_view name) const;
  [[nodiscard]] std::size_t count(std::string_view name) const;
  /// Whether a comma-separated field (Connection, Upgrade, ...) lists the word, without case.
  [[nodiscard]] bool lists(std::string_view name, std::string_view word) const;

  void add(std::string_view name, std::string_view value);
  /// Replaces all values of that name.
  void set(std::string_view name, std::string_view value);
  void erase(std::string_view name);

  [[nodiscard]] const std::vector<Field>& fields() const { return fields_; }
  bool operator==(const Headers&) const = default;

 private:
  std::vector<Field> fields_;
};

/// Whether name and value can stand in a header: no line breaks, no other control characters.
[[nodiscard]] bool is_valid_field(std::string_view name, std::string_view value);

struct Request {
  std::string method;  ///< As sent, normally upper case.
  std::string target;  ///< As sent: path and query, always beginning with '/'. Nothing is decoded.
  Headers headers;
  std::string body;
  std::string peer;    ///< Address and port of the client, for logs.
  bool https = false;  ///< It came through the server's own TLS.
  bool http_1_0 = false;
  bool keep_alive = true;  ///< The client would use the connection again.

  /// The target without its query.
  [[nodiscard]] std::string_view path() const;
  /// The value of a query parameter, percent-decoded; nothing if it is not there.
  [[nodiscard]] std::optional<std::string> query(std::string_view name) const;
  /// By its header the request has a body.
  [[nodiscard]] bool announces_body() const;
  /// Asks to become a WebSocket.
  [[nodiscard]] bool wants_websocket() const;
};

/// "%41" and, in forms and queries, "+" become what they stand for; broken escapes stay as they
/// are.
[[nodiscard]] std::string percent_decode(std::string_view text, bool plus_is_space);

struct Response {
  int status = 200;
  Headers headers;
  std::string body;

  static Response text(int status, std::string_view text);
  static Response json(int status, const Json& value);
};

/// "Not Found" for 404; "Status" for numbers without a name.
[[nodiscard]] std::string_view reason_phrase(int status);

}  // namespace parley::http
