// What clients ask of a session: prompts, answers, and changes of the agent that runs.
#include <utility>

#include "server/agents/agent_input.hpp"
#include "server/agents/agent_process.hpp"
#include "server/events/events.hpp"
#include "server/sessions/hosted_session.hpp"

namespace parley::server {
namespace {

/// Prompts that no agent is known to have on record: they are kept to be sent again. Less than an
/// agent that does not read may leave unread (Limits::unsent_bytes), so that none is refused after
/// it was accepted.
constexpr std::size_t kMostPrompts = 200;
constexpr std::size_t kMostPromptBytes = std::size_t{32} << 20;

}  // namespace

// ---- prompts ------------------------------------------------------------------------------------

Result<std::uint64_t> HostedSession::send(const std::string& client_id, const Json& content,
                                          std::string_view by) {
  if (const SentPrompt* known = state().find_prompt(client_id)) {
    const std::uint64_t seq = known->seq;
    // Accepted before a crash, and nobody is known to have it: whoever asks again wants it to run.
    if (auto started = known->owed() ? launch() : Result<void>(); !started) return started.error();
    return seq;
  }
  auto prompt = make_prompt(client_id, content);
  if (!prompt) return prompt.error();
  std::size_t waiting_bytes = content.dump().size();
  const auto owed = state().owed_prompts();
  for (const SentPrompt* each : owed) waiting_bytes += each->content.dump().size();
  if (owed.size() >= kMostPrompts || waiting_bytes > kMostPromptBytes) {
    return Error(ErrorCode::too_large, "too many prompts wait for the agent already");
  }
  if (auto started = launch(); !started) return started.error();
  const auto seq = record(events::prompt(client_id, content, by));
  if (!seq) return seq.error();
  ++context_.meters.prompts;
  // If there is none any more, or not yet, the prompt stays in the log and goes to the next one.
  if (agent_) (void)agent_->send(*std::move(prompt));
  return *seq;
}

void HostedSession::withdraw(const std::string& client_id, Done done) {
  const SentPrompt* prompt = state().find_prompt(client_id);
  if (prompt == nullptr) return done(Error(ErrorCode::not_found, "there is no such prompt"));
  if (prompt->withdrawn) return done({});
  const Error begun(ErrorCode::invalid, "the agent has begun with it");
  if (prompt->begun || prompt->delivered) return done(begun);
  const auto note = [this](const std::string& id) -> Result<void> {
    const auto seq = record(events::taken_back(id));
    if (!seq) return seq.error();
    return {};
  };
  if (!agent_) return done(note(client_id));
  const auto queued =
      agent_->call([client_id, done, note, begun, self = shared_from_this()](Session& session) {
        const auto cancelled = session.cancel_message(client_id);
        self->context_.loop.post([self, cancelled, client_id, done, note, begun] {
          if (!cancelled) return done(cancelled.error());
          if (!*cancelled) return done(begun);
          done(note(client_id));
        });
      });
  if (!queued) done(queued);
}

// ---- answers ------------------------------------------------------------------------------------

Result<void> HostedSession::answer(const std::string& request_id, const Json& answer) {
  const auto found = requests_.find(request_id);
  if (!agent_ || found == requests_.end()) {
    return Error(ErrorCode::not_found, "this request does not wait for an answer any more");
  }
  for (const Json& update : answer["updatedPermissions"].items()) {
    const auto known = check_mode(update["mode"].as_string(), allows_bypass());
    if (!known && known.error().code() == ErrorCode::permission) return known.error();
  }
  const auto body = make_answer(found->second, answer);
  if (!body) return body.error();
  if (auto seq = record(events::resolved(request_id, answer, "answered")); !seq) return seq.error();
  ++context_.meters.answers;
  requests_.erase(request_id);
  agent_->answer(request_id, *body);
  return {};
}

// ---- changes of the agent -----------------------------------------------------------------------

void HostedSession::with_agent(std::function<Result<void>(Session&)> call, Json settings,
                               Done done) {
  const auto finish = [this, settings](Result<void> result) -> Result<void> {
    if (!result || settings.members().empty()) return result;
    return record_settings(settings);
  };
  if (!agent_) return done(settings.members().empty() ? agent_not_running() : finish({}));
  const auto queued = agent_->call(
      [call = std::move(call), done, finish, self = shared_from_this()](Session& session) {
        const Result<void> result = call(session);
        self->context_.loop.post([self, result, done, finish] { done(finish(result)); });
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
  const auto wanted = check_mode(mode, allows_bypass());
  if (!wanted) return done(wanted.error());
  with_agent([value = *wanted](Session& session) { return session.set_permission_mode(value); },
             Json::object({{"mode", mode}}), std::move(done));
}

void HostedSession::set_title(const std::string& title, Done done) {
  // The agent's own record may not know titles; ours does.
  const auto recorded = record_settings(Json::object({{"title", title}}));
  if (!recorded || !agent_) return done(recorded);
  (void)agent_->call([title](Session& session) { (void)session.rename(title); });
  done({});
}

void HostedSession::request(RawJson body, Replied done) {
  if (!agent_) return done(agent_not_running());
  const auto queued =
      agent_->call([body = std::move(body), done, &loop = context_.loop](Session& session) {
        auto reply = session.request(body);
        loop.post([reply = std::move(reply), done] { done(reply); });
      });
  if (!queued) done(queued.error());
}

}  // namespace parley::server
