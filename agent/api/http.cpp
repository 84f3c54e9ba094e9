#include "agent/api/http.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "support/process/no_sigpipe.hpp"

namespace parley::agent {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// How long the end of an answer is waited for when everything of interest has come.
constexpr milliseconds kEndGrace{50};

struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using HeaderList = std::unique_ptr<curl_slist, FreeList>;

HeaderList header_list(const std::vector<std::string>& headers) {
  HeaderList list;
  for (const std::string& header : headers) {
    curl_slist* longer = curl_slist_append(list.get(), header.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    static_cast<void>(list.release());  // it is the head of the longer list
    list.reset(longer);
  }
  return list;
}

/// What the callbacks of libcurl need. No exception may pass through its C code.
struct Receiver {
  HttpSink& sink;
  Clock::time_point last_bytes;
  bool answering = false;  ///< The first line of the answer came.
  bool refused = false;    ///< The sink wants no more.
  std::exception_ptr thrown;

  template <class F>
  std::size_t guarded(std::size_t size, const F& take) {
    last_bytes = Clock::now();
    answering = true;
    try {
      if (take()) return size;
      refused = true;
    } catch (...) {
      thrown = std::current_exception();
    }
    return size + 1;  // any number but `size` ends the transfer
  }
};

std::size_t on_header(char* data, std::size_t one, std::size_t size, void* user) {
  auto& receiver = *static_cast<Receiver*>(user);
  return receiver.guarded(one * size, [&] {
    std::string_view line(data, one * size);
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    receiver.sink.on_head(line);
    return true;
  });
}

std::size_t on_write(char* data, std::size_t one, std::size_t size, void* user) {
  auto& receiver = *static_cast<Receiver*>(user);
  return receiver.guarded(
      one * size, [&] { return receiver.sink.on_body(std::string_view(data, one * size)); });
}

std::string seconds(milliseconds time) {
  if (time.count() % 1000 == 0) return std::to_string(time.count() / 1000) + " s";
  return std::to_string(time.count()) + " ms";
}

/// The next moment at which waiting has no more sense, and why.
struct Deadline {
  Clock::time_point at;
  std::string (*why)(const ApiLimits&);  ///< Null: that is no failure.
};

Deadline next_deadline(const ApiLimits& limits, Clock::time_point start, const Receiver& receiver,
                       std::optional<Clock::time_point> satisfied) {
  if (satisfied) return {*satisfied + kEndGrace, nullptr};
  Deadline next{start + limits.total, [](const ApiLimits& l) {
                  return "the answer took longer than " + seconds(l.total);
                }};
  const auto sooner = [&](Clock::time_point at, std::string (*why)(const ApiLimits&)) {
    if (at < next.at) next = {at, why};
  };
  if (receiver.answering) {
    sooner(receiver.last_bytes + limits.idle, [](const ApiLimits& l) {
      return "nothing came for " + seconds(l.idle) + " in the middle of the answer";
    });
  } else {
    sooner(start + limits.first_byte,
           [](const ApiLimits& l) { return "no answer within " + seconds(l.first_byte); });
  }
  return next;
}

}  // namespace

struct HttpConnection::Impl {
  CURL* easy = nullptr;
  CURLM* multi = nullptr;
  char reason[CURL_ERROR_SIZE] = {};

  void set_up(const HttpRequest& request, const ApiAccess& access, curl_slist* headers,
              Receiver& receiver) {
    const auto set = [this](CURLoption option, auto value) {
      curl_easy_setopt(easy, option, value);
    };
    reason[0] = '\0';
    set(CURLOPT_ERRORBUFFER, reason);
    set(CURLOPT_URL, request.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    if (request.method == "POST") {
      set(CURLOPT_POST, 1L);
      set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
      set(CURLOPT_POSTFIELDS, request.body.data());
    } else {
      set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
    }
    set(CURLOPT_HTTPHEADER, headers);
    // Never from the environment of the process: the caller has decided. "" means none.
    set(CURLOPT_PROXY, access.proxy.c_str());
    set(CURLOPT_NOPROXY, access.no_proxy.c_str());
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(access.limits.connect.count()));
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_QUICK_EXIT, 1L);  // a cancelled request does not wait for the resolver
    set(CURLOPT_TCP_NODELAY, 1L);
    set(CURLOPT_TCP_KEEPALIVE, 1L);
    if (!access.ca_file.empty()) {
      // The file in place of the bundle, the folder beside it: together they are the system's
      // certificates and those of the file.
      set(CURLOPT_CAINFO, access.ca_file.c_str());
      set(CURLOPT_CAPATH, "/etc/ssl/certs");
    }
    set(CURLOPT_HEADERFUNCTION, &on_header);
    set(CURLOPT_HEADERDATA, &receiver);
    set(CURLOPT_WRITEFUNCTION, &on_write);
    set(CURLOPT_WRITEDATA, &receiver);
  }

