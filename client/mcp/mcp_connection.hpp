// The server's side of one MCP conversation, whatever carries it: an agent's control requests, or
// lines on stdin and stdout. Internal to client/.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>

#include "mcp_server.hpp"

namespace parley::detail {

/// Thread-safe. Holds the server's state, not the carrier: what the carrier's functions refer to
/// has to outlive the connection, or be asked whether it is still there.
class McpConnection : public std::enable_shared_from_this<McpConnection>,
                      public McpListener,
                      public ToolClient {
 public:
  struct Carrier {
    /// Takes a request or a notification to the client.
    std::function<void(JsonRpcMessage)> send;
    /// Runs a handler of the user's on a thread of its own kind; false if too many wait already.
    std::function<bool(std::function<void()>)> run;
    /// Runs stop callbacks of the user's, where they hold up nothing else.
    std::function<void(std::function<void()>)> run_stop;
  };
  /// Takes the answer. `cancelled`: the client has said that it does not want it.
  using Respond = std::function<void(JsonRpcMessage answer, bool cancelled)>;

  [[nodiscard]] static std::shared_ptr<McpConnection> open(const McpServer& server,
                                                           Carrier carrier);

  /// Any message of the client. `respond` is called once for a request, now or from a handler's
  /// thread, and not at all for another message, or if the handler is dropped before it has begun.
  void receive(const JsonRpcMessage& message, Respond respond);
  /// No answer of the client will come any more: whoever waits for one is told so.
  void end_answers();
  /// Stops all that runs, too; requests that still come are refused.
  void close();

  [[nodiscard]] const std::string& server_name() const { return server_->name; }
  /// What was agreed upon; empty before `initialize`.
  [[nodiscard]] std::string protocol_version();

  // McpListener
  void on_list_changed(std::string_view notification) override;
  void on_resource_changed(const std::string& uri) override;

  // ToolClient
  void log(mcp::LoggingParams message) override;
  Result<mcp::ElicitResult> elicit(const mcp::ElicitParams& form,
                                   const std::stop_token& stop) override;
  Result<mcp::CreateMessageResult> sample(const mcp::CreateMessageParams& conversation,
                                          const std::stop_token& stop) override;

 private:
  class RunningCall;
  struct Method;

  McpConnection(std::shared_ptr<McpServer::State> server, Carrier carrier);

  static const Method* find_method(std::string_view name);
  [[nodiscard]] bool offers(const Method& method);
  void cancel(const JsonRpcMessage& notification);
  void take_answer(const JsonRpcMessage& answer);
  /// Asks the client and waits.
  Result<RawJson> ask(std::string_view capability, std::string method, RawJson params,
                      const std::stop_token& stop);

  // The answers to requests, by method (mcp_methods.cpp).
  JsonRpcMessage initialize(const JsonRpcMessage& request, const std::stop_token& stop);
  JsonRpcMessage ping(const JsonRpcMessage& request, const std::stop_token& stop);
  JsonRpcMessage set_level(const JsonRpcMessage& request, const std::stop_token& stop);
  JsonRpcMessage list_tools(const JsonRpcMessage& request, const std::stop_token& stop);
  JsonRpcMessage call_tool(const JsonRpcMessage& request, const std::stop_token& stop);
  JsonRpcMessage list_resources(const JsonRpcMessage& request, const std::stop_token& stop);
  JsonRpcMessage list_templates(const JsonRpcMessage& request, const std::stop_token& stop);
  JsonRpcMessage read_resource(const JsonRpcMessage& request, const std::stop_token& stop);
  JsonRpcMessage subscribe(const JsonRpcMessage& request, const std::stop_token& stop);
  JsonRpcMessage unsubscribe(const JsonRpcMessage& request, const std::stop_token& stop);
  JsonRpcMessage list_prompts(const JsonRpcMessage& request, const std::stop_token& stop);
  JsonRpcMessage get_prompt(const JsonRpcMessage& request, const std::stop_token& stop);
  JsonRpcMessage complete(const JsonRpcMessage& request, const std::stop_token& stop);

  const std::shared_ptr<McpServer::State> server_;
  const Carrier carrier_;

  std::mutex mutex_;
  std::condition_variable_any answered_;
  std::string protocol_version_;
  bool answers_ended_ = false;
  bool closed_ = false;
  RawJson client_capabilities_{"{}"};
  std::optional<mcp::LoggingLevel> level_;  ///< The least grave one that is wanted.
  std::set<std::string, std::less<>> subscriptions_;
  std::map<std::string, std::shared_ptr<RunningCall>> calls_;   ///< By the text of the id.
  std::map<std::string, std::optional<JsonRpcMessage>> asked_;  ///< Our requests, by theirs.
  std::uint64_t next_id_ = 0;
};

}  // namespace parley::detail
