// Requests to the client: permissions, hook callbacks. Each is answered once, withdrawn, or fails
// when the client hangs up.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "message_sink.hpp"

namespace parley::agent {

/// Thread-safe.
class Asker {
 public:
  explicit Asker(MessageSink& messages) : messages_(messages) {}

  enum class End { kAnswered, kFailed, kWithdrawn, kTimeout, kClosed };
  struct Reply {
    End end = End::kClosed;
    RawJson body;       ///< Of kAnswered.
    std::string error;  ///< Of kFailed: what the client said.
  };
  /// Sends the request and waits. A stop or a deadline withdraws it with control_cancel_request,
  /// unless withdraw_all() has done that already.
  /// `on_sent` is called once the client has been told.
  Reply ask(ControlBody body, std::stop_token stop,
            std::optional<std::chrono::milliseconds> timeout = std::nullopt,
            const std::function<void()>& on_sent = {});

  /// The same for a question that belongs to a tool's work: withdraw_all() leaves it alone, a stop
  /// withdraws it.
  Reply ask_while_working(ControlBody body, std::stop_token stop);
  /// Passes something on to an MCP server in the client. It is never withdrawn: what is said to the
  /// server has words of its own for that.
  Reply pass_on(ControlBody body, std::stop_token stop, std::chrono::milliseconds timeout,
                const std::function<void()>& on_sent = {});
  /// Sends a request whose answer nobody waits for.
  void tell(ControlBody body);

  /// The client has answered. Unknown ids and second answers change nothing.
  void answered(const ControlResponse& response);
  /// Withdraws everything that waits. `on_told` is called between telling the client and letting
  /// who waits go on: what it says comes before what they say.
  void withdraw_all(const std::function<void()>& on_told = {});
  /// The client has hung up: what waits fails, and so does whatever is asked from now on.
  void close();
  /// What waits for an answer, for the reply to a second `initialize`.
  [[nodiscard]] std::vector<ControlRequest> pending() const;

 private:
  /// Who takes a request back, besides the end of the wait.
  enum class Withdrawal { kByAnybody, kByStop, kNever };
  struct Waiting {
    ControlRequest request;
    std::optional<Reply> answer;
    Withdrawal withdrawal = Withdrawal::kByAnybody;
  };
  Reply send_and_wait(ControlBody body, std::stop_token stop,
                      std::optional<std::chrono::milliseconds> timeout,
                      const std::function<void()>& on_sent, Withdrawal withdrawal);
  void withdraw(const std::string& id);

  MessageSink& messages_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<std::string, Waiting> waiting_;
  bool closed_ = false;
};

}  // namespace parley::agent
