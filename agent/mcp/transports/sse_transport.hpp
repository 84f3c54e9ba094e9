// An MCP server on the web, in the older way: one stream of events for all that it says, and an
// address, named by the first event, that takes what it is told.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "http_exchange.hpp"

namespace parley::agent {

class SseTransport final : public ServerTransport {
 public:
  explicit SseTransport(McpWebAccess access) : access_(std::move(access)) {}
  ~SseTransport() override { close(); }

  Result<void> open(McpReceiver& receiver, const McpSendOptions& options) override;
  Result<void> send(const JsonRpcMessage& message, const McpSendOptions& options) override;
  void close() override;

 private:
  void listen(McpReceiver& receiver, const std::stop_token& stop);

  const McpWebAccess access_;
  std::mutex mutex_;  ///< Guards the two below.
  std::string endpoint_;
  std::optional<Error> failure_;
  std::condition_variable_any changed_;
  std::mutex ending_;
  std::jthread listener_;
};

}  // namespace parley::agent
