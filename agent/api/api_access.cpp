#include "agent/api/api_access.hpp"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string_view>

#include "support/text/text.hpp"

namespace parley::agent {
namespace {

using Environment = std::map<std::string, std::string>;

/// The first of the variables that is there and not empty.
std::string first_of(const Environment& environment, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const auto found = environment.find(name);
    if (found != environment.end() && !found->second.empty()) return found->second;
  }
  return {};
}

std::optional<int> number_in(const Environment& environment, const char* name) {
  const std::string text = first_of(environment, {name});
  int value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || failure != std::errc() || end != text.data() + text.size() || value < 0) {
    return std::nullopt;
  }
  return value;
}

/// Calls `take` with every trimmed piece that is not empty.
template <class F>
void for_each_piece(std::string_view text, char separator, const F& take) {
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    const std::string_view piece = trimmed(text.substr(0, end));
    if (!piece.empty()) take(piece);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

/// A name that HTTP allows. Anything else could smuggle in a header or a request of its own.
bool is_header_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return c > ' ' && c < '\x7f' &&
           std::string_view("()<>@,;:\\\"/[]?={}").find(c) == std::string_view::npos;
  });
}

}  // namespace

ApiAccess ApiAccess::from(const Environment& environment) {
  ApiAccess access;
  if (std::string url = first_of(environment, {"ANTHROPIC_BASE_URL"}); !url.empty()) {
    while (url.ends_with('/')) url.pop_back();
    access.base_url = std::move(url);
  }
  access.api_key = trimmed(first_of(environment, {"ANTHROPIC_API_KEY"}));
  access.auth_token = trimmed(first_of(environment, {"ANTHROPIC_AUTH_TOKEN"}));
  for_each_piece(first_of(environment, {"ANTHROPIC_CUSTOM_HEADERS"}), '\n',
                 [&](std::string_view line) {
                   const std::size_t colon = line.find(':');
                   if (colon == std::string_view::npos) return;
                   const std::string_view name = trimmed(line.substr(0, colon));
                   const std::string_view value = trimmed(line.substr(colon + 1));
                   if (is_header_name(name)) access.headers.emplace_back(name, value);
                 });
  for_each_piece(first_of(environment, {"ANTHROPIC_BETAS"}), ',',
                 [&](std::string_view beta) { access.betas.emplace_back(beta); });
  if (const auto timeout = number_in(environment, "API_TIMEOUT_MS"); timeout && *timeout > 0) {
    access.limits.first_byte = std::chrono::milliseconds(*timeout);
    access.limits.connect = std::min(access.limits.connect, access.limits.first_byte);
  }
  if (const auto idle = number_in(environment, "CLAUDE_STREAM_IDLE_TIMEOUT_MS");
      idle && *idle > 0) {
    access.limits.idle = std::chrono::milliseconds(*idle);
  }
  if (const auto life = number_in(environment, "CLAUDE_CODE_API_KEY_HELPER_TTL_MS")) {
    access.key_life = std::chrono::milliseconds(*life);
  }
  if (const auto retries = number_in(environment, "CLAUDE_CODE_MAX_RETRIES")) {
    access.max_retries = *retries;
  }
  access.proxy = first_of(environment, {"https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"});
  access.no_proxy = first_of(environment, {"no_proxy", "NO_PROXY"});
  access.ca_file = first_of(environment, {"NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"});
  return access;
}

}  // namespace parley::agent
