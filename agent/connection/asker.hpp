// Requests to the client: permissions, hook callbacks. Each is answered once, withdrawn, or fails
// when the client hangs up.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

#include "message_sink.hpp"

namespace parley::agent {

/// Thread-safe.
class Asker {
 public:
  explicit Asker(MessageSink& messages) : messages_(messages) {}

  enum class End { answered, failed, withdrawn, timeout, closed };
  struct Reply {
    End end = End::closed;
    RawJson body;       ///< Of `answered`.
    std::string error;  ///< Of `failed`: what the client said.
  };
  /// Sends the request and waits. A stop or a deadline withdraws it with control_cancel_request,
  /// unless withdraw() has done that already.
  /// `on_sent` is called once the client has been told. `who`: the agent that asks; empty for the
  /// session itself.
  Reply ask(ControlBody body, std::stop_token stop,
            std::optional<std::chrono::milliseconds> timeout = std::nullopt,
            const std::function<void()>& on_sent = {}, const std::string& who = {});

  /// The work of one agent is waited for by another, or by the session (empty): what ends that one
  /// ends the questions of both. Without this an agent stands alone.
  void set_awaited(const std::string& agent, const std::string& by);
  /// Nobody waits for it any more.
  void set_alone(const std::string& agent);

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
  /// Withdraws what these ask, and what those ask whom they wait for. `on_told` is called between
  /// telling the client and letting who waits go on: what it says comes before what they say.
  void withdraw(const std::set<std::string>& whose, const std::function<void()>& on_told = {});
  /// Withdraws everything that waits.
  void withdraw_all(const std::function<void()>& on_told = {});
  /// The client has hung up: what waits fails, and so does whatever is asked from now on.
  void close();
  /// What waits for an answer, for the reply to a second `initialize`.
  [[nodiscard]] std::vector<ControlRequest> pending() const;

 private:
  /// Who takes a request back, besides the end of the wait.
  enum class Withdrawal { by_anybody, by_stop, never };
  struct Waiting {
    ControlRequest request;
    std::string who;
    Withdrawal withdrawal = Withdrawal::by_anybody;
    std::optional<Reply> answer = {};
  };
  Reply send_and_wait(ControlBody body, std::stop_token stop,
                      std::optional<std::chrono::milliseconds> timeout,
                      const std::function<void()>& on_sent, Withdrawal withdrawal,
                      const std::string& who);
  void cancel(const std::string& id);
  [[nodiscard]] bool belongs_to(std::string who, const std::set<std::string>& whose) const;

  MessageSink& messages_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<std::string, Waiting> waiting_;
  std::map<std::string, std::string> awaited_by_;
  bool closed_ = false;
};

}  // namespace parley::agent
