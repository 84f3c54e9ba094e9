// One MCP server: connects to it, keeps what it offers up to date, calls it, and answers what it
// asks by itself.
#pragma once

#include <future>

#include "../tools/tool_set.hpp"
#include "config/server_entry.hpp"
#include "connection.hpp"
#include "host.hpp"
#include "threads.hpp"
#include "transports/http_exchange.hpp"

namespace parley::agent {

/// What all servers of a session share. A value.
struct McpSettings {
  std::string cwd;
  McpVariables variables;                                ///< Of what the agent starts.
  ApiAccess network;                                     ///< Proxy and certificates.
  std::string version;                                   ///< Of the agent, as it introduces itself.
  std::chrono::milliseconds connect_patience{30'000};    ///< MCP_TIMEOUT
  std::chrono::milliseconds call_patience{100'000'000};  ///< MCP_TOOL_TIMEOUT
  std::size_t most_characters = 100'000;                 ///< Of a result that the model reads.
};

/// What a server offers.
struct McpToolList {
  std::vector<mcp::Tool> definitions;  ///< As the server lists them.
  std::vector<SharedTool> tools;       ///< As the model is offered them.
  std::size_t description_length = 0;  ///< Of what the model is told about them.
};

/// A server as it is now. A value, cheap to copy.
struct McpServerView {
  Enum<McpConnection> state = McpConnection::pending;
  std::string error;  ///< Of a failure.
  mcp::Implementation info;
  std::string instructions;
  bool has_resources = false, has_prompts = false;
  std::shared_ptr<const McpToolList> list = std::make_shared<McpToolList>();
};

/// How a connection is made.
struct McpConnectOptions {
  std::stop_token stop;
  std::function<void()> on_sent;  ///< Called when the first message is on its way.
  /// What the server hears after the handshake waits for this; may be empty.
  std::shared_future<void> go_on;
};

/// A resource, shared by its tools. Thread-safe.
class McpServer final : public std::enable_shared_from_this<McpServer>, private McpPeer {
 public:
  /// `settings` and `host` live longer.
  McpServer(McpServerEntry entry, const McpSettings& settings, McpHost& host);
  ~McpServer() override;
  McpServer(const McpServer&) = delete;
  McpServer& operator=(const McpServer&) = delete;

  [[nodiscard]] const McpServerEntry& entry() const { return entry_; }
  [[nodiscard]] McpServerView view() const;

  /// Whether nobody has begun to connect yet; from now on somebody has.
  [[nodiscard]] bool begin();
  /// Connects, or connects again. Returns when that has worked or failed; view() tells which.
  Result<void> connect(const McpConnectOptions& options);
  /// Leaves the server, until connect().
  void disable();
  /// Leaves the server for good.
  void close();

  /// Calls a tool by the server's own name for it. A server that has died is started again first.
  struct CallOptions {
    std::stop_token stop;
    std::optional<std::string> tool_use_id;
    std::optional<std::chrono::milliseconds> patience;
  };
  Result<RawJson> call(const std::string& tool, const RawJson& arguments,
                       const CallOptions& options);
  /// Asks for anything else.
  Result<RawJson> ask(const std::string& method, std::optional<RawJson> params,
                      const std::stop_token& stop);
  /// Returns when the tools are those that the server has told of, or a second later.
  void wait_for_refresh(const std::stop_token& stop);
  /// Tells a server in the client that calls are given up, before those who wait are told.
  void announce_cancellation();
  /// Something that a server in the client says by itself.
  void deliver(const JsonRpcMessage& message);

 private:
  using Connection = std::shared_ptr<ServerConnection>;

  void on_request(const JsonRpcMessage& request) override;
  void on_notification(const JsonRpcMessage& notification) override;
  void on_closed(const Error& why) override;
  void reconnect(const std::stop_token& stop);
  void on_nonsense(std::string_view what) override;

  [[nodiscard]] std::unique_ptr<ServerTransport> make_transport();
  Result<void> connect_alone(const McpConnectOptions& options);
  [[nodiscard]] Result<Connection> try_connect(const McpConnectOptions& options);
  Result<void> introduce(ServerConnection& connection, const McpConnectOptions& options);
  Result<void> list_tools(ServerConnection& connection, const std::stop_token& stop);
  void take_tools(std::vector<mcp::Tool> definitions);
  [[nodiscard]] Result<Connection> open_connection(const std::stop_token& stop);
  [[nodiscard]] Connection connection() const;
  [[nodiscard]] Connection answering() const;
  Result<RawJson> request(McpRequest request, const std::stop_token& stop);
  void drop_connection();

  void refresh_tools();
  void ask_user(const JsonRpcMessage& request);
  /// The answer for the server.
  [[nodiscard]] RawJson put_question(const mcp::ElicitParams& params, const std::stop_token& stop);
  void withdraw_questions();

  const McpServerEntry entry_;
  const McpSettings& settings_;
  McpHost& host_;

  std::mutex connecting_;  ///< One connection is made at a time.
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  McpServerView view_;
  Connection connection_;
  Connection answering_;  ///< The same, also while it is being made.
  bool begun_ = false;
  bool closed_ = false;    ///< For good.
  bool outdated_ = false;  ///< The server has said that its tools have changed.
  bool refreshing_ = false;
  int open_questions_ = 0;
  std::stop_source questions_;  ///< Ends the open ones.
  Threads threads_;
};

}  // namespace parley::agent
