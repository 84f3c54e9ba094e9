// All MCP servers of a session: which there are, what they offer together, and what a client does
// with them while the session runs.
#pragma once

#include "server.hpp"

namespace parley::agent {

/// Thread-safe.
class McpServers {
 public:
  McpServers(McpSettings settings, McpHost& host) : settings_(std::move(settings)), host_(host) {}
  ~McpServers() { end(); }
  McpServers(const McpServers&) = delete;
  McpServers& operator=(const McpServers&) = delete;

  using Server = std::shared_ptr<McpServer>;

  /// Adds the servers that the session starts with, and connects to all of them at the same time.
  /// Those in the client wait for start_waiting().
  void start(McpEntries entries);
  /// Connects to the servers in the client that are there and not yet connected to.
  void start_waiting();
  /// Adds servers that live in the client. Returns when each has been sent its first message; the
  /// rest of the handshake waits for `go_on`.
  void start_in_client(const std::vector<McpServerEntry>& entries, std::shared_future<void> go_on);
  /// Entries that could not be used.
  [[nodiscard]] std::vector<InitMcpServerError> problems() const;

  /// Waits until every server is connected or has failed, and its list of tools is the latest. Each
  /// takes a limited time for that.
  void wait_until_settled(const std::stop_token& stop) const;

  [[nodiscard]] std::vector<Server> all() const;
  [[nodiscard]] Server find(const std::string& name) const;
  /// The server that a full name of a tool belongs to, and the server's own name for the tool.
  struct ToolAddress {
    Server server;
    std::string tool;
  };
  [[nodiscard]] std::optional<ToolAddress> address_of(std::string_view tool_name) const;
  /// What the servers offer, by name.
  [[nodiscard]] std::vector<SharedTool> tools() const;
  /// How many characters it takes to describe them all to the model.
  [[nodiscard]] std::size_t description_length() const;
  /// Null if there is no such tool.
  [[nodiscard]] SharedTool tool(std::string_view name) const;
  /// What the servers say about their use, each below its name; empty if none says anything.
  [[nodiscard]] std::string instructions() const;
  /// Whether any server has resources, or had some.
  [[nodiscard]] bool any_resources() const;

  /// Replaces what was set this way before, and connects to what is new. Returns when that is done.
  control::McpSetServersReply set_servers(const std::vector<McpServerEntry>& wanted,
                                          Map<std::string> errors, const std::stop_token& stop);
  /// Tells the servers that can be told at once that the calls of a turn are given up.
  void announce_cancellation() const;
  /// Something that takes its time, on a thread of its own.
  void in_background(std::function<void(const std::stop_token& stop)> work) {
    threads_.run(std::move(work));
  }
  [[nodiscard]] const McpSettings& settings() const { return settings_; }
  /// Leaves all servers and ends those that the agent has started.
  void end();

 private:
  void add(const Server& server);
  void connect_in_background(const Server& server, const McpConnectOptions& options);
  Server take(const std::string& name);

  const McpSettings settings_;
  McpHost& host_;
  mutable std::mutex mutex_;
  mutable std::condition_variable_any changed_;
  std::vector<Server> servers_;
  std::vector<std::string> set_by_client_;
  std::vector<InitMcpServerError> problems_;
  mutable bool had_resources_ = false;
  int connecting_ = 0;
  bool ended_ = false;
  Threads threads_;
};

}  // namespace parley::agent
