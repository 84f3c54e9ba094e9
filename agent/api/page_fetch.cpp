#include "agent/api/page_fetch.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <memory>
#include <mutex>

#include "agent/web/web_address.hpp"

namespace parley::agent {
namespace {

constexpr std::size_t kMostBytes = std::size_t{10} << 20;
constexpr long kConnectSeconds = 15;
constexpr long kTotalSeconds = 60;

struct PageReceiver {
  PageAnswer answer;
  std::stop_token stop;
  bool full = false;
};

std::size_t take_body(char* bytes, std::size_t size, std::size_t count, void* user) {
  auto& receiver = *static_cast<PageReceiver*>(user);
  const std::size_t length = size * count;
  std::string& body = receiver.answer.body;
  const std::size_t room = kMostBytes - std::min(kMostBytes, body.size());
  body.append(bytes, std::min(room, length));
  if (length <= room) return length;
  // The rest is not wanted; a short count ends the transfer.
  receiver.full = true;
  return 0;
}

std::size_t take_head(char* bytes, std::size_t size, std::size_t count, void* user) {
  auto& answer = static_cast<PageReceiver*>(user)->answer;
  std::string_view line(bytes, size * count);
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  if (line.starts_with("HTTP/")) {
    const std::size_t code = line.find(' ');
    const std::size_t text = code == line.npos ? line.npos : line.find(' ', code + 1);
    answer.status_text = text == line.npos ? "" : std::string(line.substr(text + 1));
  }
  return size * count;
}

int check_stop(void* user, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<PageReceiver*>(user)->stop.stop_requested() ? 1 : 0;
}

}  // namespace

Result<PageAnswer> fetch_page(const std::string& url, std::stop_token stop) {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl(curl_easy_init(),
                                                                 &curl_easy_cleanup);
  if (!curl) return Error(ErrorCode::io, "libcurl cannot be used");
  // Read once and handed over in parts: no second reading can find another host in it.
  const auto address = WebAddress::parse(url);
  if (!address) return address.error();
  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> parts(curl_url(), &curl_url_cleanup);
  if (curl_url_set(parts.get(), CURLUPART_URL, address->text.c_str(), 0) != CURLUE_OK) {
    return Error(ErrorCode::invalid, "this is no address of a web page", url);
  }
  PageReceiver receiver;
  receiver.stop = stop;
  curl_easy_setopt(curl.get(), CURLOPT_CURLU, parts.get());
  curl_easy_setopt(curl.get(), CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl.get(), CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl.get(), CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT, kTotalSeconds);
  curl_easy_setopt(curl.get(), CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(curl.get(), CURLOPT_USERAGENT, "parley-agent/" PARLEY_VERSION);
  curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, take_body);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &receiver);
  curl_easy_setopt(curl.get(), CURLOPT_HEADERFUNCTION, take_head);
  curl_easy_setopt(curl.get(), CURLOPT_HEADERDATA, &receiver);
  curl_easy_setopt(curl.get(), CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl.get(), CURLOPT_XFERINFOFUNCTION, check_stop);
  curl_easy_setopt(curl.get(), CURLOPT_XFERINFODATA, &receiver);
  const CURLcode end = curl_easy_perform(curl.get());
  if (end == CURLE_ABORTED_BY_CALLBACK) return Error(ErrorCode::cancelled, "interrupted");
  if (end != CURLE_OK && !receiver.full) return Error(ErrorCode::io, curl_easy_strerror(end), url);
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  receiver.answer.status = static_cast<int>(status);
  if (char* type = nullptr;
      curl_easy_getinfo(curl.get(), CURLINFO_CONTENT_TYPE, &type) == CURLE_OK && type != nullptr) {
    receiver.answer.content_type = type;
  }
  if (char* to = nullptr;
      curl_easy_getinfo(curl.get(), CURLINFO_REDIRECT_URL, &to) == CURLE_OK && to != nullptr) {
    receiver.answer.location = to;
  }
  return std::move(receiver.answer);
}

}  // namespace parley::agent
