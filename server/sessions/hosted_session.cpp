#include "server/sessions/hosted_session.hpp"

#include <utility>

#include "client/observer.hpp"
#include "server/agents/agent_input.hpp"
#include "server/agents/agent_process.hpp"
#include "server/agents/agent_record.hpp"
#include "server/events/events.hpp"
#include "support/time.hpp"
#include "wire/control/control.hpp"
#include "wire/ids.hpp"

namespace parley::server {
namespace {

/// Lines of one agent that are recorded as left out. One that says nothing but nonsense must not
/// push everything else out of the log.
constexpr std::size_t kMostBadLines = 100;

}  // namespace

HostedSession::HostedSession(HubContext& context, std::unique_ptr<SessionLog> log,
                             SessionState state)
    : context_(context),
      recorder_(std::make_shared<Recorder>(context, std::move(log), std::move(state))) {}

HostedSession::~HostedSession() = default;

Result<void> HostedSession::recover() {
  if (auto loaded = recorder_->load(); !loaded) return loaded;
  if (state().alive()) {
    recorder_->resolve_all("lost");
    const auto detail = Json::object({{"reason", "the server stopped"}});
    if (auto seq = record(events::state("ended", detail)); !seq) return seq.error();
  }
  save();
  log().rest();
  return {};
}

Result<void> HostedSession::record_settings(const Json& settings) {
  return recorder_->record_settings(settings);
}

std::optional<int> HostedSession::pid() const { return agent_ ? agent_->pid() : std::nullopt; }

bool HostedSession::allows_bypass() const {
  return context_.agent_options().permissions.allow_bypass;
}

// ---- the agent begins ---------------------------------------------------------------------------

Result<void> HostedSession::launch() {
  if (recorder_->retired()) return session_deleted();
  if (agent_) return {};
  if (leaving_ || looking_) {
    wanted_ = true;
    return {};
  }
  // What an earlier process was given may be in its record, or may be lost with it.
  if (state().owed_prompts().empty()) return start_agent();
  look_into_record();
  return {};
}

/// Prompts that the agent has on record are not sent again. It would know most of them by their
/// uuids, but not those that it has made one message of.
void HostedSession::look_into_record() {
  looking_ = wanted_ = true;
  std::vector<std::string> prompts;
  for (const SentPrompt* owed : state().owed_prompts()) prompts.push_back(owed->client_id);
  const std::string& known = state().agent_session();
  context_.files.run([self = shared_from_this(), prompts = std::move(prompts),
                      session = known.empty() ? state().new_agent_session() : known] {
    auto found = read_agent_record(self->context_.transcript_roots, session, prompts);
    Loop& loop = self->context_.loop;
    loop.post([self, found = std::move(found)] { self->on_record(found); });
  });
}

void HostedSession::on_record(const AgentRecord& found) {
  looking_ = false;
  if (recorder_->retired()) return;
  Result<void> noted;
  if (!found.prompts.empty()) {
    if (auto seq = record(events::delivered(found.prompts)); !seq) noted = seq.error();
  }
  if (noted && found.found && state().agent_session().empty()) {
    // It was killed before it could say so: a new session of this id would be refused.
    noted = record_settings(Json::object({{"agent_session", state().new_agent_session()}}));
  }
  if (!std::exchange(wanted_, false)) return on_agent_gone();
  if (noted) noted = start_agent();
  if (!noted) tell_ready(noted.error());
}

Result<void> HostedSession::start_agent() {
  Options options = context_.agent_options();
  options.cwd = state().cwd();
  options.model = state().model();
  // So that what a turn did to files can be taken back.
  options.transcript.file_checkpoints = true;
  // One that was allowed when it was chosen may not be any more: then the agent asks.
  if (const auto mode = check_mode(state().mode(), allows_bypass())) {
    options.permissions.mode = *mode;
  } else if (mode.error().code() == ErrorCode::permission) {
    auto recorded = record_settings(Json::object({{"mode", "default"}}));
    if (!recorded) return recorded;
  }
  if (state().agent_session().empty()) {
    options.transcript.session_id = state().new_agent_session();
  } else {
    options.resume.id = state().agent_session();
  }
  auto agent =
      AgentProcess::make(std::move(options), context_.loop, context_.calls, weak_from_this());
  // There are some if the end of the last agent could not be recorded.
  recorder_->resolve_all("lost");
  if (auto seq = record(events::state("starting", {})); !seq) return seq.error();
  ++context_.meters.agents_started;
  const Result<void> started = agent->start();
  if (!started) {
    ++context_.meters.agents_failed;
    (void)record(events::state("failed", Json::object({{"error", started.error().what()}})));
    agent->dismiss(context_.closing, [] {});
    save();
    return started.error();
  }
  agent_ = std::move(agent);
  requests_.clear();
  bad_lines_ = 0;
  refused_ = false;
  deliver_waiting();
  return {};
}

/// Prompts that are not proven to be in the agent's record: those of before a crash. Agents know a
/// prompt by its uuid and do not run it twice, so one that is there nevertheless does no harm.
void HostedSession::deliver_waiting() {
  for (const SentPrompt* waiting : state().waiting_prompts()) {
    auto prompt = make_prompt(waiting->client_id, waiting->content);
    if (prompt) (void)agent_->send(*std::move(prompt));
  }
}

void HostedSession::when_ready(Ready ready) {
  if (!agent_ && !wanted_) return ready(agent_not_running());
  if (agent_ && agent_->ready()) return ready(*agent_->ready());
  ready_.push_back(std::move(ready));
}

void HostedSession::tell_ready(const Result<control::InitializeReply>& reply) {
  for (const Ready& ready : std::exchange(ready_, {})) ready(reply);
}

// ---- what the agent says ------------------------------------------------------------------------

void HostedSession::on_agent_ready(const control::InitializeReply& reply) {
  if (auto seq = record(events::state("idle", {})); !seq) return give_up(seq.error());
  context_.on_initialized(reply);
  tell_ready(reply);
}

void HostedSession::on_agent_message(const Message& message, std::string_view line) {
  const bool transient = std::holds_alternative<StreamEvent>(message);
  const auto* result = std::get_if<ResultMessage>(&message);
  if (result != nullptr && has_no_conversation(*result)) {
    // Not an answer to anybody; what comes of it is decided when it has ended.
    refused_ = true;
    return;
  }
  if (auto seq = recorder_->record(events::agent(line), transient, &message); !seq) {
    return give_up(seq.error());
  }
  if (result != nullptr) recorder_->end_turn();
}

void HostedSession::on_agent_request(const std::string& id, control::CanUseTool ask,
                                     std::string_view request) {
  ++context_.meters.requests;
  if (auto seq = record(events::request(id, request)); !seq) return give_up(seq.error());
  requests_[id] = std::move(ask);
}

void HostedSession::on_agent_withdrawal(const std::string& request_id) {
  if (requests_.erase(request_id) == 0) return;
  (void)record(events::resolved(request_id, {}, "withdrawn"));
}

/// What an agent says and nobody can be shown is told at least.
void HostedSession::on_agent_bad_line(const Error& error, std::string_view beginning) {
  if (++bad_lines_ > kMostBadLines) return;
  const bool too_long = error.code() == ErrorCode::too_large;
  std::string detail =
      too_long ? "more than " + std::to_string(kLongestMessage >> 20) + " MiB" : error.what();
  if (bad_lines_ == kMostBadLines) detail += "; more of its lines are left out without a word";
  (void)record(events::left_out(too_long ? "too_long" : "unreadable", detail, beginning));
}

// ---- the agent ends -----------------------------------------------------------------------------

void HostedSession::on_agent_end() {
  const auto failure = agent_->failure();
  recorder_->resolve_all("lost");
  const bool refused =
      refused_ || (failure && !agent_->ready() && is_session_in_use(failure->stderr_tail));
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
    ++context_.meters.agents_failed;
  }
  dismiss_agent();
  (void)record(events::state(failure ? "failed" : "ended", detail));
  tell_ready(failure ? failure->error : agent_not_running());
  save();
  log().rest();
}

