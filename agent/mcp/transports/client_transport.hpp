// An MCP server that lives in the client: each message is a control request of the agent, and an
// answer comes back as the answer to it.
#pragma once

#include <mutex>

#include "../host.hpp"
#include "../transport.hpp"

namespace parley::agent {

class ClientTransport final : public ServerTransport {
 public:
  ClientTransport(std::string server, McpHost& host) : server_(std::move(server)), host_(host) {}

  Result<void> open(McpReceiver& receiver, const McpSendOptions& options) override;
  Result<void> send(const JsonRpcMessage& message, const McpSendOptions& options) override;
  bool tell(const JsonRpcMessage& message) override;
  void close() override;
  /// The server has something to say by itself.
  void deliver(std::string_view json);

 private:
  const std::string server_;
  McpHost& host_;
  std::mutex mutex_;
  McpReceiver* receiver_ = nullptr;
};

}  // namespace parley::agent
