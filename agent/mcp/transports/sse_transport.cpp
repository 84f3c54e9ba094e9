#include "agent/mcp/transports/sse_transport.hpp"

#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

constexpr std::chrono::hours kListeningPatience{24 * 30};

}  // namespace

Result<void> SseTransport::open(McpReceiver& receiver, const McpSendOptions& options) {
  listener_ =
      std::jthread([this, &receiver](const std::stop_token& stop) { listen(receiver, stop); });
  std::unique_lock lock(mutex_);
  const bool known = changed_.wait_for(lock, options.stop, options.patience,
                                       [this] { return !endpoint_.empty() || failure_; });
  if (failure_) return *failure_;
  if (known) return {};
  return options.stop.stop_requested()
             ? Error(ErrorCode::cancelled, "interrupted")
             : Error(ErrorCode::timeout, "the server names no address to speak to");
}

void SseTransport::listen(McpReceiver& receiver, const std::stop_token& stop) {
  McpHttpRequest request;
  request.method = "GET";
  request.url = access_.url;
  request.headers = {"Accept: text/event-stream"};
  request.stop = stop;
  request.patience = kListeningPatience;
  request.on_event = [&](const std::string& event, std::string_view data) {
    if (event == "endpoint") {
      const std::string endpoint = resolve_url(access_.url, std::string(data));
      const std::lock_guard lock(mutex_);
      if (origin_of(endpoint) == origin_of(access_.url)) {
        endpoint_ = endpoint;
      } else {
        // Whatever is said, credentials included, would go to somebody else.
        failure_ = Error(ErrorCode::permission, "the server names an address of another host");
      }
      changed_.notify_all();
    } else if (event.empty() || event == "message") {
      (void)receiver.on_message(data);
    }
    return false;
  };
  HttpConnection connection;
  const auto answer = exchange(connection, access_, request);
  if (stop.stop_requested()) return;
  const Error why = !answer             ? answer.error()
                    : answer->is_good() ? Error(ErrorCode::closed, "Connection closed")
                                        : refusal_of(*answer);
  bool was_open = false;
  {
    const std::lock_guard lock(mutex_);
    was_open = !endpoint_.empty();
    failure_ = why;
    changed_.notify_all();
  }
  if (was_open) receiver.on_closed(why);
}

Result<void> SseTransport::send(const JsonRpcMessage& message, const McpSendOptions& options) {
  McpHttpRequest request;
  {
    const std::lock_guard lock(mutex_);
    if (failure_) return *failure_;
    request.url = endpoint_;
  }
  request.headers = {"Content-Type: application/json"};
  request.body = encode(message);
  request.stop = options.stop;
  request.patience = options.patience;
  HttpConnection connection;
  const auto answer = exchange(connection, access_, request);
  if (!answer) return answer.error();
  if (!answer->is_good()) return refusal_of(*answer);
  if (options.on_sent) options.on_sent();
  return {};
}

void SseTransport::close() {
  const std::lock_guard lock(ending_);
  if (!listener_.joinable()) return;
  listener_.request_stop();
  listener_.join();
}

}  // namespace parley::agent