/// The agent has no record of the session, or not one that can be gone on with, which is not the
/// same as an agent that has died: trying again would never help. The session goes on under another
/// id, with what the log says is owed. False if that cannot be recorded.
bool HostedSession::begin_anew() {
  const bool forgotten = state().answered();
  if (!record_settings(Json::object({{"agent_session", ""}, {"new_agent_session", make_uuid()}}))) {
    return false;
  }
  if (!forgotten) return true;
  const char* detail = "the agent has no record of the conversation so far; it begins anew";
  return record(events::left_out("forgotten", detail, {})).ok();
}

/// Lets go of the process, whose end a worker waits for.
void HostedSession::dismiss_agent() {
  leaving_ = true;
  requests_.clear();
  std::exchange(agent_, nullptr)->dismiss(context_.closing, [self = shared_from_this()]() mutable {
    Loop& loop = self->context_.loop;
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
  tell_ready(agent_not_running());
  // Between an agent that had to begin anew and the next one.
  if (state().alive()) (void)record(events::state("ended", {}));
}

/// Without a record there is no session: whatever the agent does next would be lost.
void HostedSession::give_up(const Error& error) {
  wanted_ = false;
  // Shorter than most events, it may have room where they have not.
  if (agent_) end_agent(events::state("failed", Json::object({{"error", error.what()}})));
}

void HostedSession::end_agent(std::string last_event) {
  recorder_->resolve_all("withdrawn");
  dismiss_agent();
  (void)record(std::move(last_event));
  tell_ready(agent_not_running());
  save();
  log().rest();
}

void HostedSession::retire(Done done) {
  close(std::move(done));
  recorder_->retire();
}

}  // namespace parley::server
