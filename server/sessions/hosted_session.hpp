// One session that the hub owns: its record, and the agent while one runs. What clients ask of it
// is in session_input.cpp, the life of the agent and what it says in hosted_session.cpp.
//
// Thread rule: all of it on the hub's loop.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/agents/agent_listener.hpp"
#include "server/sessions/recorder.hpp"

namespace parley {
class Session;
}

namespace parley::server {

class AgentProcess;
struct AgentRecord;

class HostedSession final : public AgentListener,
                            public std::enable_shared_from_this<HostedSession> {
 public:
  using Done = std::function<void(Result<void>)>;
  using Replied = std::function<void(Result<RawJson>)>;
  using Ready = std::function<void(Result<control::InitializeReply>)>;

  HostedSession(HubContext& context, std::unique_ptr<SessionLog> log, SessionState state);
  ~HostedSession() override;
  HostedSession(const HostedSession&) = delete;
  HostedSession& operator=(const HostedSession&) = delete;

  [[nodiscard]] const SessionState& state() const { return recorder_->state(); }
  [[nodiscard]] const std::string& id() const { return state().id(); }
  [[nodiscard]] SessionLog& log() { return recorder_->log(); }
  /// Why the last event could not be recorded, until one can be.
  [[nodiscard]] const std::optional<Error>& log_failure() const { return recorder_->failure(); }
  /// Whether a process runs for it, or has still to end.
  [[nodiscard]] bool has_agent() const { return agent_ || leaving_ || looking_; }
  /// The process of the agent, for tests and the curious.
  [[nodiscard]] std::optional<int> pid() const;

  /// Derives the state from the log and puts right what a crash of the server has left: an agent
  /// that is gone, requests that nobody waits for any more.
  Result<void> recover();
  Result<void> record_settings(const Json& settings);
  /// Saves the state, so that opening the session again is quick.
  void save() { recorder_->save(); }

  /// Starts the agent, or resumes it. No-op while one runs; while the last one has still to end, or
  /// its record has to be read first, it is started after that.
  Result<void> launch();
  /// Calls when the agent has answered `initialize`, or with the reason why it will not.
  void when_ready(Ready ready);
  /// Ends the agent; the session can be resumed.
  void close(Done done);
  /// The same, and nothing happens in it any more.
  void retire(Done done);

  /// Accepts a prompt, once per `client_id`; starts the agent if none runs. The number of its
  /// event. `too_large` if too much waits already.
  Result<std::uint64_t> send(const std::string& client_id, const Json& content,
                             std::string_view by);
  /// Withdraws a prompt that the agent has not begun with.
  void withdraw(const std::string& client_id, Done done);
  /// Answers a request, if nobody has yet.
  Result<void> answer(const std::string& request_id, const Json& answer);
  void interrupt(Done done);
  void set_model(const std::string& model, Done done);
  void set_mode(const std::string& mode, Done done);
  void set_title(const std::string& title, Done done);
  /// Any control request of the protocol, for the raw wire.
  void request(RawJson body, Replied done);

  void subscribe(Subscriber& subscriber) { recorder_->subscribe(subscriber); }
  void unsubscribe(Subscriber& subscriber) { recorder_->unsubscribe(subscriber); }

  void on_agent_ready(const control::InitializeReply& reply) override;
  void on_agent_message(const Message& message, std::string_view line) override;
  void on_agent_request(const std::string& id, control::CanUseTool ask,
                        std::string_view request) override;
  void on_agent_withdrawal(const std::string& request_id) override;
  void on_agent_bad_line(const Error& error, std::string_view beginning) override;
  void on_agent_end() override;

 private:
  Result<std::uint64_t> record(std::string event) { return recorder_->record(std::move(event)); }
  Result<void> start_agent();
  void look_into_record();
  void on_record(const AgentRecord& found);
  bool begin_anew();
  void deliver_waiting();
  void give_up(const Error& error);
  void end_agent(std::string last_event);
  void dismiss_agent();
  void on_agent_gone();
  void tell_ready(const Result<control::InitializeReply>& reply);
  [[nodiscard]] bool allows_bypass() const;
  /// Runs a call that waits for the agent; if it went well, records the settings it changed.
  void with_agent(std::function<Result<void>(Session&)> call, Json settings, Done done);

  HubContext& context_;
  const std::shared_ptr<Recorder> recorder_;
  std::shared_ptr<AgentProcess> agent_;
  // Of the agent that was started last.
  std::map<std::string, control::CanUseTool> requests_;  ///< Wait for a person.
  std::size_t bad_lines_ = 0;
  bool refused_ = false;  ///< It has no conversation of the session that it was to resume.

  bool leaving_ = false;         ///< The last agent has still to end.
  bool looking_ = false;         ///< The agent's record is read before it is started.
  bool wanted_ = false;          ///< Another one is to be started then.
  std::vector<Done> when_gone_;  ///< Told when the last agent has ended.
  std::vector<Ready> ready_;
};

}  // namespace parley::server
