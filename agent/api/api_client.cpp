#include "agent/api/api_client.hpp"

#include <strings.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

#include "agent/api/answer_reader.hpp"
#include "agent/api/http.hpp"

namespace parley::agent {
namespace {

constexpr const char* kApiVersion = "2023-06-01";

bool same_name(std::string_view header, std::string_view name) {
  return header.size() > name.size() && header[name.size()] == ':' &&
         strncasecmp(header.data(), name.data(), name.size()) == 0;
}

std::string joined(const std::vector<std::string>& own, const std::vector<std::string>& more) {
  std::string text;
  std::vector<std::string> seen;
  for (const auto* list : {&own, &more}) {
    for (const std::string& beta : *list) {
      if (std::find(seen.begin(), seen.end(), beta) != seen.end()) continue;
      seen.push_back(beta);
      if (!text.empty()) text += ',';
      text += beta;
    }
  }
  return text;
}

std::vector<std::string> headers_for(const ApiAccess& access, const std::string& found_key,
                                     const std::string& betas, bool streaming) {
  std::vector<std::string> headers = {
      "Content-Type: application/json",
      std::string("Accept: ") + (streaming ? "text/event-stream" : "application/json"),
      "User-Agent: parley-agent/" PARLEY_VERSION,
      std::string("anthropic-version: ") + kApiVersion,
      "Expect:",  // a round trip more for every large request, and some servers never answer it
  };
  if (!betas.empty()) headers.push_back("anthropic-beta: " + betas);
  if (!access.auth_token.empty()) {
    headers.push_back("Authorization: Bearer " + access.auth_token);
  } else if (!access.api_key.empty()) {
    headers.push_back("x-api-key: " + access.api_key);
  } else if (!found_key.empty()) {
    // Nobody knows what kind it is.
    headers.push_back("x-api-key: " + found_key);
    headers.push_back("Authorization: Bearer " + found_key);
  }
  for (const auto& [name, value] : access.headers) {
    std::erase_if(headers, [&](const std::string& header) { return same_name(header, name); });
    headers.push_back(value.empty() ? name + ";" : name + ": " + value);  // libcurl's way to say ""
  }
  return headers;
}

}  // namespace

struct ApiClient::Impl {
  ApiAccess access;
  std::mutex mutex;
  std::vector<std::unique_ptr<HttpConnection>> idle;  ///< Guarded by the mutex.
  std::mutex finding;                                 ///< Guards the two below.
  std::string found_key;
  std::chrono::steady_clock::time_point found_at;

  /// The key that is looked for, unless it is known; `refused` is known and of no use.
  std::string current_key(const std::stop_token& stop, const std::string& refused = {}) {
    if (!access.find_key || !access.api_key.empty() || !access.auth_token.empty()) return {};
    const std::lock_guard lock(finding);
    const auto now = std::chrono::steady_clock::now();
    if (found_key.empty() || found_key == refused || now - found_at >= access.key_life) {
      found_key = access.find_key(stop);
      found_at = now;
    }
    return found_key;
  }

  std::unique_ptr<HttpConnection> take_connection() {
    {
      const std::lock_guard lock(mutex);
      if (!idle.empty()) {
        auto connection = std::move(idle.back());
        idle.pop_back();
        return connection;
      }
    }
    return std::make_unique<HttpConnection>();
  }

  ApiOutcome run(const std::string& path, const std::string& body,
                 const std::vector<std::string>& more_betas, const std::stop_token& stop,
                 const OnEvent* on_event, std::string* request_id = nullptr) {
    const std::string key = current_key(stop);
    ApiOutcome outcome = run_with(key, path, body, more_betas, stop, on_event, request_id);
    if (outcome.kind != ApiOutcome::Kind::http || outcome.status != 401 || key.empty()) {
      return outcome;
    }
    const std::string fresh = current_key(stop, key);
    if (fresh.empty() || fresh == key) return outcome;
    return run_with(fresh, path, body, more_betas, stop, on_event, request_id);
  }

  ApiOutcome run_with(const std::string& key, const std::string& path, const std::string& body,
                      const std::vector<std::string>& more_betas, const std::stop_token& stop,
                      const OnEvent* on_event, std::string* request_id) {
    const std::string betas = joined(access.betas, more_betas);
    const bool plain_path = path.find('?') == std::string::npos;
    HttpRequest request;
    request.url = access.base_url + path + (betas.empty() || !plain_path ? "" : "?beta=true");
    request.headers = headers_for(access, key, betas, on_event != nullptr);
    request.body = body;
    AnswerReader reader(access.limits, on_event, request_id);
    auto connection = take_connection();
    const HttpEnd end = connection->send(request, access, stop, reader);
    {
      const std::lock_guard lock(mutex);
      idle.push_back(std::move(connection));
    }
    return reader.finish(end);
  }
};

ApiClient::ApiClient(ApiAccess access) : impl_(std::make_unique<Impl>()) {
  impl_->access = std::move(access);
}
ApiClient::~ApiClient() = default;

ApiOutcome ApiClient::stream(const std::string& body, std::stop_token stop, const OnEvent& on_event,
                             const std::vector<std::string>& betas, std::string* request_id) {
  return impl_->run("/v1/messages", body, betas, stop, &on_event, request_id);
}

ApiOutcome ApiClient::send(const std::string& path, const std::string& body, std::stop_token stop,
                           const std::vector<std::string>& betas) {
  return impl_->run(path, body, betas, stop, nullptr);
}

const ApiAccess& ApiClient::access() const { return impl_->access; }

}  // namespace parley::agent
