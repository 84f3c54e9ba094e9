// An MCP server on the web, in the newer way: each message is a POST, whose answer is a message or
// a stream of them; what the server says by itself comes on a stream that is asked for.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

#include "http_exchange.hpp"

namespace parley::agent {

class HttpTransport final : public ServerTransport {
 public:
  explicit HttpTransport(McpWebAccess access) : access_(std::move(access)) {}
  ~HttpTransport() override { close(); }

  Result<void> open(McpReceiver& receiver, const McpSendOptions& options) override;
  Result<void> send(const JsonRpcMessage& message, const McpSendOptions& options) override;
  void established(const std::string& protocol_version) override;
  void close() override;

 private:
  [[nodiscard]] std::vector<std::string> headers(const std::string& accept) const;
  bool take(std::string_view data);
  Result<void> go_on(McpHttpAnswer answer, const McpSendOptions& options,
                     std::chrono::steady_clock::time_point deadline);
  Result<McpHttpAnswer> listen(const std::string& last_event_id, std::stop_token stop,
                               std::chrono::milliseconds patience, bool until_answer);
  void listen_always(const std::stop_token& stop);
  bool pause(std::chrono::milliseconds time, const std::stop_token& stop) const;

  const McpWebAccess access_;
  McpReceiver* receiver_ = nullptr;
  std::stop_source closing_;
  mutable std::mutex mutex_;  ///< Guards the two below.
  std::string session_id_, protocol_version_;
  std::mutex ending_;
  std::jthread listener_;
  bool closed_ = false;
};

}  // namespace parley::agent
