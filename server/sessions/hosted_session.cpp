#include "server/sessions/hosted_session.hpp"

#include <sys/resource.h>

#include <cerrno>
#include <utility>

#include "client/observer.hpp"
#include "server/sessions/answers.hpp"
#include "server/sessions/events.hpp"
#include "server/sessions/turnstile.hpp"
#include "wire/control/control.hpp"
#include "wire/ids.hpp"

namespace parley::server {
namespace {

/// Events after which the state is saved at the end of a turn.
constexpr std::uint64_t kEventsBetweenSaves = 200;
constexpr std::size_t kReadBytes = std::size_t{1} << 20;
/// Lines of one agent that are recorded as left out. One that says nothing but nonsense must not
/// push everything else out of the log.
constexpr std::size_t kMostBadLines = 100;
/// Prompts that no agent is known to have on record: they are kept to be sent again. Less than an
/// agent that does not read may leave unread (Limits::unsent_bytes), so that none is refused after
/// it was accepted.
constexpr std::size_t kMostWaiting = 200;
constexpr std::size_t kMostWaitingBytes = std::size_t{32} << 20;

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// How much nicer agents are than the server, so that pages stay quick while they are busy.
constexpr int kAgentNiceness = 5;

void make_nicer(int pid) {
  errno = 0;
  const int own = ::getpriority(PRIO_PROCESS, 0);
  // A matter of comfort: without it the agent works just as well.
  if (errno == 0) (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(pid), own + kAgentNiceness);
}

Error retired() { return {ErrorCode::kNotFound, "the session was deleted"}; }

Error not_running() { return {ErrorCode::kClosed, "the agent of this session does not run"}; }

}  // namespace

Result<PermissionMode> check_mode(std::string_view name, bool bypass) {
  const auto mode = Enum<PermissionMode>(name).known();
  if (!mode) {
    return Error(ErrorCode::kInvalid, "there is no permission mode of that name",
                 std::string(name));
  }
  if (*mode == PermissionMode::bypassPermissions && !bypass) {
    return Error(ErrorCode::kPermission,
                 "is not offered here: parley serve was started without --allow-bypass",
                 std::string(name));
  }
  return *mode;
}

/// A request that waits for a person.
struct HostedSession::Pending {
  Pending(PermissionAsk asked, Reply<PermissionAnswer> to)
      : ask(std::move(asked)), reply(std::move(to)) {}

  PermissionAsk ask;
  Reply<PermissionAnswer> reply;
  std::optional<std::stop_callback<std::function<void()>>> withdrawn;
};

/// The process, and what belongs to it. Calls on it that wait run on workers, which keep it alive.
struct HostedSession::Agent {
  Agent(Options options, const Surroundings& around)
      : session(std::move(options)),
        calls(std::make_shared<Turnstile>(around.loop, around.calls)) {}

  Session session;
  bool ready = false;
  bool refused = false;  ///< It has no conversation of the session that it was to resume.
  const std::shared_ptr<Turnstile> calls;
  std::map<std::string, std::shared_ptr<Pending>> pending;
};

/// Hears about the agent on its threads.
class HostedSession::Watch : public Observer {
 public:
  Watch(Loop& loop, std::weak_ptr<HostedSession> session)
      : loop_(loop), session_(std::move(session)) {}

  void on_connected(std::chrono::microseconds) override {
    loop_.post([weak = session_] {
      if (const auto session = weak.lock()) session->on_connected();
    });
  }
  void on_bad_line(const Error& error, std::string_view line) override {
    loop_.post([weak = session_, error, line = std::string(line)] {
      if (const auto session = weak.lock()) session->on_bad_line(error, line);
    });
  }