  /// The result of the transfer, if it has ended.
  std::optional<CURLcode> result() const {
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi, &left)) {
      if (message->msg == CURLMSG_DONE) return message->data.result;
    }
    return std::nullopt;
  }

  HttpEnd broken(CURLcode code) const {
    return {HttpEnd::Kind::broken, reason[0] != '\0' ? reason : curl_easy_strerror(code)};
  }

  HttpEnd pump(const ApiLimits& limits, const std::stop_token& stop, Receiver& receiver) {
    const auto start = Clock::now();
    std::optional<Clock::time_point> satisfied;
    for (;;) {
      if (stop.stop_requested()) return {HttpEnd::Kind::cancelled, {}};
      int running = 0;
      if (const CURLMcode code = curl_multi_perform(multi, &running); code != CURLM_OK) {
        return {HttpEnd::Kind::broken, curl_multi_strerror(code)};
      }
      if (receiver.thrown || receiver.refused) return {};
      if (const auto ended = result()) {
        // A stream may be cut after its last event: that is no concern of ours.
        return *ended == CURLE_OK || receiver.sink.satisfied() ? HttpEnd{} : broken(*ended);
      }
      const auto now = Clock::now();
      if (!satisfied && receiver.sink.satisfied()) satisfied = now;
      const Deadline deadline = next_deadline(limits, start, receiver, satisfied);
      if (now >= deadline.at) {
        if (deadline.why == nullptr) return {};
        return {HttpEnd::Kind::broken, deadline.why(limits)};
      }
      const auto wait = std::chrono::ceil<milliseconds>(deadline.at - now);
      curl_multi_poll(multi, nullptr, 0,
                      static_cast<int>(std::min(wait, milliseconds(60'000)).count()), nullptr);
    }
  }
};

HttpConnection::HttpConnection() : impl_(std::make_unique<Impl>()) {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  impl_->easy = curl_easy_init();
  impl_->multi = curl_multi_init();
  if (impl_->easy == nullptr || impl_->multi == nullptr) {
    curl_easy_cleanup(impl_->easy);
    curl_multi_cleanup(impl_->multi);
    throw std::bad_alloc();
  }
}

HttpConnection::~HttpConnection() {
  const NoSigpipe no_sigpipe;  // TLS libraries write without MSG_NOSIGNAL
  curl_easy_cleanup(impl_->easy);
  curl_multi_cleanup(impl_->multi);
}

HttpEnd HttpConnection::send(const HttpRequest& request, const ApiAccess& access,
                             std::stop_token stop, HttpSink& sink) {
  const NoSigpipe no_sigpipe;
  const HeaderList headers = header_list(request.headers);
  Receiver receiver{sink, Clock::now(), false, false, nullptr};
  impl_->set_up(request, access, headers.get(), receiver);
  if (curl_multi_add_handle(impl_->multi, impl_->easy) != CURLM_OK) {
    curl_easy_reset(impl_->easy);
    return {HttpEnd::Kind::broken, "the request could not be started"};
  }
  HttpEnd end;
  {
    const std::stop_callback wake(stop, [this] { curl_multi_wakeup(impl_->multi); });
    end = impl_->pump(access.limits, stop, receiver);
  }
  curl_multi_remove_handle(impl_->multi, impl_->easy);
  curl_easy_reset(impl_->easy);  // keeps the connections, which are the multi handle's
  if (receiver.thrown) std::rethrow_exception(receiver.thrown);
  return end;
}

}  // namespace parley::agent
