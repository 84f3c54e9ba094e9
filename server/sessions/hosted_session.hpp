// One session that the hub owns: its log, the state that follows from it, and the agent while one
// runs. Everything that happens is recorded first and told to subscribers after that.
//
// Thread rule: all of it on the hub's loop. What comes from threads of the agent is posted there.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>

#include "client/session.hpp"
#include "server/log/log.hpp"
#include "server/log/upkeep.hpp"
#include "server/sessions/agent_record.hpp"
#include "server/sessions/session_state.hpp"
#include "server/sessions/workers.hpp"
#include "transport/loop.hpp"

namespace parley::server {

class HostedSession;

/// Of an agent, in bytes; longer ones are left out. A page must be able to take any event beside
/// what waits for it already (http::Limits::unsent).
inline constexpr std::size_t kLongestMessage = std::size_t{12} << 20;

/// The permission mode of this name. kInvalid if there is none; kPermission for the one that asks
/// for nothing, unless agents are started so that it is there.
[[nodiscard]] Result<PermissionMode> check_mode(std::string_view name, bool bypass);

/// Whoever follows a session. It must not unsubscribe others from within a call.
class Subscriber {
 public:
  virtual ~Subscriber() = default;
  /// `record` is the newest; `previous` is the number of the one before it.
  virtual void on_event(HostedSession& session, const Record& record, std::uint64_t previous) = 0;
  /// Something has happened that could not be recorded; the agent is stopped.
  virtual void on_log_failure(HostedSession& session, const Error& error) = 0;
};

/// Numbers for /metrics.
struct Meters {
  std::uint64_t events = 0;
  std::uint64_t event_bytes = 0;
  std::uint64_t prompts = 0;
  std::uint64_t requests = 0;
  std::uint64_t answers = 0;
  std::uint64_t agents_started = 0;
  std::uint64_t agents_failed = 0;
  std::uint64_t catch_ups = 0;  ///< Clients that were too slow for the live stream.
};

/// What all sessions share. Owned by the hub, which outlives them.
struct Surroundings {
  Loop& loop;
  Workers& calls;    ///< Wait for answers of agents.
  Workers& closing;  ///< Wait for the ends of agents.
  Workers& files;    ///< Wait for disks.
  Upkeep& upkeep;
  Meters& meters;
  /// Options for an agent on this loop; what is particular to a session is filled in by it.
  std::function<Options()> agent_options;
  /// Where agents keep their transcripts.
  const std::vector<std::string>& transcript_roots;
  /// The summary of a session is not what it was.
  std::function<void(HostedSession&)> on_changed;
  /// Models, agents and commands that a new agent has told about.
  std::function<void(const control::InitializeReply&)> on_initialized;
};

class HostedSession : public std::enable_shared_from_this<HostedSession> {
 public:
  using Done = std::function<void(Result<void>)>;
  using Replied = std::function<void(Result<RawJson>)>;

  HostedSession(Surroundings& surroundings, std::unique_ptr<SessionLog> log, SessionState state);
  ~HostedSession();
  HostedSession(const HostedSession&) = delete;
  HostedSession& operator=(const HostedSession&) = delete;

  [[nodiscard]] const SessionState& state() const { return state_; }
  [[nodiscard]] const std::string& id() const { return state_.id(); }
  [[nodiscard]] SessionLog& log() { return *log_; }
  /// Why the last event could not be recorded, until one can be.
  [[nodiscard]] const std::optional<Error>& log_failure() const { return log_failure_; }
  /// Whether a process runs for it, or has still to end.
  [[nodiscard]] bool has_agent() const { return agent_ || leaving_ || looking_; }

  /// Folds what is in the log already and puts right what a crash of the server has left: an agent
  /// that is gone, requests that nobody waits for any more.
  Result<void> recover();
  Result<void> record_settings(const Json& settings);

  /// Starts the agent, or resumes it. No-op while one runs; while the last one has still to end, or
  /// its record has to be read first, it is started after that.
  Result<void> launch();
  /// Accepts a prompt, once per `client_id`; starts the agent if none runs. The number of its
  /// event. kTooLarge if too much waits already.
  Result<std::uint64_t> send(const std::string& client_id, const Json& content,
                             std::string_view by);
  /// Withdraws a prompt that the agent has not begun with.
  void take_back(const std::string& client_id, Done done);
  /// Answers a request, if nobody has yet.
  Result<void> answer(const std::string& request_id, const Json& answer);
  void interrupt(Done done);
  void set_model(const std::string& model, Done done);
  void set_mode(const std::string& mode, Done done);
  void set_title(const std::string& title, Done done);
  /// Any control request of the protocol, for the raw wire.
  void request(RawJson body, Replied done);
  /// Ends the agent; the session can be resumed.
  void close(Done done);
  /// The same, and nothing happens in it any more.
  void retire(Done done);

  /// Calls when the agent has answered `initialize`, or with the reason why it will not.
  void when_ready(std::function<void(Result<control::InitializeReply>)> ready);

  void subscribe(Subscriber& subscriber) { subscribers_.insert(&subscriber); }
  void unsubscribe(Subscriber& subscriber) { subscribers_.erase(&subscriber); }

  /// Saves the state, so that opening the session again is quick.
  void save();
  /// The process of the agent, for tests and the curious.
  [[nodiscard]] std::optional<int> pid() const;

 private:
  struct Pending;
  struct Agent;
  class Watch;

  Result<std::uint64_t> record(std::string event, bool transient = false,
                               const Message* message = nullptr);
  void on_readable();
  void on_message(const Message& message);
  void on_request(const std::shared_ptr<Pending>& pending);
  void on_withdrawn(const std::string& request_id);
  void on_connected();
  void on_bad_line(const Error& error, const std::string& beginning);
  void on_agent_end();
  void resolve_all(std::string_view reason);
  Result<void> start_agent();
  void look_into_record();
  void on_record(const AgentRecord& found);
  bool begin_anew();
  void deliver_waiting();
  void with_agent(std::function<Result<void>(Session&)> call, Json settings, Done done);
  void give_up(const Error& error);
  void end_agent(std::string last_event);
  void dismiss_agent();
  void on_agent_gone();
  /// Runs a call that waits for the agent, a few at a time. kTooLarge if too many wait already.
  Result<void> call_agent(std::function<void(Session&)> call);
  void tell_ready(const Result<control::InitializeReply>& reply);
  void on_turn_over();
  void tidy_later();
  void tidy();
  void note_change();

  Surroundings& around_;
  std::unique_ptr<SessionLog> log_;
  std::optional<Error> log_failure_;
  SessionState state_;
  std::shared_ptr<Agent> agent_;
  bool leaving_ = false;  ///< The last agent has still to end.
  bool looking_ = false;  ///< The agent's record is read before it is started.
  bool wanted_ = false;   ///< Another one is to be started then.
  bool retired_ = false;
  std::vector<Done> when_gone_;  ///< Told when the last agent has ended.
  std::set<Subscriber*> subscribers_;
  std::vector<std::function<void(Result<control::InitializeReply>)>> ready_;
  std::uint64_t saved_seq_ = 0;
  std::uint64_t turn_over_seq_ = 0;  ///< Up to there all turns are over.
  bool tidy_due_ = false;            ///< tidy() will be called.
  std::size_t bad_lines_ = 0;        ///< Of the agent that was started last.
  std::string headline_;             ///< The last one that clients were told of.
};

}  // namespace parley::server
