// The Messages API over HTTP: one request, its events, and what went wrong. Retrying is the
// caller's business; `RetryPolicy` (api_outcome.hpp) says when and how long to wait.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "../../wire/messages/stream.hpp"
#include "api_access.hpp"
#include "api_outcome.hpp"

namespace parley::agent {

/// Thread-safe: requests may run at once. Connections are kept and used again. Nothing is set up
/// before the first request, and every wait ends within milliseconds once its stop is requested.
class ApiClient {
 public:
  explicit ApiClient(ApiAccess access);
  ~ApiClient();
  ApiClient(const ApiClient&) = delete;
  ApiClient& operator=(const ApiClient&) = delete;

  /// Events are handed over on the calling thread as they come, with their exact text, pings too;
  /// an `error` event becomes the outcome instead. What it throws ends the request and comes out of
  /// stream().
  using OnEvent = std::function<void(const ApiEvent& event, std::string_view json)>;
  /// The request's body is JSON with `"stream": true`. An answer that is not an event stream but a
  /// whole message is turned into the events that would have made it. `request_id` is set before
  /// the first event, if the server has given the request one.
  ApiOutcome stream(const std::string& body, std::stop_token stop, const OnEvent& on_event,
                    const std::vector<std::string>& betas = {}, std::string* request_id = nullptr);
  /// Without streaming; the body of a good answer is in `ApiOutcome::body`, whole. `path` begins
  /// with a slash: "/v1/messages".
  ApiOutcome send(const std::string& path, const std::string& body, std::stop_token stop,
                  const std::vector<std::string>& betas = {});

  [[nodiscard]] const ApiAccess& access() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace parley::agent
