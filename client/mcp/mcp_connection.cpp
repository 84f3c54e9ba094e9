#include "client/mcp/mcp_connection.hpp"

#include <array>
#include <atomic>
#include <utility>
#include <vector>

#include "wire/mcp/json_rpc.hpp"

namespace parley::detail {

/// A request whose handler runs, or waits for a thread.
class McpConnection::RunningCall {
 public:
  [[nodiscard]] std::stop_token stop() const { return stop_.get_token(); }
  /// Where stop callbacks may run.
  void request_stop() { stop_.request_stop(); }
  void cancel() { cancelled_ = true; }
  [[nodiscard]] bool cancelled() const { return cancelled_; }

 private:
  std::stop_source stop_;
  std::atomic<bool> cancelled_{false};
};

struct McpConnection::Method {
  enum class Part { always, resources, prompts };
  std::string_view name;
  JsonRpcMessage (McpConnection::*answer)(const JsonRpcMessage&, const std::stop_token&);
  bool runs_handler;         ///< Of the user's, so it may take its time.
  Part part = Part::always;  ///< A server without that part does not know the method.
};

const McpConnection::Method* McpConnection::find_method(std::string_view name) {
  using Part = Method::Part;
  static constexpr std::array<Method, 13> kMethods = {{
      {"initialize", &McpConnection::initialize, false},
      {"ping", &McpConnection::ping, false},
      {"logging/setLevel", &McpConnection::set_level, false},
      {"tools/list", &McpConnection::list_tools, false},
      {"tools/call", &McpConnection::call_tool, true},
      {"resources/list", &McpConnection::list_resources, false, Part::resources},
      {"resources/templates/list", &McpConnection::list_templates, false, Part::resources},
      {"resources/read", &McpConnection::read_resource, true, Part::resources},
      {"resources/subscribe", &McpConnection::subscribe, false, Part::resources},
      {"resources/unsubscribe", &McpConnection::unsubscribe, false, Part::resources},
      {"prompts/list", &McpConnection::list_prompts, false, Part::prompts},
      {"prompts/get", &McpConnection::get_prompt, true, Part::prompts},
      {"completion/complete", &McpConnection::complete, true},
  }};
  for (const Method& method : kMethods) {
    if (method.name == name) return &method;
  }
  return nullptr;
}

bool McpConnection::offers(const Method& method) {
  switch (method.part) {
    case Method::Part::resources: return server_->has_resources();
    case Method::Part::prompts: return server_->has_prompts();
    case Method::Part::always: break;
  }
  return true;
}

McpConnection::McpConnection(std::shared_ptr<McpServer::State> server, Carrier carrier)
    : server_(std::move(server)), carrier_(std::move(carrier)) {}

std::shared_ptr<McpConnection> McpConnection::open(const McpServer& server, Carrier carrier) {
  std::shared_ptr<McpConnection> made(new McpConnection(server.state(), std::move(carrier)));
  server.state()->listen(made);
  return made;
}

std::string McpConnection::protocol_version() {
  const std::lock_guard lock(mutex_);
  return protocol_version_;
}

// ---- messages of the client ---------------------------------------------------------------------

void McpConnection::receive(const JsonRpcMessage& message, Respond respond) {
  if (message.is_response()) return take_answer(message);
  if (!message.is_request()) {
    // Every other notification is nothing that a server has to act upon.
    if (message.method == "notifications/cancelled") cancel(message);
    return;
  }
  const Method* method = find_method(*message.method);
  if (method == nullptr || !offers(*method)) {
    return respond(
        rpc_error(message, mcp::kMethodNotFound, "no method \"" + *message.method + "\""), false);
  }
  if (!method->runs_handler) return respond((this->*method->answer)(message, {}), false);

  const auto call = std::make_shared<RunningCall>();
  bool closed = false;
  {
    const std::lock_guard lock(mutex_);
    closed = closed_;
    if (!closed) calls_[message.id->text] = call;
  }
  if (closed) {
    return respond(rpc_error(message, mcp::kInternalError, "the server is being closed"), false);
  }
  // Takes the call out again whichever way the handler ends: answered, refused before it began, or
  // dropped.
  const auto forget = [weak = weak_from_this(), call, id = message.id->text](void*) {
    const auto self = weak.lock();
    if (!self) return;
    const std::lock_guard lock(self->mutex_);
    const auto found = self->calls_.find(id);
    // The client may have used the id again.
    if (found != self->calls_.end() && found->second == call) self->calls_.erase(found);
  };
  std::shared_ptr<void> entry(nullptr, forget);
  std::function<void()> task = [self = shared_from_this(), method, message, call, respond,
                                entry = std::move(entry)]() mutable {
    // What was taken back while it waited must not happen any more.
    JsonRpcMessage answer =
        call->cancelled() ? rpc_error(message, mcp::kInternalError, "the request was cancelled")
                          : (self.get()->*method->answer)(message, call->stop());
    entry.reset();  // who has the answer may use the id again
    respond(std::move(answer), call->cancelled());
  };
  if (!carrier_.run(std::move(task))) {
    respond(rpc_error(message, mcp::kInternalError, "there is too much to answer already"), false);
  }
}

void McpConnection::cancel(const JsonRpcMessage& notification) {
  if (!notification.params) return;
  const auto params = notification.params->as<mcp::CancelledParams>();
  if (!params || !params->requestId) return;
  std::shared_ptr<RunningCall> call;
  {
    const std::lock_guard lock(mutex_);
    const auto found = calls_.find(params->requestId->text);
    if (found == calls_.end()) return;
    call = found->second;
  }
  call->cancel();
  carrier_.run_stop([call] { call->request_stop(); });
}

void McpConnection::take_answer(const JsonRpcMessage& answer) {
  if (!answer.id) return;
  const std::lock_guard lock(mutex_);
  const auto found = asked_.find(answer.id->text);
  if (found == asked_.end()) return;
  found->second = answer;
  answered_.notify_all();
}

void McpConnection::end_answers() {
  const std::lock_guard lock(mutex_);
  answers_ended_ = true;
  answered_.notify_all();
}

void McpConnection::close() {
  std::vector<std::shared_ptr<RunningCall>> calls;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    answers_ended_ = true;
    for (const auto& [id, call] : calls_) calls.push_back(call);
    answered_.notify_all();
  }
  if (calls.empty()) return;
  carrier_.run_stop([calls = std::move(calls)] {
    for (const auto& call : calls) call->request_stop();
  });
}

