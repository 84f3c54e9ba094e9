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
    put_question(open, request, params, stop);
    const std::lock_guard done(mutex_);
    --open_questions_;
    changed_.notify_all();
  });
}

void McpServer::put_question(const Connection& connection, const JsonRpcMessage& request,
                             const mcp::ElicitParams& params, const std::stop_token& stop) {
  const auto reply = host_.ask_user(question_of(entry_.name, params), stop);
  if (stop.stop_requested()) return;
  mcp::ElicitResult result;
  result.action = reply.action;
  if (reply.action == ElicitationAction::accept) result.content = reply.content;
  connection->reply(detail::rpc_result(request, RawJson(encode(result))));
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
}

void McpServer::on_nonsense(std::string_view what) {
  host_.log("MCP server " + entry_.name + ": " + std::string(what));
}

}  // namespace parley::agent
