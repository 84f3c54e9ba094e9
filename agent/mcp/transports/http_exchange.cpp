#include "agent/mcp/transports/http_exchange.hpp"

#include <charconv>

#include "support/text/text.hpp"
#include "support/text/utf8.hpp"

namespace parley::agent {
namespace {

/// Of a refusal the model or a person reads this much.
constexpr std::size_t kShownRefusal = 300;

class ExchangeSink final : public HttpSink {
 public:
  explicit ExchangeSink(const McpHttpRequest& request) : request_(request) {}

  void on_head(std::string_view line) override {
    if (line.starts_with("HTTP/")) {
      answer_ = {};
      const std::size_t space = line.find(' ');
      if (space != std::string_view::npos) {
        const std::string_view code = line.substr(space + 1, 3);
        std::from_chars(code.data(), code.data() + code.size(), answer_.status);
      }
    } else if (line.empty()) {
      if (request_.on_head && answer_.status >= 200) request_.on_head(answer_);
    } else if (const std::size_t colon = line.find(':'); colon != std::string_view::npos) {
      take_header(lower(line.substr(0, colon)), std::string(trimmed(line.substr(colon + 1))));
    }
  }

  bool on_body(std::string_view bytes) override {
    if (answer_.is_stream() && answer_.is_good()) {
      const bool go_on = parser_.push(bytes, [this](std::string_view data) {
        done_ = request_.on_event && request_.on_event(parser_.event(), data);
        return !done_;
      });
      answer_.last_event_id = parser_.last_id();
      answer_.retry = parser_.retry();
      answer_.too_large = parser_.too_large();
      return go_on || done_;
    }
    answer_.too_large = answer_.body.size() + bytes.size() > kLongestMcpMessage;
    if (answer_.too_large) return false;
    answer_.body += bytes;
    return true;
  }

  [[nodiscard]] bool satisfied() const override { return done_; }
  McpHttpAnswer take() {
    answer_.answered = done_;
    return std::move(answer_);
  }

 private:
  void take_header(const std::string& name, std::string value) {
    if (name == "content-type") {
      answer_.content_type = lower(trimmed(std::string_view(value).substr(0, value.find(';'))));
    } else if (name == "mcp-session-id") {
      answer_.session_id = std::move(value);
    } else if (name == "www-authenticate") {
      answer_.www_authenticate = std::move(value);
    }
  }

  const McpHttpRequest& request_;
  McpHttpAnswer answer_;
  SseParser parser_{kLongestMcpMessage};
  bool done_ = false;
};

}  // namespace

Result<McpHttpAnswer> exchange(HttpConnection& connection, const McpWebAccess& access,
                               const McpHttpRequest& request) {
  HttpRequest wanted;
  wanted.method = request.method;
  wanted.url = request.url;
  wanted.body = request.body;
  wanted.headers = request.headers;
  for (const auto& [name, value] : access.headers) wanted.headers.push_back(name + ": " + value);
  if (access.authorization) {
    if (const std::string value = access.authorization(); !value.empty()) {
      wanted.headers.push_back("Authorization: " + value);
    }
  }
  ApiAccess network = access.network;
  network.limits.first_byte = network.limits.idle = network.limits.total = request.patience;
  ExchangeSink sink(request);
  const HttpEnd end = connection.send(wanted, network, request.stop, sink);
  McpHttpAnswer answer = sink.take();
  switch (end.kind) {
    case HttpEnd::Kind::complete: return answer;
    case HttpEnd::Kind::cancelled: return Error(ErrorCode::cancelled, "interrupted");
    case HttpEnd::Kind::broken: break;
  }
  // A stream that breaks off may be gone on with.
  if (answer.is_stream() && answer.is_good()) return answer;
  return Error(ErrorCode::io, end.why, request.url);
}

Error refusal_of(const McpHttpAnswer& answer) {
  const ErrorCode code = answer.status == 401 || answer.status == 403 ? ErrorCode::permission
                         : answer.status == 404                       ? ErrorCode::not_found
                                                                      : ErrorCode::remote;
  std::string text = "the server answered HTTP " + std::to_string(answer.status);
  const std::string body = to_utf8(trimmed(answer.body));
  if (!body.empty()) text += ": " + body.substr(0, kShownRefusal);
  return Error(code, to_utf8(text));
}

std::string origin_of(const std::string& url) {
  const std::size_t host = url.find("://");
  if (host == std::string::npos) return {};
  return url.substr(0, url.find_first_of("/?#", host + 3));
}

std::string resolve_url(const std::string& base, const std::string& reference) {
  if (reference.find("://") != std::string::npos) return reference;
  const std::string origin = origin_of(base);
  if (origin.empty()) return reference;
  if (reference.starts_with('/')) return origin + reference;
  const std::string whole = base.substr(0, base.find_first_of("?#", origin.size()));
  if (reference.starts_with('?')) return whole + reference;
  if (whole == origin) return origin + "/" + reference;
  return whole.substr(0, whole.rfind('/') + 1) + reference;
}

}  // namespace parley::agent
