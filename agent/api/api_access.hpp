// Where the model is and how to get there: address, credentials, proxy, limits.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace parley::agent {

/// What keeps a bad server from holding a turn for ever or filling the memory.
struct ApiLimits {
  std::chrono::milliseconds connect{30'000};
  std::chrono::milliseconds first_byte{600'000};  ///< From the start to the answer's first line.
  std::chrono::milliseconds idle{300'000};        ///< Between two pieces of the answer.
  std::chrono::milliseconds total{3'600'000};
  /// A model writes a few hundred kilobytes at most, in events of ten times that.
  std::size_t event_bytes = std::size_t{16} << 20;
  std::size_t answer_bytes = std::size_t{64} << 20;
  std::size_t answer_blocks = 1000;
};

/// A value.
struct ApiAccess {
  std::string base_url = "https://api.anthropic.com";
  std::string api_key;     ///< Sent as x-api-key.
  std::string auth_token;  ///< Sent as a bearer token; wins over the key.
  /// Finds a key where neither of the two is there, or says nothing; sent as both. Asked again when
  /// `key_life` is over and when the API refuses the key. One call at a time.
  std::function<std::string(const std::stop_token& stop)> find_key;
  std::chrono::milliseconds key_life{300'000};
  std::vector<std::pair<std::string, std::string>> headers;  ///< ANTHROPIC_CUSTOM_HEADERS.
  std::vector<std::string> betas;  ///< Sent with every request, besides those of the request.
  std::string proxy;               ///< Empty: none.
  std::string no_proxy;            ///< Hosts that are reached directly, as NO_PROXY lists them.
  std::string ca_file;             ///< More certificates to trust; empty: those of the system.
  ApiLimits limits;
  int max_retries = 10;

  /// From the variables that the real CLI respects (ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY,
  /// ANTHROPIC_AUTH_TOKEN, ANTHROPIC_CUSTOM_HEADERS, ANTHROPIC_BETAS, API_TIMEOUT_MS,
  /// CLAUDE_STREAM_IDLE_TIMEOUT_MS, CLAUDE_CODE_API_KEY_HELPER_TTL_MS, CLAUDE_CODE_MAX_RETRIES,
  /// HTTPS_PROXY, HTTP_PROXY, NO_PROXY and
  /// their lower-case forms, NODE_EXTRA_CA_CERTS, SSL_CERT_FILE). Values that cannot be used count
  /// as missing.
  static ApiAccess from(const std::map<std::string, std::string>& environment);

  /// Whether there is anything to log in with.
  [[nodiscard]] bool has_credentials() const {
    return !api_key.empty() || !auth_token.empty() || find_key;
  }
};

}  // namespace parley::agent
