// The agent of a session while it runs: a process behind the client library. It tells one listener
// what the agent says, and runs the calls that have to wait for it.
//
// Thread rule: on the hub's loop, but for calls (call()), which run on workers and keep it alive.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "client/session.hpp"
#include "server/agents/agent_listener.hpp"
#include "server/threads/call_limiter.hpp"
#include "server/threads/workers.hpp"

namespace parley::server {

/// Of an agent, in bytes; longer ones are left out. A page must be able to take any event beside
/// what waits for it already (http::Limits::unsent).
inline constexpr std::size_t kLongestMessage = std::size_t{12} << 20;

class AgentProcess : public std::enable_shared_from_this<AgentProcess> {
 public:
  /// `options` say what is to be run; how it is listened to is decided here. `calls` run what waits
  /// for the agent.
  static std::shared_ptr<AgentProcess> make(Options options, Loop& loop, Workers& calls,
                                            std::weak_ptr<AgentListener> listener);

  /// Starts it, a little less important than the server. Once.
  Result<void> start();
  /// Its listener hears no more of it. Its end may take a while, which a thread of `closing` waits
  /// for; `gone` is called there.
  void dismiss(Workers& closing, std::function<void()> gone);

  Result<void> send(Prompt prompt);
  /// Answers a question of on_agent_request(); no-op if it does not wait for it any more.
  void answer(const std::string& request_id, const RawJson& body);
  /// Runs a call that waits for the agent, a few at a time. `too_large` if too many wait already.
  /// An agent that is dismissed meanwhile is called, too: that fails at once.
  Result<void> call(std::function<void(Session&)> call);

  /// What it answered `initialize` with; nothing before on_agent_ready().
  [[nodiscard]] const std::optional<control::InitializeReply>& ready() const { return ready_; }
  /// Why it has ended, if not well.
  [[nodiscard]] std::optional<Failure> failure() const { return session_->failure(); }
  [[nodiscard]] std::optional<int> pid() const { return session_->pid(); }

 private:
  AgentProcess(Loop& loop, Workers& calls, std::weak_ptr<AgentListener> listener)
      : listener_(std::move(listener)), calls_(std::make_shared<CallLimiter>(loop, calls)) {}
  void read();
  void pass_on(AgentListener& listener, ReceivedLine& line);

  const std::weak_ptr<AgentListener> listener_;
  const std::shared_ptr<CallLimiter> calls_;
  std::optional<Session> session_;  ///< Always, but while it is made.
  std::optional<control::InitializeReply> ready_;
  bool listening_ = false;  ///< It has started and was not dismissed.
};

}  // namespace parley::server
