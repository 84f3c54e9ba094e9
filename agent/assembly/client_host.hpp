// The way from MCP servers to the client: messages to servers that live in it, questions to its
// user.
#pragma once

#include "../connection/asker.hpp"
#include "../mcp/servers.hpp"
#include "../session/config/debug_log.hpp"
#include "../session/config/session_config.hpp"

namespace parley::agent {

/// What the servers of a session share.
[[nodiscard]] McpSettings mcp_settings(const SessionConfig& config);

/// Thread-safe.
class ClientHost final : public McpHost {
 public:
  /// All of them live longer.
  ClientHost(Asker& asker, MessageSink& messages, const DebugLog& debug)
      : asker_(asker), messages_(messages), debug_(debug) {}

  Result<RawJson> pass(const std::string& server, const JsonRpcMessage& message,
                       const std::stop_token& stop, std::chrono::milliseconds patience,
                       const std::function<void()>& on_sent) override;
  void tell(const std::string& server, const JsonRpcMessage& message) override;
  control::ElicitationReply ask_user(const control::Elicitation& question,
                                     const std::stop_token& stop) override;
  void elicitation_complete(const std::string& server, const std::string& id) override;
  void log(std::string_view text) override { debug_.write(text); }

 private:
  Asker& asker_;
  MessageSink& messages_;
  const DebugLog& debug_;
};

}  // namespace parley::agent
