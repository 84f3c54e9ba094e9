#include "agent/web/web_address.hpp"

#include <curl/curl.h>
#include <locale.h>

#include <algorithm>
#include <memory>

namespace parley::agent {
namespace {

using Handle = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

/// libcurl takes the letters of a host for those of the locale, which here is nobody's choice.
class Utf8Letters {
 public:
  Utf8Letters() {
    static const locale_t letters = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    if (letters != nullptr) before_ = ::uselocale(letters);
  }
  ~Utf8Letters() {
    if (before_ != nullptr) ::uselocale(before_);
  }
  Utf8Letters(const Utf8Letters&) = delete;
  Utf8Letters& operator=(const Utf8Letters&) = delete;

 private:
  locale_t before_ = nullptr;
};

Handle new_handle() { return {curl_url(), &curl_url_cleanup}; }

std::optional<std::string> part(CURLU* handle, CURLUPart which, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(handle, which, &text, flags) != CURLUE_OK) return std::nullopt;
  std::string out(text);
  curl_free(text);
  return out;
}

Error invalid(std::string_view text) {
  return {ErrorCode::invalid, "this is no address of a web page", std::string(text)};
}

/// One that a resolver and a person read alike, or nothing.
std::optional<std::string> plain(std::string host) {
  std::transform(host.begin(), host.end(), host.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (host.starts_with('['))
    return host.find('%') == host.npos ? std::optional(host) : std::nullopt;
  if (host.ends_with('.')) host.pop_back();
  const bool good = !host.empty() && host.find("..") == host.npos && !host.starts_with('.') &&
                    !host.ends_with('.') &&
                    host.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-_") == host.npos;
  return good ? std::optional(host) : std::nullopt;
}

std::optional<WebAddress> read(CURLU* handle) {
  const Utf8Letters letters;
  WebAddress out;
  const auto scheme = part(handle, CURLUPART_SCHEME);
  const auto host = part(handle, CURLUPART_HOST, CURLU_PUNYCODE);
  const auto port = part(handle, CURLUPART_PORT, CURLU_DEFAULT_PORT);
  if (!scheme || !host || !port || (*scheme != "http" && *scheme != "https")) return std::nullopt;
  const auto good = plain(*host);
  if (!good) return std::nullopt;
  out.scheme = *scheme;
  out.host = *good;
  out.port = *port;
  out.names_user = part(handle, CURLUPART_USER) || part(handle, CURLUPART_PASSWORD);
  if (curl_url_set(handle, CURLUPART_HOST, good->c_str(), 0) != CURLUE_OK) return std::nullopt;
  const auto text = part(handle, CURLUPART_URL);
  if (!text) return std::nullopt;
  out.text = *text;
  return out;
}

Result<WebAddress> from(CURLU* handle, std::string_view given) {
  const auto address = read(handle);
  if (!address) return invalid(given);
  // What is written again must be read the same: the request is made from it.
  const auto again_handle = new_handle();
  if (curl_url_set(again_handle.get(), CURLUPART_URL, address->text.c_str(), 0) != CURLUE_OK) {
    return invalid(given);
  }
  const auto again = read(again_handle.get());
  const bool same = again && again->text == address->text && again->host == address->host &&
                    again->port == address->port && again->names_user == address->names_user;
  if (!same) return invalid(given);
  return *address;
}

}  // namespace

Result<WebAddress> WebAddress::parse(std::string_view text) {
  const auto handle = new_handle();
  const std::string copy(text);
  // A byte 0 would end the text for libcurl, and for nobody else.
  if (!handle || copy.find('\0') != copy.npos ||
      curl_url_set(handle.get(), CURLUPART_URL, copy.c_str(), 0) != CURLUE_OK) {
    return invalid(text);
  }
  return from(handle.get(), text);
}

Result<WebAddress> WebAddress::resolve(std::string_view link) const {
  const auto handle = new_handle();
  const std::string copy(link);
  if (!handle || copy.find('\0') != copy.npos ||
      curl_url_set(handle.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK ||
      curl_url_set(handle.get(), CURLUPART_URL, copy.c_str(), 0) != CURLUE_OK) {
    return invalid(link);
  }
  return from(handle.get(), link);
}

bool WebAddress::leads_to_same_host(const WebAddress& next) const {
  if (next.host != host || (next.names_user && !names_user)) return false;
  if (next.scheme == scheme) return next.port == port;
  return scheme == "http" && port == "80" && next.scheme == "https" && next.port == "443";
}

std::optional<std::string> plain_host(std::string_view host) {
  const auto handle = new_handle();
  if (!handle ||
      curl_url_set(handle.get(), CURLUPART_HOST, std::string(host).c_str(), 0) != CURLUE_OK)
    return std::nullopt;
  const auto address = WebAddress::parse("http://" + std::string(host) + "/");
  if (!address.ok() || address->names_user || address->port != "80") return std::nullopt;
  return address->host;
}

}  // namespace parley::agent
