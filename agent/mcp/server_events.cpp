// What a server says by itself: questions to us and to the user, and that its tools have changed.
#include <algorithm>

#include "agent/mcp/server.hpp"
#include "wire/codec/codec.hpp"
#include "wire/mcp/json_rpc.hpp"

namespace parley::agent {
namespace {

using std::chrono::milliseconds;

/// However many questions a server has.
constexpr int kMostQuestions = 8;
/// A server that says all the time that its tools have changed is asked no more often than this.
constexpr milliseconds kRefreshInterval{200};
/// How long a call waits for the new list of tools that it has caused.
constexpr milliseconds kRefreshPatience{1000};
/// How often a server on the web that is gone is tried again, and how long after it went; each
/// further time it takes twice as long.
constexpr int kMostReconnects = 5;
constexpr milliseconds kFirstReconnect{1000};

control::Elicitation question_of(const std::string& server, const mcp::ElicitParams& params) {
  control::Elicitation question;
  question.mcp_server_name = server;
  question.message = params.message;
  question.mode = params.mode.value_or(Enum<ElicitationMode>(ElicitationMode::form));
  question.url = params.url;
  question.elicitation_id = params.elicitationId;
  question.requested_schema = params.requestedSchema;
  if (!params.requestedSchema) return question;
  const auto schema = params.requestedSchema->json();
  question.property_order.emplace();
  if (!schema) return question;
  for (const auto& [name, property] : (*schema)["properties"].members()) {
    question.property_order->push_back(name);
  }
  return question;
}

/// The filled-in form, with what the form itself says where the user has left something out.
RawJson completed(const mcp::ElicitParams& params, const std::optional<RawJson>& content) {
  Json filled = content.value_or(RawJson("{}")).json().value();
  const Json schema = params.requestedSchema.value_or(RawJson("{}")).json().value();
  for (const auto& [name, property] : schema["properties"].members()) {
    const Json* const usual = property.find("default");
    if (usual != nullptr && filled.find(name) == nullptr) filled.set(name, *usual);
  }
  return RawJson(filled.dump());
}

}  // namespace

void McpServer::on_request(const JsonRpcMessage& request) {
  const Connection open = answering();
  if (!open) return;
  const std::string& method = *request.method;
  if (method == "ping") {
    open->reply(detail::rpc_result(request, RawJson("{}")));
  } else if (method == "roots/list" && !entry_.lives_in_client()) {
    const Json root = Json::object({{"uri", "file://" + settings_.cwd}});
    open->reply(detail::rpc_result(request,
                                   RawJson(Json::object({{"roots", Json::array({root})}}).dump())));
  } else if (method == "elicitation/create" && !entry_.lives_in_client()) {
    ask_user(request);
  } else {
    open->reply(detail::rpc_error(request, mcp::kMethodNotFound, "Method not found"));
  }
}

void McpServer::ask_user(const JsonRpcMessage& request) {
  const Connection open = answering();
  const auto params = request.params.value_or(RawJson()).as<mcp::ElicitParams>();
  if (!params) {
    return open->reply(detail::rpc_error(request, mcp::kInvalidParams, params.error().what()));
  }
  std::stop_token stop;
  {
    const std::lock_guard lock(mutex_);
    if (!closed_ && open_questions_ < kMostQuestions) {
      ++open_questions_;
      stop = questions_.get_token();
    }
  }
  if (!stop.stop_possible()) {
    return open->reply(
        detail::rpc_error(request, mcp::kInternalError, "too many questions at a time"));
  }
  threads_.run([this, open, request, params = *params, stop](const std::stop_token&) {
    const RawJson answer = put_question(params, stop);
    {
      const std::lock_guard done(mutex_);
      --open_questions_;
      changed_.notify_all();
    }
    // Also a question that was withdrawn: the server need not wait for ever.
    open->reply(detail::rpc_result(request, answer));
  });
}

RawJson McpServer::put_question(const mcp::ElicitParams& params, const std::stop_token& stop) {
  const auto reply = host_.ask_user(question_of(entry_.name, params), stop);
  mcp::ElicitResult result;
  result.action = reply.action;
  const bool accepted = reply.action == ElicitationAction::accept;
  if (accepted && (reply.content || params.requestedSchema)) {
    result.content = completed(params, reply.content);
  }
  return RawJson(encode(result));
}

void McpServer::withdraw_questions() {
  std::unique_lock lock(mutex_);
  std::stop_source ended = questions_;
  questions_ = std::stop_source();
  lock.unlock();
  ended.request_stop();
}

void McpServer::on_notification(const JsonRpcMessage& notification) {
  const std::string& method = *notification.method;
  if (method == "notifications/tools/list_changed") return refresh_tools();
  const Json params = notification.params.value_or(RawJson("{}")).json().value();
  if (method == "notifications/elicitation/complete") {
    host_.elicitation_complete(entry_.name, std::string(params["elicitationId"].as_string()));
  } else if (method == "notifications/message") {
    host_.log("MCP server " + entry_.name + ": " + params["data"].dump());
  }
}

void McpServer::refresh_tools() {
  {
    const std::lock_guard lock(mutex_);
    outdated_ = true;
    // One that is being made reads the list anyway.
    if (refreshing_ || closed_ || !connection_) return;
    refreshing_ = true;
  }
  threads_.run([this](const std::stop_token& stop) {
    std::unique_lock waiting(mutex_);
    while (std::exchange(outdated_, false) && !closed_) {
      const Connection open = connection_;
      waiting.unlock();
      if (open) (void)!list_tools(*open, stop);
      waiting.lock();
      changed_.notify_all();
      if (outdated_) changed_.wait_for(waiting, stop, kRefreshInterval, [] { return false; });
      if (stop.stop_requested()) break;
    }
    refreshing_ = false;
    changed_.notify_all();
  });
}

void McpServer::wait_for_refresh(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, stop, kRefreshPatience, [this] { return !outdated_ && !refreshing_; });
}

void McpServer::on_closed(const Error& why) {
  host_.log("MCP server " + entry_.name + ": " + why.message());
  withdraw_questions();
  // A process is started again when it is needed; a server on the web may have something to say.
  const auto type = entry_.config.type->known().value_or(McpTransport::stdio);
  if (type != McpTransport::sse && type != McpTransport::http) return;
  if (!connection()) return;  // it was never there
  threads_.run([this](const std::stop_token& stop) { reconnect(stop); });
}

void McpServer::reconnect(const std::stop_token& stop) {
  milliseconds wait = kFirstReconnect;
  for (int attempt = 0; attempt < kMostReconnects; ++attempt, wait *= 2) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, stop, wait, [this] { return closed_; });
      const bool needed = !closed_ && connection_ && connection_->closed();
      if (stop.stop_requested() || !needed) return;
    }
    McpConnectOptions options;
    options.stop = stop;
    if (connect(options)) return;
  }
}

void McpServer::on_nonsense(std::string_view what) {
  host_.log("MCP server " + entry_.name + ": " + std::string(what));
}

}  // namespace parley::agent
