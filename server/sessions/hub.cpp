#include "server/sessions/hub.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "client/prompt.hpp"
#include "history/listing/listing.hpp"
#include "server/agents/agent_input.hpp"
#include "server/log/disk.hpp"
#include "server/sessions/adoption.hpp"
#include "server/sessions/copies.hpp"
#include "support/time.hpp"
#include "wire/control/control.hpp"
#include "wire/ids.hpp"

namespace parley::server {
namespace {

/// Reading of folders and transcripts at a time.
constexpr std::size_t kMostReaders = 8;
/// Threads that wait for agents. Each kind has its own, so that agents that do not answer keep
/// nobody from ending others.
constexpr std::size_t kMostCalls = 256;
constexpr std::size_t kMostStored = 1000;
constexpr std::chrono::seconds kStoredFreshness{15};
/// What an agent takes: pipes, a handle of its process, a log, and more for a moment.
constexpr std::size_t kForAnAgent = 12;
/// What agents leave to connections, logs and files: a server that cannot open anything cannot even
/// say so.
constexpr std::size_t kForOthers = 12;

Json stored_summary(const history::SessionInfo& info) {
  return Json::object({{"id", info.sessionId},
                       {"title", info.customTitle.value_or(info.summary)},
                       {"cwd", info.cwd.value_or("")},
                       {"state", "stored"},
                       {"created", info.createdAt.value_or(info.lastModified)},
                       {"updated", info.lastModified},
                       {"prompted", info.lastModified},
                       {"model", ""},
                       {"mode", ""},
                       {"cost_usd", info.costUSD.value_or(0)},
                       {"pending", 0},
                       {"background", 0},
                       {"last_seq", 0},
                       {"stored", true}});
}

}  // namespace

Hub::Hub(std::shared_ptr<Loop> loop, std::unique_ptr<LogStore> store, Folders folders,
         HubOptions options)
    : loop_(std::move(loop)),
      store_(std::move(store)),
      folders_(std::move(folders)),
      options_(std::move(options)),
      upkeep_(*loop_),
      context_{*loop_,
               calls_,
               closing_,
               files_,
               upkeep_,
               meters_,
               [this] {
                 Options agent = options_.agent;
                 agent.delivery.loop = loop_;
                 return agent;
               },
               options_.transcript_roots,
               [this](const std::string& id) { feed_.changed(id); },
               [this](const control::InitializeReply& reply) { note_initialized(reply); }},
      feed_(*loop_, [this](const std::string& id) { return summary_of(id); }),
      files_(kMostReaders),
      calls_(kMostCalls),
      closing_(kMostCalls) {}

Hub::~Hub() {
  for (Workers* workers : {&closing_, &calls_, &files_}) workers->finish();
  // What the workers and agents have posted speaks of this object, and so do timers.
  loop_->run([this] {
    feed_.stop();
    upkeep_.stop();
  });
}

void Hub::load() {
  if (auto hidden = store_->hidden()) hidden_ = *std::move(hidden);
  const auto ids = store_->list();
  if (!ids) return options_.on_warning(ids.error().what());
  for (const std::string& id : *ids) {
    auto session = add(id);
    const auto recovered = session ? (*session)->recover() : Result<void>(session.error());
    if (recovered) continue;
    // One log that cannot be read must not keep the others away.
    options_.on_warning("session " + id + " is left out: " + recovered.error().what());
    sessions_.erase(id);
  }
  refresh_stored();
}

Result<std::shared_ptr<HostedSession>> Hub::add(const std::string& id) {
  auto log = store_->open(id);
  if (!log) return log.error();
  auto session = std::make_shared<HostedSession>(context_, *std::move(log), SessionState(id));
  sessions_[id] = session;
  return session;
}

void Hub::discard(const std::string& id) {
  const auto session = find(id);
  sessions_.erase(id);
  session->retire([this, id](Result<void>) { (void)store_->remove(id); });
  feed_.gone(id);
}

std::optional<Json> Hub::summary_of(const std::string& id) const {
  if (const auto session = find(id)) return session->state().summary();
  const auto stored = stored_.find(id);
  if (stored == stored_.end()) return std::nullopt;
  return stored_summary(stored->second);
}

void Hub::note_initialized(const control::InitializeReply& reply) {
  if (reply.claude_code_version) agent_version_ = *reply.claude_code_version;
  if (!reply.models) return;
  models_ = Json::array();
  for (const ModelInfo& model : *reply.models) {
    models_.push(Json::object({{"value", model.value},
                               {"resolvedModel", model.resolvedModel.value_or(model.value)},
                               {"displayName", model.displayName.value_or(model.value)},
                               {"description", model.description.value_or("")}}));
  }
}

Json Hub::summaries() {
  refresh_stored();
  std::vector<Json> all;
  all.reserve(sessions_.size() + stored_.size());
  for (const auto& [id, session] : sessions_) all.push_back(session->state().summary());
  for (const auto& [id, info] : stored_) all.push_back(stored_summary(info));
  std::stable_sort(all.begin(), all.end(), [](const Json& a, const Json& b) {
    return a["updated"].as_int() > b["updated"].as_int();
  });
  return all;
}

void Hub::search(const std::string& text, std::function<void(Result<Json>)> found) {
  run_apart([this, text, found = std::move(found)] {
    auto texts = search_history(options_.transcript_roots, text);
    post([this, texts = std::move(texts), found] {
      found(texts ? Result<Json>(with_own_ids(*texts)) : Result<Json>(texts.error()));
    });
  });
}

/// Agents may call a session otherwise than the hub; what is in no list cannot be opened.
Json Hub::with_own_ids(const FoundTexts& texts) const {
  std::map<std::string, std::string> own;
  for (const auto& [id, info] : stored_) own[id] = id;
  for (const auto& [id, session] : sessions_) {
    const std::string& known = session->state().agent_session();
    own[known.empty() ? id : known] = id;
  }
  Json hits = Json::array();
  for (const FoundText& hit : texts.hits) {
    const auto found = own.find(hit.agent_session);
    if (found == own.end()) continue;
    hits.push(Json::object({{"session", found->second},
                            {"kind", hit.kind},
                            {"timestamp", hit.timestamp},
                            {"before", hit.before},
                            {"match", hit.match},
                            {"after", hit.after}}));
  }
  return Json::object({{"hits", hits}, {"count", static_cast<std::uint64_t>(texts.count)}});
}

Result<std::string> Hub::recorded_as(const std::string& id) const {
  if (const auto session = find(id)) {
    const std::string& known = session->state().agent_session();
    if (!known.empty()) return known;
    return Error(ErrorCode::not_found, "the agent has no record of this session yet", id);
  }
  if (stored_.contains(id)) return id;
  return Error(ErrorCode::not_found, "there is no such session", id);
}

void Hub::fork(const std::string& id, const std::string& up_to, Created created) {
  const auto recorded = recorded_as(id);
  if (!recorded) return created(recorded.error());
  run_apart([this, recorded = *recorded, up_to, created = std::move(created)] {
    auto forked = fork_record(options_.transcript_roots, recorded, up_to);
    post([this, forked = std::move(forked), created] {
      if (!forked) return created(forked.error());
      stored_[forked->sessionId] = *forked;
      feed_.changed(forked->sessionId);
      created(forked->sessionId);
    });
  });
}

void Hub::export_text(const std::string& id, const std::string& format,
                      std::function<void(Result<std::string>)> done) {
  const auto recorded = recorded_as(id);
  if (!recorded) return done(recorded.error());
  run_apart([this, recorded = *recorded, format, done = std::move(done)] {
    done(export_record(options_.transcript_roots, recorded, format));
  });
}

std::size_t Hub::live_count() const {
  return static_cast<std::size_t>(std::count_if(
      sessions_.begin(), sessions_.end(), [](const auto& s) { return s.second->has_agent(); }));
}

std::shared_ptr<HostedSession> Hub::find(const std::string& id) const {
  const auto found = sessions_.find(id);
  return found == sessions_.end() ? nullptr : found->second;
}

Result<void> Hub::may_start(const HostedSession& session) const {
  if (session.has_agent()) return {};
  if (stopping_) return Error(ErrorCode::closed, "the server is stopping");
  if (live_count() >= options_.live_sessions) {
    return Error(ErrorCode::too_large, "too many agents run already (" +
                                           std::to_string(options_.live_sessions) +
                                           "); close one, or raise the limit");
  }
  if (!has_free_descriptors(kForAnAgent + kForOthers)) {
    return Error(ErrorCode::too_large,
                 "too few files may be open for another agent; close one, or raise ulimit -n");
  }
  // What was a folder of ours when the session began may be a link to elsewhere by now.
  if (auto folder = folders_.resolve(session.state().cwd()); !folder) return folder.error();
  return {};
}

Result<void> Hub::launch(HostedSession& session) {
  if (auto allowed = may_start(session); !allowed) return allowed;
  return session.launch();
}

Result<std::uint64_t> Hub::send(HostedSession& session, const std::string& client_id,
                                const Json& content, std::string_view by) {
  const SentPrompt* known = session.state().find_prompt(client_id);
  if (known == nullptr || known->owed()) {
    if (auto allowed = may_start(session); !allowed) return allowed.error();
  }
  return session.send(client_id, content, by);
}

// ---- new sessions and those of elsewhere --------------------------------------------------------

void Hub::create(NewSession wanted, Created created) {
  if (!wanted.client_id.empty()) {
    // A client that did not hear the answer asks again.
    for (const auto& [id, session] : sessions_) {
      const SessionState& state = session->state();
      if (state.client_id() == wanted.client_id || state.find_prompt(wanted.client_id) != nullptr) {
        return created(id);
      }
    }
  } else {
    wanted.client_id = make_uuid();
  }
  // Whatever can be refused is refused before there is a session.
  if (!wanted.mode.empty()) {
    if (auto mode = check_mode(wanted.mode, allows_bypass()); !mode) return created(mode.error());
  }
  if (!is_session_id(wanted.client_id)) {
    return created(Error(ErrorCode::invalid, "must be a UUID", "client_id"));
  }
  if (!wanted.prompt.is_null()) {
    if (auto prompt = make_prompt(wanted.client_id, wanted.prompt); !prompt) {
      return created(prompt.error());
    }
  }
  if (!wanted.resume.empty()) {
    return open(wanted.resume, [this, wanted, created](auto session) {
      if (!session) return created(session.error());
      if (auto begun = begin(**session, wanted); !begun) return created(begun.error());
      created((*session)->id());
    });
  }
  if (sessions_.size() >= options_.sessions) {
    return created(Error(ErrorCode::too_large, "too many sessions; delete some"));
  }
  const auto cwd = folders_.resolve(wanted.cwd);
  if (!cwd) return created(cwd.error());
  const auto session = add(make_uuid());
  if (!session) return created(session.error());
  auto begun =
      (*session)->record_settings(Json::object({{"cwd", *cwd}, {"client_id", wanted.client_id}}));
  if (begun) begun = begin(**session, wanted);
  if (begun) return created((*session)->id());
  discard((*session)->id());
  created(begun.error());
}

Result<void> Hub::begin(HostedSession& session, const NewSession& wanted) {
  if (auto allowed = may_start(session); !allowed) return allowed;
  Json settings = Json::object();
  for (const auto& [name, value] :
       {std::pair{"model", &wanted.model}, std::pair{"mode", &wanted.mode},
        std::pair{"title", &wanted.title}}) {
    if (!value->empty()) settings.set(name, *value);
  }
  if (session.has_agent()) {
    // It runs already: what it is to be is told to it.
    if (!wanted.model.empty()) session.set_model(wanted.model, [](Result<void>) {});
    if (!wanted.mode.empty()) session.set_mode(wanted.mode, [](Result<void>) {});
    if (!wanted.title.empty()) session.set_title(wanted.title, [](Result<void>) {});
  } else if (!settings.members().empty()) {
    if (auto recorded = session.record_settings(settings); !recorded) return recorded;
  }
  if (auto started = session.launch(); !started) return started;
  if (wanted.prompt.is_null()) return {};
  const auto seq = send(session, wanted.client_id, wanted.prompt, "api");
  if (!seq) return seq.error();
  return {};
}

void Hub::open(const std::string& id, Opened opened) {
  if (auto session = find(id)) return opened(std::move(session));
  const auto stored = stored_.find(id);
  if (stored == stored_.end()) {
    return opened(Error(ErrorCode::not_found, "there is no such session", id));
  }
  adopt(stored->second, std::move(opened));
}

void Hub::adopt(const history::SessionInfo& info, Opened opened) {
  auto& waiting = adopting_[info.sessionId];
  waiting.push_back(std::move(opened));
  if (waiting.size() > 1) return;
  files_.run([this, info] {
    auto adopted = std::make_shared<Result<Adopted>>(adopt_conversation(*store_, info));
    // Half a conversation must not pass for a whole one later.
    if (!*adopted) (void)store_->remove(info.sessionId);
    post([this, id = info.sessionId, adopted] {
      std::shared_ptr<HostedSession> session;
      if (*adopted) {
        session = std::make_shared<HostedSession>(context_, std::move((*adopted)->log),
                                                  std::move((*adopted)->state));
        sessions_[id] = session;
        stored_.erase(id);
        feed_.changed(id);
      }
      const auto waited = std::exchange(adopting_[id], {});
      adopting_.erase(id);
      for (const Opened& callback : waited) {
        callback(session ? Result(session)
                         : Result<std::shared_ptr<HostedSession>>(adopted->error()));
      }
    });
  });
}

/// Looks through the transcripts on a worker; what is new there is told to everybody.
void Hub::refresh_stored() {
  const auto now = Loop::Clock::now();
  if (refreshing_ || stopping_ || options_.transcript_roots.empty()) return;
  if (refreshed_ && now - *refreshed_ < kStoredFreshness) return;
  refreshing_ = true;
  files_.run([this] {
    history::ListOptions options;
    options.scope.roots = options_.transcript_roots;
    options.limit = kMostStored;
    auto listing = history::list_sessions(options);
    post([this, sessions = std::move(listing.sessions)] {
      refreshing_ = false;
      refreshed_ = Loop::Clock::now();
      std::map<std::string, history::SessionInfo> found;
      std::set<std::string> own;
      for (const auto& [id, session] : sessions_) own.insert(session->state().agent_session());
      for (const history::SessionInfo& info : sessions) {
        if (!info.cwd || !folders_.contains(*info.cwd)) continue;
        if (sessions_.contains(info.sessionId) || own.contains(info.sessionId)) continue;
        const auto hidden = hidden_.find(info.sessionId);
        if (hidden != hidden_.end() && info.lastModified <= hidden->second) continue;
        found.emplace(info.sessionId, info);
      }
      std::swap(stored_, found);
      for (const auto& [id, info] : stored_) {
        const auto before = found.find(id);
        if (before == found.end() || !(before->second == info)) feed_.changed(id);
      }
    });
  });
}

Result<void> Hub::hide(const std::string& id) {
  const std::int64_t now = now_ms();
  hidden_[id] = now;
  return store_->hide(id, now);
}

void Hub::remove(const std::string& id, HostedSession::Done done) {
  if (stored_.contains(id) && !adopting_.contains(id)) {
    stored_.erase(id);
    feed_.gone(id);
    return done(hide(id));
  }
  const auto session = find(id);
  if (!session) return done(Error(ErrorCode::not_found, "there is no such session", id));
  // Nobody finds it any more while its agent ends, which may write to its transcript until then.
  std::set<std::string> ids = {id};
  if (const std::string& agent = session->state().agent_session(); !agent.empty())
    ids.insert(agent);
  for (const std::string& each : ids) hidden_[each] = std::numeric_limits<std::int64_t>::max();
  sessions_.erase(id);
  feed_.gone(id);
  session->retire([this, id, ids, done = std::move(done)](Result<void>) {
    Result<void> result = store_->remove(id);
    for (const std::string& each : ids) {
      if (auto hidden = hide(each); result && !hidden) result = hidden;
    }
    done(result);
  });
}

void Hub::close(std::function<void()> done) {
  stopping_ = true;
  auto left = std::make_shared<std::size_t>(sessions_.size() + 1);
  const auto one_less = [left, done = std::move(done)](Result<void>) {
    if (--*left == 0) done();
  };
  for (const auto& [id, session] : sessions_) {
    session->close(one_less);
    session->save();
  }
  one_less({});
}

}  // namespace parley::server
