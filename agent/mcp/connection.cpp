#include "agent/mcp/connection.hpp"

#include <charconv>
#include <utility>

#include "wire/codec/codec.hpp"
#include "wire/mcp/json_rpc.hpp"

namespace parley::agent {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// How long a server has to take a message that needs no answer.
constexpr milliseconds kNoticePatience{5000};

/// Ours are numbers; some servers write them as text.
std::optional<std::int64_t> id_of(std::string_view text) {
  if (text.size() > 2 && text.front() == '"') text = text.substr(1, text.size() - 2);
  std::int64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return id;
}

/// The id in the beginning of a message that was too long to be read, if it stands there.
std::optional<std::int64_t> id_in(std::string_view beginning) {
  constexpr std::string_view kMember = "\"id\":";
  const std::size_t at = beginning.substr(0, 256).find(kMember);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = beginning.substr(at + kMember.size());
  rest = rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
  return id_of(rest.substr(0, rest.find_first_of(",} ")));
}

JsonRpcMessage cancelled_message(std::int64_t id, const std::string& reason) {
  mcp::CancelledParams params;
  params.requestId = RawJson(std::to_string(id));
  params.reason = reason;
  return detail::rpc_notification("notifications/cancelled", RawJson(encode(params)));
}

}  // namespace

ServerConnection::ServerConnection(std::unique_ptr<ServerTransport> transport, McpPeer& peer)
    : transport_(std::move(transport)), peer_(peer) {}

ServerConnection::~ServerConnection() { close(); }

Result<void> ServerConnection::open(const McpSendOptions& options) {
  return transport_->open(*this, options);
}

std::int64_t ServerConnection::new_id() {
  const std::lock_guard lock(mutex_);
  return next_id_++;
}

Result<RawJson> ServerConnection::request(const McpRequest& request) {
  const auto deadline = Clock::now() + request.patience;
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return *closed_;
    Waiting& waiting = waiting_[request.id];
    waiting.request = &request;
    waiting.cancellable = request.stop.stop_possible() && request.method == "tools/call";
  }
  JsonRpcMessage message;
  message.method = request.method;
  message.params = request.params;
  message.id = RawJson(std::to_string(request.id));
  const auto sent = transport_->send(message, {request.stop, request.patience, request.on_sent});
  std::unique_lock lock(mutex_);
  const auto settled = [&] {
    const Waiting& waiting = waiting_[request.id];
    return waiting.answer || waiting.failure;
  };
  const bool goes_on = sent.ok() || sent.error().code() == ErrorCode::timeout;
  if (goes_on) (void)changed_.wait_until(lock, request.stop, deadline, settled);
  auto node = waiting_.extract(request.id);
  lock.unlock();
  Waiting& waiting = node.mapped();
  if (waiting.answer || waiting.failure) return result_of(std::move(waiting));
  if (request.stop.stop_requested()) {
    if (!waiting.cancellation_told) tell_cancelled(request.id, "AbortError: remote-cancel");
    return Error(ErrorCode::cancelled, "interrupted");
  }
  if (!goes_on) return sent.error();
  // A handshake cannot be cancelled, only given up.
  const bool tells = request.tells_when_late && request.method != "initialize";
  if (tells) tell_cancelled(request.id, "SdkError: Request timed out");
  return Error(ErrorCode::timeout, "Request timed out");
}

Result<RawJson> ServerConnection::result_of(Waiting waiting) const {
  if (waiting.failure) return *waiting.failure;
  JsonRpcMessage& answer = *waiting.answer;
  if (answer.error) {
    return Error(ErrorCode::remote, answer.error->message.empty() ? "the server names no reason"
                                                                  : answer.error->message);
  }
  return answer.result.value_or(RawJson());
}

void ServerConnection::tell_cancelled(std::int64_t id, const std::string& reason) {
  const JsonRpcMessage message = cancelled_message(id, reason);
  if (!transport_->tell(message)) (void)!transport_->send(message, {{}, kNoticePatience, {}});
}