 private:
  Loop& loop_;
  const std::weak_ptr<HostedSession> session_;
};

HostedSession::HostedSession(Surroundings& surroundings, std::unique_ptr<SessionLog> log,
                             SessionState state)
    : around_(surroundings), log_(std::move(log)), state_(std::move(state)) {}

HostedSession::~HostedSession() = default;

// ---- recording ----------------------------------------------------------------------------------

Result<std::uint64_t> HostedSession::record(std::string event, bool transient,
                                            const Message* message) {
  if (retired_) return retired();
  const std::int64_t time = now_ms();
  const std::uint64_t previous = log_->last();
  auto seq = log_->append(time, transient, event);
  if (!seq) {
    log_failure_ = seq.error();
    for (Subscriber* subscriber : subscribers_) subscriber->on_log_failure(*this, seq.error());
    return seq.error();
  }
  log_failure_.reset();
  if (message != nullptr) {
    state_.apply_message(*seq, time, *message);
  } else {
    state_.apply(*seq, time, event);
  }
  ++around_.meters.events;
  around_.meters.event_bytes += event.size();
  const Record record{*seq, time, transient, std::move(event)};
  for (Subscriber* subscriber : subscribers_) subscriber->on_event(*this, record, previous);
  if (!transient) note_change();
  return *seq;
}

void HostedSession::note_change() {
  std::string headline = state_.headline();
  if (headline == headline_) return;
  headline_ = std::move(headline);
  around_.on_changed(*this);
}

Result<void> HostedSession::record_settings(const Json& settings) {
  const auto seq = record(events::settings(settings));
  if (!seq) return seq.error();
  return {};
}

Result<void> HostedSession::recover() {
  if (const auto snapshot = log_->snapshot()) {
    if (auto state = SessionState::restore(state_.id(), snapshot->state)) {
      state_ = *std::move(state);
      saved_seq_ = snapshot->seq;
    }
  }
  for (std::uint64_t seq = saved_seq_; seq < log_->last();) {
    const auto records = log_->read_after(seq, kReadBytes);
    if (!records) return records.error();
    if (records->empty()) break;
    for (const Record& record : *records) state_.apply(record.seq, record.time, record.event);
    seq = records->back().seq;
  }
  if (state_.alive()) {
    resolve_all("lost");
    const auto detail = Json::object({{"reason", "the server stopped"}});
    if (auto seq = record(events::state("ended", detail)); !seq) return seq.error();
  }
  save();
  log_->rest();
  return {};
}

void HostedSession::save() {
  if (retired_ || log_->last() == saved_seq_) return;
  // Without it the next start reads more of the log; nothing is lost.
  if (log_->save({log_->last(), state_.snapshot()})) saved_seq_ = log_->last();
}

void HostedSession::on_turn_over() {
  turn_over_seq_ = log_->last();
  if (!std::exchange(tidy_due_, true)) tidy_later();
}

void HostedSession::tidy_later() {
  around_.upkeep.add([weak = weak_from_this()] {
    if (const auto session = weak.lock()) session->tidy();
  });
}

void HostedSession::tidy() {
  if (retired_) return;
  const auto more = log_->compact(turn_over_seq_, [weak = weak_from_this(), &loop = around_.loop] {
    loop.post([weak] {
      if (const auto session = weak.lock()) session->tidy_later();
    });
  });
  tidy_due_ = more && *more;
  if (log_->last() - saved_seq_ >= kEventsBetweenSaves) save();
  if (!agent_) log_->rest();
}

// ---- the agent's life ---------------------------------------------------------------------------

Result<void> HostedSession::launch() {
  if (retired_) return retired();
  if (agent_) return {};
  if (leaving_ || looking_) {
    wanted_ = true;
    return {};
  }
  // What an earlier process was given may be in its record, or may be lost with it.
  if (state_.owed_prompts().empty()) return start_agent();
  look_into_record();
  return {};
}

/// Prompts that the agent has on record are not sent again. It would know most of them by their
/// uuids, but not those that it has made one message of.
void HostedSession::look_into_record() {
  looking_ = wanted_ = true;
  std::vector<std::string> prompts;
  for (const SentPrompt* owed : state_.owed_prompts()) prompts.push_back(owed->client_id);
  const std::string& known = state_.agent_session();
  around_.files.run([self = shared_from_this(), prompts = std::move(prompts),
                     session = known.empty() ? state_.new_agent_session() : known] {
    auto record = read_agent_record(self->around_.transcript_roots, session, prompts);
    Loop& loop = self->around_.loop;
    loop.post([self, record = std::move(record)] { self->on_record(record); });
  });
}

void HostedSession::on_record(const AgentRecord& found) {
  looking_ = false;
  if (retired_) return;
  Result<void> noted;
  if (!found.prompts.empty()) {
    if (auto seq = record(events::delivered(found.prompts)); !seq) noted = seq.error();
  }
  if (noted && found.found && state_.agent_session().empty()) {
    // It was killed before it could say so: a new session of this id would be refused.
    noted = record_settings(Json::object({{"agent_session", state_.new_agent_session()}}));
  }
  if (!std::exchange(wanted_, false)) return on_agent_gone();
  if (noted) noted = start_agent();
  if (!noted) tell_ready(noted.error());
}

Result<void> HostedSession::start_agent() {
  Options options = around_.agent_options();
  options.cwd = state_.cwd();
  options.model = state_.model();
  // One that was allowed when it was chosen may not be any more: then the agent asks.
  const bool bypass = options.allow_dangerously_skip_permissions;
  if (const auto mode = check_mode(state_.mode(), bypass)) {
    options.permission_mode = *mode;
  } else if (mode.error().code() == ErrorCode::kPermission) {
    auto seq = record_settings(Json::object({{"mode", "default"}}));
    if (!seq) return seq.error();
  }
  if (state_.agent_session().empty()) {
    options.session_id = state_.new_agent_session();
  } else {
    options.resume = state_.agent_session();
  }
  options.limits.line_bytes = kLongestMessage;
  options.partial_messages = true;
  options.replay_user_messages = true;
  options.on_ready = [weak = weak_from_this()] {
    if (const auto session = weak.lock()) session->on_readable();
  };
  options.observer = std::make_shared<Watch>(around_.loop, weak_from_this());
  options.on_permission = [&loop = around_.loop, weak = weak_from_this()](
                              const PermissionAsk& ask, Reply<PermissionAnswer> reply) {
    auto pending = std::make_shared<Pending>(ask, std::move(reply));
    loop.post([weak, pending] {
      if (const auto session = weak.lock()) session->on_request(pending);
    });
  };
  auto agent = std::make_shared<Agent>(std::move(options), around_);
  resolve_all("lost");  // there are some if the end of the last agent could not be recorded
  if (auto seq = record(events::state("starting", {})); !seq) return seq.error();
  ++around_.meters.agents_started;
  const Result<void> started = agent->session.start();
  if (!started) {
    ++around_.meters.agents_failed;
    (void)record(events::state("failed", Json::object({{"error", started.error().what()}})));
    around_.closing.run([agent] { agent->session.close(); });
    save();
    return started.error();
  }
  if (const auto pid = agent->session.pid()) make_nicer(*pid);
  agent_ = std::move(agent);
  bad_lines_ = 0;
  deliver_waiting();
  return {};
}

void HostedSession::on_connected() {
  if (!agent_ || agent_->ready) return;
  agent_->ready = true;
  if (auto seq = record(events::state("idle", {})); !seq) return give_up(seq.error());
  if (const auto reply = agent_->session.initialized()) {
    around_.on_initialized(*reply);
    tell_ready(*reply);
  }
}

void HostedSession::when_ready(std::function<void(Result<control::InitializeReply>)> ready) {
  if (!agent_ && !wanted_) return ready(not_running());
  if (agent_ && agent_->ready) {
    if (const auto reply = agent_->session.initialized()) return ready(*reply);
  }
  ready_.push_back(std::move(ready));
}

void HostedSession::tell_ready(const Result<control::InitializeReply>& reply) {
  for (const auto& ready : std::exchange(ready_, {})) ready(reply);
}

/// Prompts that are not proven to be in the agent's record: those of before a crash. Agents know a
/// prompt by its uuid and do not run it twice, so one that is there nevertheless does no harm.
void HostedSession::deliver_waiting() {
  for (const SentPrompt* waiting : state_.waiting_prompts()) {
    auto prompt = make_prompt(waiting->client_id, waiting->content);
    if (prompt) (void)agent_->session.send(*std::move(prompt));
  }
}

void HostedSession::on_readable() {
  while (agent_) {
    auto message = agent_->session.try_receive();
    if (!message && message.error().code() == ErrorCode::kTimeout) return;
    if (!message || !*message) return on_agent_end();
    on_message(**message);
  }
}

void HostedSession::on_message(const Message& message) {
  if (std::holds_alternative<KeepAlive>(message)) return;
  const bool transient = std::holds_alternative<StreamEvent>(message);
  const auto* result = std::get_if<ResultMessage>(&message);
  if (result != nullptr && has_no_conversation(*result)) {
    // Not an answer to anybody; what comes of it is decided when it has ended.
    agent_->refused = true;
    return;
  }
  if (auto seq = record(events::agent(encode_message(message)), transient, &message); !seq) {
    return give_up(seq.error());
  }
  if (result != nullptr) on_turn_over();
}

/// What an agent says and nobody can be shown is told at least.
void HostedSession::on_bad_line(const Error& error, const std::string& beginning) {
  // JSON of an unexpected shape has been passed on as it is, or answered.
  if (error.code() == ErrorCode::kUnexpected || ++bad_lines_ > kMostBadLines) return;
  on_readable();  // what it said before
  const bool too_long = error.code() == ErrorCode::kTooLarge;
  std::string detail =
      too_long ? "more than " + std::to_string(kLongestMessage >> 20) + " MiB" : error.what();
  if (bad_lines_ == kMostBadLines) detail += "; more of its lines are left out without a word";
  (void)record(events::left_out(too_long ? "too_long" : "unreadable", detail, beginning));
}

void HostedSession::on_agent_end() {
  const auto failure = agent_->session.failure();
  resolve_all("lost");
  const bool refused =
      agent_->refused || (failure && !agent_->ready && is_session_in_use(failure->stderr_tail));
  if (refused && begin_anew()) {
    dismiss_agent();
    wanted_ = true;
    return;
  }
  Json detail = Json::object();
  if (failure) {
    if (failure->exit.code) detail.set("exit_code", *failure->exit.code);
    if (failure->exit.signal) detail.set("signal", *failure->exit.signal);
    detail.set("stderr", failure->stderr_tail);
    detail.set("error", failure->error.what());
    ++around_.meters.agents_failed;
  }
  dismiss_agent();
  (void)record(events::state(failure ? "failed" : "ended", detail));
  tell_ready(failure ? failure->error : not_running());
  save();
  log_->rest();
}

/// The agent has no record of the session, or not one that can be gone on with, which is not the
/// same as an agent that has died: trying again would never help. The session goes on under another
/// id, with what the log says is owed. False if that cannot be recorded.
bool HostedSession::begin_anew() {
  const bool forgotten = state_.answered();
  if (!record_settings(Json::object({{"agent_session", ""}, {"new_agent_session", make_uuid()}}))) {
    return false;
  }
  if (!forgotten) return true;
  const char* detail = "the agent has no record of the conversation so far; it begins anew";
  return record(events::left_out("forgotten", detail, {})).ok();
}

/// Lets go of the process. Its end may take a while, which a worker waits for.
void HostedSession::dismiss_agent() {
  leaving_ = true;
  agent_->pending.clear();
  around_.closing.run(
      [agent = std::exchange(agent_, nullptr), self = shared_from_this()]() mutable {
        agent->session.close();
        agent.reset();
        Loop& loop = self->around_.loop;
        loop.post([self = std::move(self)] { self->on_agent_gone(); });
      });
}

void HostedSession::on_agent_gone() {
  leaving_ = false;
  for (const Done& done : std::exchange(when_gone_, {})) done({});
  // If it does not start, the log says why.
  if (!std::exchange(wanted_, false)) return;
  if (auto started = launch(); !started) tell_ready(started.error());
}

void HostedSession::close(Done done) {
  wanted_ = false;
  if (done && has_agent()) {
    when_gone_.push_back(std::move(done));
  } else if (done) {
    done({});
  }
  if (agent_) return end_agent(events::state("ended", {}));
  tell_ready(not_running());
  // Between an agent that had to begin anew and the next one.
  if (state_.alive()) (void)record(events::state("ended", {}));
}

/// Without a record there is no session: whatever the agent does next would be lost.
void HostedSession::give_up(const Error& error) {
  wanted_ = false;
  // Shorter than most events, it may have room where they have not.
  if (agent_) end_agent(events::state("failed", Json::object({{"error", error.what()}})));
}

void HostedSession::end_agent(std::string last_event) {
  resolve_all("withdrawn");
  dismiss_agent();
  (void)record(std::move(last_event));
  tell_ready(not_running());
  save();
  log_->rest();
}

void HostedSession::retire(Done done) {
  close(std::move(done));
  retired_ = true;
}

std::optional<int> HostedSession::pid() const {
  return agent_ ? agent_->session.pid() : std::nullopt;
}

// ---- asking -------------------------------------------------------------------------------------

void HostedSession::on_request(const std::shared_ptr<Pending>& pending) {
  if (!agent_) return;
  // The call that is asked about was written before the question; show it first.
  on_readable();
  if (!agent_ || pending->ask.stop.stop_requested()) return;
  const std::string id = pending->ask.request_id;
  ++around_.meters.requests;
  const control::CanUseTool& body = pending->ask;
  if (auto seq = record(events::request(id, encode(ControlBody(body)))); !seq) {
    return give_up(seq.error());
  }
  agent_->pending[id] = pending;
  const std::function<void()> on_stop = [&loop = around_.loop, weak = weak_from_this(), id] {
    loop.post([weak, id] {
      if (const auto session = weak.lock()) session->on_withdrawn(id);
    });
  };
  pending->withdrawn.emplace(pending->ask.stop, on_stop);
}

void HostedSession::on_withdrawn(const std::string& request_id) {
  if (!agent_ || agent_->pending.erase(request_id) == 0) return;
  (void)record(events::resolved(request_id, {}, "withdrawn"));
}

void HostedSession::resolve_all(std::string_view reason) {
  const auto pending = state_.pending();
  for (const auto& [id, seq] : pending) (void)record(events::resolved(id, {}, reason));
}

Result<void> HostedSession::answer(const std::string& request_id, const Json& answer) {
  const auto found = agent_ ? agent_->pending.find(request_id) : decltype(agent_->pending.end()){};
  if (!agent_ || found == agent_->pending.end()) {
    return Error(ErrorCode::kNotFound, "this request does not wait for an answer any more");
  }
  const auto pending = found->second;
  for (const Json& update : answer["updatedPermissions"].items()) {
    const std::string_view mode = update["mode"].as_string();
    const bool bypass = around_.agent_options().allow_dangerously_skip_permissions;
    if (auto known = check_mode(mode, bypass);
        !known && known.error().code() == ErrorCode::kPermission) {
      return known.error();
    }
  }
  auto decision = make_answer(pending->ask, answer);
  if (!decision) return decision.error();
  if (auto seq = record(events::resolved(request_id, answer, "answered")); !seq) return seq.error();
  ++around_.meters.answers;
  agent_->pending.erase(request_id);
  pending->reply.send(*std::move(decision));
  return {};
}

// ---- talking ------------------------------------------------------------------------------------

Result<std::uint64_t> HostedSession::send(const std::string& client_id, const Json& content,
                                          std::string_view by) {
  if (const SentPrompt* known = state_.find_prompt(client_id)) {
    const std::uint64_t seq = known->seq;
    // Accepted before a crash, and nobody is known to have it: whoever asks again wants it to run.
    if (auto started = known->owed() ? launch() : Result<void>(); !started) return started.error();
    return seq;
  }
  auto prompt = make_prompt(client_id, content);
  if (!prompt) return prompt.error();
  const std::size_t bytes = content.dump().size();
  std::size_t waiting_bytes = bytes;
  const auto owed = state_.owed_prompts();
  for (const SentPrompt* each : owed) waiting_bytes += each->content.dump().size();
  if (owed.size() >= kMostWaiting || waiting_bytes > kMostWaitingBytes) {
    return Error(ErrorCode::kTooLarge, "too many prompts wait for the agent already");
  }
  if (auto started = launch(); !started) return started.error();
  const auto seq = record(events::prompt(client_id, content, by));
  if (!seq) return seq.error();
  ++around_.meters.prompts;
  // If there is none any more, or not yet, the prompt stays in the log and goes to the next one.
  if (agent_) (void)agent_->session.send(*std::move(prompt));
  return *seq;
}

/// Also an agent that is dismissed meanwhile is called: that fails at once, and whoever waits is
/// told.
Result<void> HostedSession::call_agent(std::function<void(Session&)> call) {
  return agent_->calls->run([agent = agent_, call = std::move(call)] { call(agent->session); });
}

void HostedSession::take_back(const std::string& client_id, Done done) {
  const SentPrompt* prompt = state_.find_prompt(client_id);
  if (prompt == nullptr) return done(Error(ErrorCode::kNotFound, "there is no such prompt"));
  if (prompt->taken_back) return done({});
  const auto withdraw = [this](const std::string& id) -> Result<void> {
    const auto seq = record(events::taken_back(id));
    if (!seq) return seq.error();
    return {};
  };
  if (prompt->begun || prompt->delivered)
    return done(Error(ErrorCode::kInvalid, "the agent has begun with it"));
  if (!agent_) return done(withdraw(client_id));
  const auto queued =
      call_agent([client_id, done, withdraw, self = shared_from_this()](Session& session) {
        const auto cancelled = session.cancel_message(client_id);
        self->around_.loop.post([self, cancelled, client_id, done, withdraw] {
          if (!cancelled) return done(cancelled.error());
          if (!*cancelled) return done(Error(ErrorCode::kInvalid, "the agent has begun with it"));
          done(withdraw(client_id));
        });
      });
  if (!queued) done(queued);
}

/// Runs a call that waits for the agent; if it went well, records the settings it changed.
void HostedSession::with_agent(std::function<Result<void>(Session&)> call, Json settings,
                               Done done) {
  const auto finish = [this, settings](Result<void> result) -> Result<void> {
    if (!result || settings.members().empty()) return result;
    return record_settings(settings);
  };
  if (!agent_) return done(settings.members().empty() ? not_running() : finish({}));
  const auto queued = call_agent(
      [call = std::move(call), done, finish, self = shared_from_this()](Session& session) {
        const Result<void> result = call(session);
        self->around_.loop.post([self, result, done, finish] { done(finish(result)); });
      });
  if (!queued) done(queued);
}

void HostedSession::interrupt(Done done) {
  with_agent(
      [](Session& session) -> Result<void> {
        const auto receipt = session.interrupt();
        if (!receipt) return receipt.error();
        return {};
      },
      {}, std::move(done));
}

void HostedSession::set_model(const std::string& model, Done done) {
  with_agent(
      [model](Session& session) -> Result<void> {
        const auto set = session.set_model(model);
        if (!set) return set.error();
        return {};
      },
      Json::object({{"model", model}}), std::move(done));
}

void HostedSession::set_mode(const std::string& mode, Done done) {
  const auto wanted = check_mode(mode, around_.agent_options().allow_dangerously_skip_permissions);
  if (!wanted) return done(wanted.error());
  with_agent([value = *wanted](Session& session) { return session.set_permission_mode(value); },
             Json::object({{"mode", mode}}), std::move(done));
}

void HostedSession::set_title(const std::string& title, Done done) {
  // The agent's own record may not know titles; ours does.
  const auto recorded = record_settings(Json::object({{"title", title}}));
  if (!recorded || !agent_) return done(recorded);
  (void)call_agent([title](Session& session) { (void)session.rename(title); });
  done({});
}

void HostedSession::request(RawJson body, Replied done) {
  if (!agent_) return done(not_running());
  const auto queued =
      call_agent([body = std::move(body), done, &loop = around_.loop](Session& session) {
        auto reply = session.request(body);
        loop.post([reply = std::move(reply), done] { done(reply); });
      });
  if (!queued) done(queued.error());
}

}  // namespace parley::server
