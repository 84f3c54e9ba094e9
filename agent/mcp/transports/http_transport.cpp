#include "agent/mcp/transports/http_transport.hpp"

#include <algorithm>
#include <condition_variable>

#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// How long a server is waited for that is only told that we leave.
constexpr milliseconds kGoodbye{500};
constexpr milliseconds kFirstPause{1000};
constexpr milliseconds kLongestPause{30'000};
/// A stream may be silent for a day.
constexpr std::chrono::hours kStreamPatience{24};
constexpr const char* kAcceptBoth = "application/json, text/event-stream";
constexpr const char* kAcceptStream = "text/event-stream";

milliseconds time_left(Clock::time_point deadline) {
  return std::max(milliseconds(1), std::chrono::ceil<milliseconds>(deadline - Clock::now()));
}

/// Either of two stops.
class EitherStop {
 public:
  EitherStop(const std::stop_token& one, const std::stop_token& other)
      : first_(one, Ask{source_}), second_(other, Ask{source_}) {}
  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  struct Ask {
    std::stop_source source;
    void operator()() { source.request_stop(); }
  };
  std::stop_source source_;
  std::stop_callback<Ask> first_, second_;
};

}  // namespace

Result<void> HttpTransport::open(McpReceiver& receiver, const McpSendOptions& /*options*/) {
  receiver_ = &receiver;
  return {};
}

std::vector<std::string> HttpTransport::headers(const std::string& accept) const {
  std::vector<std::string> list{"Accept: " + accept, "Content-Type: application/json"};
  const std::lock_guard lock(mutex_);
  if (!session_id_.empty()) list.push_back("Mcp-Session-Id: " + session_id_);
  if (!protocol_version_.empty()) list.push_back("MCP-Protocol-Version: " + protocol_version_);
  return list;
}

bool HttpTransport::take(std::string_view data) {
  // Some events only carry an id, to go on from.
  return !data.empty() && receiver_->on_message(data);
}

Result<void> HttpTransport::send(const JsonRpcMessage& message, const McpSendOptions& options) {
  const auto deadline = Clock::now() + options.patience;
  const EitherStop stop(options.stop, closing_.get_token());
  McpHttpRequest request;
  request.url = access_.url;
  request.headers = headers(kAcceptBoth);
  request.body = encode(message);
  request.stop = stop.token();
  request.patience = options.patience;
  request.on_event = [this](const std::string& /*event*/, std::string_view data) {
    return take(data);
  };
  HttpConnection connection;
  if (options.on_sent) options.on_sent();
  auto answer = exchange(connection, access_, request);
  if (!answer) return answer.error();
  if (!answer->is_good()) return refusal_of(*answer);
  if (!answer->session_id.empty() && message.method == "initialize") {
    const std::lock_guard lock(mutex_);
    session_id_ = answer->session_id;
  }
  if (answer->too_large) {
    return Error(ErrorCode::too_large, "the answer of the server is longer than " +
                                           std::to_string(kLongestMcpMessage >> 20) +
                                           " MB and was dropped");
  }
  if (!message.is_request()) return {};
  if (answer->is_stream()) return go_on(*std::move(answer), options, deadline);
  if (answer->content_type != "application/json") {
    return Error(ErrorCode::unexpected,
                 "the server answered with " +
                     (answer->content_type.empty() ? "nothing" : answer->content_type) +
                     " instead of JSON");
  }
  (void)receiver_->on_message(answer->body);
  return {};
}

/// A stream that ended before the answer is asked for again, from where it ended.
Result<void> HttpTransport::go_on(McpHttpAnswer answer, const McpSendOptions& options,
                                  Clock::time_point deadline) {
  const EitherStop stop(options.stop, closing_.get_token());
  while (!answer.answered) {
    if (answer.last_event_id.empty()) {
      return Error(ErrorCode::closed, "the stream of the server ended before its answer");
    }
    const std::string from = answer.last_event_id;
    if (!pause(std::min(answer.retry.value_or(kFirstPause), time_left(deadline)), stop.token())) {
      return Error(ErrorCode::cancelled, "interrupted");
    }
    if (Clock::now() >= deadline) return Error(ErrorCode::timeout, "Request timed out");
    auto next = listen(from, stop.token(), time_left(deadline), true);
    if (!next) return next.error();
    if (!next->is_good() || !next->is_stream()) return refusal_of(*next);
    if (next->last_event_id.empty()) next->last_event_id = from;
    if (!next->retry) next->retry = answer.retry;
    answer = *std::move(next);
  }
  return {};
}

Result<McpHttpAnswer> HttpTransport::listen(const std::string& last_event_id, std::stop_token stop,
                                            milliseconds patience, bool until_answer) {
  McpHttpRequest request;
  request.method = "GET";
  request.url = access_.url;
  request.headers = headers(kAcceptStream);
  if (!last_event_id.empty()) request.headers.push_back("Last-Event-ID: " + last_event_id);
  request.stop = std::move(stop);
  request.patience = patience;
  request.on_event = [this, until_answer](const std::string& /*event*/, std::string_view data) {
    return take(data) && until_answer;
  };
  HttpConnection connection;
  return exchange(connection, access_, request);
}

void HttpTransport::established(const std::string& protocol_version) {
  {
    const std::lock_guard lock(mutex_);
    protocol_version_ = protocol_version;
  }
  const std::lock_guard lock(ending_);
  if (closed_) return;
  listener_ = std::jthread([this] { listen_always(closing_.get_token()); });
}

void HttpTransport::listen_always(const std::stop_token& stop) {
  std::string last_event_id;
  milliseconds wait = kFirstPause;
  while (!stop.stop_requested()) {
    const auto began = Clock::now();
    const auto answer = listen(last_event_id, stop, kStreamPatience, false);
    if (answer && !answer->is_good()) return;  // there is no such stream
    if (answer && !answer->is_stream()) return;
    if (answer && !answer->last_event_id.empty()) last_event_id = answer->last_event_id;
    const bool lasted = Clock::now() - began > kLongestPause;
    wait = answer && answer->retry ? *answer->retry : lasted ? kFirstPause : wait;
    if (!pause(wait, stop)) return;
    wait = std::min(wait * 2, kLongestPause);
  }
}

bool HttpTransport::pause(milliseconds time, const std::stop_token& stop) const {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, stop, time, [] { return false; });
  return !stop.stop_requested();
}

void HttpTransport::close() {
  const std::lock_guard lock(ending_);
  if (std::exchange(closed_, true)) return;
  closing_.request_stop();
  if (listener_.joinable()) listener_.join();
  bool has_session = false;
  {
    const std::lock_guard session_lock(mutex_);
    has_session = !session_id_.empty();
  }
  if (!has_session) return;
  McpHttpRequest goodbye;
  goodbye.method = "DELETE";
  goodbye.url = access_.url;
  goodbye.headers = headers(kAcceptBoth);
  goodbye.patience = kGoodbye;
  HttpConnection connection;
  (void)!exchange(connection, access_, goodbye).ok();
}

}  // namespace parley::agent