void ServerConnection::announce_cancellation(const std::string& reason) {
  std::vector<std::int64_t> ids;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, waiting] : waiting_) {
      if (waiting.cancellable && !waiting.answer && !waiting.failure) ids.push_back(id);
    }
  }
  for (const std::int64_t id : ids) {
    if (!transport_->tell(cancelled_message(id, reason))) return;
    const std::lock_guard lock(mutex_);
    if (const auto found = waiting_.find(id); found != waiting_.end()) {
      found->second.cancellation_told = true;
    }
  }
}

Result<void> ServerConnection::notify(const std::string& method, std::optional<RawJson> params,
                                      const McpSendOptions& options) {
  JsonRpcMessage message;
  message.method = method;
  message.params = std::move(params);
  return transport_->send(message, options);
}

void ServerConnection::reply(const JsonRpcMessage& answer) {
  (void)!transport_->send(answer, {{}, kNoticePatience, {}});
}

bool ServerConnection::on_message(std::string_view json) {
  auto message = decode<JsonRpcMessage>(json);
  if (!message) {
    peer_.on_nonsense("a message that cannot be read: " + std::string(message.error().what()));
    return false;
  }
  if (message->is_response()) return on_answer(*std::move(message));
  if (message->is_request()) {
    peer_.on_request(*message);
  } else if (message->method == "notifications/progress") {
    on_progress(*message);
  } else if (message->is_notification()) {
    peer_.on_notification(*message);
  } else {
    peer_.on_nonsense("a message that is neither a request nor an answer");
  }
  return false;
}

bool ServerConnection::on_answer(JsonRpcMessage answer) {
  {
    const std::lock_guard lock(mutex_);
    const auto id = answer.id ? id_of(answer.id->text) : std::nullopt;
    const auto found = id ? waiting_.find(*id) : waiting_.end();
    if (found != waiting_.end() && !found->second.answer && !found->second.failure) {
      found->second.answer = std::move(answer);
      changed_.notify_all();
      return true;
    }
  }
  peer_.on_nonsense("an answer to no request");
  return false;
}

void ServerConnection::on_progress(const JsonRpcMessage& notification) {
  const auto progress = notification.params.value_or(RawJson()).as<mcp::ProgressParams>();
  if (!progress) return peer_.on_nonsense("a report of progress that cannot be read");
  const std::lock_guard lock(mutex_);
  const auto id = id_of(progress->progressToken.text);
  const auto found = id ? waiting_.find(*id) : waiting_.end();
  if (found == waiting_.end() || found->second.answer || !found->second.request->on_progress)
    return;
  found->second.request->on_progress(*progress);
}

void ServerConnection::on_too_long(std::string_view beginning) {
  const Error why(ErrorCode::too_large, "the answer of the server is longer than " +
                                            std::to_string(kLongestMcpMessage >> 20) +
                                            " MB and was dropped");
  const auto id = id_in(beginning);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = id ? waiting_.find(*id) : waiting_.end(); found != waiting_.end()) {
      found->second.failure = why;
      changed_.notify_all();
      return;
    }
  }
  // Whose answer it was cannot be told: nobody shall wait for ever.
  if (!id) fail_all(why);
  peer_.on_nonsense("a message that is too long");
}

void ServerConnection::on_closed(const Error& why) {
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    closed_ = why;
  }
  fail_all(why);
  peer_.on_closed(why);
}

void ServerConnection::fail_all(const Error& why) {
  const std::lock_guard lock(mutex_);
  for (auto& [id, waiting] : waiting_) {
    if (!waiting.answer && !waiting.failure) waiting.failure = why;
  }
  changed_.notify_all();
}

bool ServerConnection::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_.has_value();
}

void ServerConnection::close() {
  const Error why(ErrorCode::closed, "Connection closed");
  {
    const std::lock_guard lock(mutex_);
    if (!closed_) closed_ = why;
  }
  fail_all(why);
  transport_->close();
}

}  // namespace parley::agent
