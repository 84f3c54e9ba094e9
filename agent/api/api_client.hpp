// The Messages API over HTTP: one request, its events, and what went wrong. Retrying is the
// caller's business; `RetryPolicy` says when and how long to wait.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "../../wire/stream.hpp"

namespace parley::agent {

struct ApiAccess {
  std::string base_url = "https://api.anthropic.com";
  std::string api_key;     ///< Sent as x-api-key.
  std::string auth_token;  ///< Sent as a bearer token; wins over the key.
  std::vector<std::pair<std::string, std::string>> headers;  ///< ANTHROPIC_CUSTOM_HEADERS.
  std::vector<std::string> betas;
  std::chrono::milliseconds timeout{600'000};
  int max_retries = 10;

  /// From the variables that the real CLI respects (ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY,
  /// ANTHROPIC_AUTH_TOKEN, ANTHROPIC_CUSTOM_HEADERS, API_TIMEOUT_MS, CLAUDE_CODE_MAX_RETRIES).
  static ApiAccess from(const std::map<std::string, std::string>& environment);
};

/// How a request ended.
struct ApiOutcome {
  enum class Kind {
    kDone,       ///< message_stop came, or a whole answer that was not streamed.
    kHttp,       ///< The server answered with an error status.
    kEvent,      ///< An `error` event in the stream.
    kConnect,    ///< No connection, or it broke before the first event.
    kCut,        ///< The stream ended without message_stop.
    kMalformed,  ///< Events that cannot be read.
    kCancelled,
  };
  Kind kind = Kind::kDone;
  int status = 0;          ///< Of kHttp.
  std::string error_type;  ///< "overloaded_error" and the like, if the server said.
  std::string message;     ///< For people.
  std::string body;        ///< Of kHttp, as it came (cut to a few kilobytes).
  std::string request_id;
  std::optional<std::chrono::milliseconds> retry_after;
  std::map<std::string, std::string> headers;  ///< Of the answer, names in lower case.
};

/// Thread-safe: requests may run at once.
class ApiClient {
 public:
  explicit ApiClient(ApiAccess access);
  ~ApiClient();

  /// The request's body is JSON with `"stream": true`. Events are handed over on the calling thread
  /// as they come, with their exact text; pings too. An answer that is not an event stream but a
  /// whole message is turned into the events that would have made it.
  using OnEvent = std::function<void(const ApiEvent& event, std::string_view json)>;
  ApiOutcome stream(const std::string& body, std::stop_token stop, const OnEvent& on_event);
  /// Without streaming; the body of a good answer is in `ApiOutcome::body`, whole.
  ApiOutcome send(const std::string& path, const std::string& body, std::stop_token stop);

  [[nodiscard]] const ApiAccess& access() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Whether and when to try again, as the real CLI does it.
struct RetryPolicy {
  int max_retries = 10;
  /// The wait before retry number `attempt` (from 1), or nothing if this failure is final.
  [[nodiscard]] std::optional<std::chrono::milliseconds> wait(const ApiOutcome& outcome,
                                                              int attempt) const;
};

}  // namespace parley::agent
