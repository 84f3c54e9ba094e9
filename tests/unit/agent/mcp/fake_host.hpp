// A client with MCP servers of its own, as the agent sees it, within the test.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "agent/mcp/host.hpp"
#include "wire/codec/codec.hpp"

namespace parley::agent {

/// Thread-safe.
class ScriptedHost final : public McpHost {
 public:
  /// What the client says to a message: a JSON-RPC message, or an error. May wait.
  using Answer =
      std::function<Result<RawJson>(const JsonRpcMessage& message, const std::stop_token& stop)>;
  explicit ScriptedHost(Answer answer = well_behaved) : answer_(std::move(answer)) {}

  /// A server with the tool `add` that says "11" to everything.
  static Result<RawJson> well_behaved(const JsonRpcMessage& message, const std::stop_token&) {
    if (message.method == "initialize") {
      return result(message, R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
                             R"("serverInfo":{"name":"calc","version":"1"}})");
    }
    if (message.method == "tools/list") {
      return result(message, R"({"tools":[{"name":"add","inputSchema":{"type":"object"}}]})");
    }
    if (message.method == "tools/call") {
      return result(message, R"({"content":[{"type":"text","text":"11"}]})");
    }
    return RawJson(R"({"jsonrpc":"2.0","id":0,"result":{}})");
  }
  static RawJson result(const JsonRpcMessage& message, const std::string& json) {
    return RawJson(R"({"jsonrpc":"2.0","id":)" + message.id.value_or(RawJson("0")).text +
                   R"(,"result":)" + json + "}");
  }

  Result<RawJson> pass(const std::string& /*server*/, const JsonRpcMessage& message,
                       const std::stop_token& stop, std::chrono::milliseconds /*patience*/,
                       const std::function<void()>& on_sent) override {
    note(message);
    if (on_sent) on_sent();
    return answer_(message, stop);
  }
  void tell(const std::string& /*server*/, const JsonRpcMessage& message) override {
    note(message);
  }
  control::ElicitationReply ask_user(const control::Elicitation& /*question*/,
                                     const std::stop_token& /*stop*/) override {
    return {};
  }
  void elicitation_complete(const std::string& /*server*/, const std::string& /*id*/) override {}
  void log(std::string_view text) override {
    const std::lock_guard lock(mutex_);
    logged_.emplace_back(text);
  }

  /// The methods of what was said to servers, in order; "" for answers.
  [[nodiscard]] std::vector<std::string> methods() const {
    const std::lock_guard lock(mutex_);
    return methods_;
  }
  [[nodiscard]] std::string log() const {
    const std::lock_guard lock(mutex_);
    std::string all;
    for (const std::string& line : logged_) all += line + "\n";
    return all;
  }

 private:
  void note(const JsonRpcMessage& message) {
    const std::lock_guard lock(mutex_);
    methods_.push_back(message.method.value_or(""));
  }

  const Answer answer_;
  mutable std::mutex mutex_;
  std::vector<std::string> methods_, logged_;
};

}  // namespace parley::agent