// ---- messages to the client ---------------------------------------------------------------------

void McpConnection::on_list_changed(std::string_view notification) {
  {
    const std::lock_guard lock(mutex_);
    // Who has not said hello has not read a list either.
    if (protocol_version_.empty() || closed_) return;
  }
  carrier_.send(rpc_notification(std::string(notification), RawJson("{}")));
}

void McpConnection::on_resource_changed(const std::string& uri) {
  {
    const std::lock_guard lock(mutex_);
    if (!subscriptions_.contains(uri) || closed_) return;
  }
  mcp::ReadResourceParams params;
  params.uri = uri;
  carrier_.send(rpc_notification("notifications/resources/updated", to_raw(params)));
}

void McpConnection::log(mcp::LoggingParams message) {
  {
    const std::lock_guard lock(mutex_);
    const auto level = message.level ? message.level->known() : std::nullopt;
    if (closed_ || (level_ && level && *level < *level_)) return;
  }
  carrier_.send(rpc_notification("notifications/message", to_raw(message)));
}

Result<RawJson> McpConnection::ask(std::string_view capability, std::string method, RawJson params,
                                   const std::stop_token& stop) {
  RawJson id;
  {
    const std::lock_guard lock(mutex_);
    const auto capabilities = client_capabilities_.json();
    if (!capabilities || capabilities->find(capability) == nullptr) {
      return Error(ErrorCode::invalid, "the client does not offer " + std::string(capability));
    }
    id.text = "\"server-" + std::to_string(++next_id_) + "\"";
    asked_[id.text] = std::nullopt;
  }
  carrier_.send(rpc_request(id, std::move(method), std::move(params)));

  std::optional<JsonRpcMessage> answer;
  bool ended = false;
  {
    std::unique_lock lock(mutex_);
    const auto asked = asked_.find(id.text);
    (void)answered_.wait(lock, stop, [&] { return asked->second || answers_ended_; });
    answer = std::move(asked->second);
    ended = answers_ended_;
    asked_.erase(asked);
  }
  if (!answer && ended) return Error(ErrorCode::closed, "the client is gone");
  if (!answer) {
    mcp::CancelledParams cancelled;
    cancelled.requestId = id;
    carrier_.send(rpc_notification("notifications/cancelled", to_raw(cancelled)));
    return Error(ErrorCode::cancelled, "the call was stopped");
  }
  if (answer->error) return Error(ErrorCode::remote, answer->error->message);
  return answer->result.value_or(RawJson());
}

Result<mcp::ElicitResult> McpConnection::elicit(const mcp::ElicitParams& form,
                                                const std::stop_token& stop) {
  const auto answer = ask("elicitation", "elicitation/create", to_raw(form), stop);
  if (!answer) return answer.error();
  return answer->as<mcp::ElicitResult>();
}

Result<mcp::CreateMessageResult> McpConnection::sample(const mcp::CreateMessageParams& conversation,
                                                       const std::stop_token& stop) {
  const auto answer = ask("sampling", "sampling/createMessage", to_raw(conversation), stop);
  if (!answer) return answer.error();
  return answer->as<mcp::CreateMessageResult>();
}

}  // namespace parley::detail
