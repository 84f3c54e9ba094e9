// JSON-RPC over a transport: requests that wait for their answers, and what the server asks and
// tells by itself.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include "transport.hpp"

namespace parley::agent {

/// Takes what a server says by itself, on threads of the transport. Returns soon.
class McpPeer {
 public:
  virtual ~McpPeer() = default;
  /// To be answered with reply().
  virtual void on_request(const JsonRpcMessage& request) = 0;
  virtual void on_notification(const JsonRpcMessage& notification) = 0;
  /// The server is gone.
  virtual void on_closed(const Error& why) = 0;
  /// Something that cannot be understood; it changes nothing else.
  virtual void on_nonsense(std::string_view what) = 0;
};

struct McpRequest {
  std::int64_t id = 0;  ///< Of new_id().
  std::string method;
  std::optional<RawJson> params;
  std::chrono::milliseconds patience{30'000};
  std::stop_token stop;
  bool tells_when_late = true;  ///< The server hears that nobody waits any more.
  std::function<void()> on_sent;
  std::function<void(const mcp::ProgressParams& progress)> on_progress;
};

/// Thread-safe. Every request ends: with the one answer that counts, when its time is over, when it
/// is stopped, or when the server is gone. Answers to requests that nobody made, and second ones,
/// are nonsense.
class ServerConnection final : private McpReceiver {
 public:
  /// The peer lives longer.
  ServerConnection(std::unique_ptr<ServerTransport> transport, McpPeer& peer);
  ~ServerConnection() override;
  ServerConnection(const ServerConnection&) = delete;
  ServerConnection& operator=(const ServerConnection&) = delete;

  Result<void> open(const McpSendOptions& options);
  [[nodiscard]] std::int64_t new_id();
  /// The result. Errors: `remote` if the server says one, `timeout`, `cancelled`, `closed`,
  /// `too_large`.
  Result<RawJson> request(const McpRequest& request);
  Result<void> notify(const std::string& method, std::optional<RawJson> params,
                      const McpSendOptions& options);
  /// Answers a request of the server.
  void reply(const JsonRpcMessage& answer);
  /// Tells the server that nobody waits for the answers to `ids` any more, where that can be done
  /// at once; those who wait learn of it by their stop tokens. For the thread that is about to stop
  /// them and must not wait.
  void announce_cancellation(const std::string& reason);
  [[nodiscard]] ServerTransport& transport() { return *transport_; }
  [[nodiscard]] bool closed() const;
  /// Everything that waits fails. Returns when nothing is received any more.
  void close();

 private:
  struct Waiting {
    std::optional<JsonRpcMessage> answer;
    std::optional<Error> failure;
    const McpRequest* request = nullptr;
    bool cancellable = false;        ///< It is a call that an interrupt ends.
    bool cancellation_told = false;  ///< The server knows that nobody waits.
  };

  bool on_message(std::string_view json) override;
  void on_too_long(std::string_view beginning) override;
  void on_closed(const Error& why) override;
  bool on_answer(JsonRpcMessage answer);
  void on_progress(const JsonRpcMessage& notification);
  void fail_all(const Error& why);
  Result<RawJson> result_of(Waiting waiting) const;
  void tell_cancelled(std::int64_t id, const std::string& reason);

  const std::unique_ptr<ServerTransport> transport_;
  McpPeer& peer_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::int64_t next_id_ = 0;
  std::map<std::int64_t, Waiting> waiting_;
  std::optional<Error> closed_;
};

}  // namespace parley::agent
