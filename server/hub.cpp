#include "server/hub.hpp"

#include <algorithm>
#include <utility>

#include "client/prompt.hpp"
#include "history/listing.hpp"
#include "history/transcript.hpp"
#include "server/events.hpp"
#include "wire/codec.hpp"
#include "wire/ids.hpp"

namespace parley::server {
namespace {

constexpr std::size_t kMostWorkers = 32;
constexpr std::size_t kMostStored = 1000;
/// How much of a conversation of elsewhere is taken over.
constexpr std::size_t kImportedMessages = 5000;
constexpr std::chrono::seconds kStoredFreshness{15};

Json stored_summary(const history::SessionInfo& info) {
  return Json::object({{"id", info.sessionId},
                       {"title", info.customTitle.value_or(info.summary)},
                       {"cwd", info.cwd.value_or("")},
                       {"state", "stored"},
                       {"created", info.createdAt.value_or(info.lastModified)},
                       {"updated", info.lastModified},
                       {"model", ""},
                       {"mode", ""},
                       {"cost_usd", info.costUSD.value_or(0)},
                       {"pending", 0},
                       {"last_seq", 0},
                       {"stored", true}});
}

/// The end of a conversation of elsewhere as events, and what is missing from it.
Result<std::vector<std::string>> conversation_of(const history::SessionInfo& info) {
  history::ReadOptions options;
  options.from_end = true;
  options.limit = kImportedMessages + 1;
  auto page = history::read_messages(info.place(), options);
  if (!page) return page.error();
  std::vector<std::string> events;
  if (page->messages.size() > kImportedMessages) {
    page->messages.erase(page->messages.begin());
    events.push_back(events::left_out("earlier", {}, {}));
  }
  const auto& report = page->report;
  if (const auto lines = report.damaged_lines + report.oversized_lines; lines > 0) {
    events.push_back(
        events::left_out("unreadable", "lines of the transcript: " + std::to_string(lines), {}));
  }
  for (const history::Message& message : page->messages) {
    const std::string text = encode(message);
    events.push_back(text.size() > kLongestMessage ? events::left_out("too_long", {}, text)
                                                   : events::agent(text));
  }
  return events;
}

}  // namespace

Hub::Hub(std::shared_ptr<Loop> loop, std::unique_ptr<LogStore> store, Folders folders,
         HubOptions options)
    : loop_(std::move(loop)),
      store_(std::move(store)),
      folders_(std::move(folders)),
      options_(std::move(options)),
      upkeep_(*loop_),
      around_{*loop_,
              workers_,
              upkeep_,
              meters_,
              [this] {
                Options agent = options_.agent;
                agent.loop = loop_;
                return agent;
              },
              [this](HostedSession& session) { feed_.changed(session.id()); },
              [this](const control::InitializeReply& reply) { note_initialized(reply); }},
      feed_(*loop_, [this](const std::string& id) { return summary_of(id); }),
      workers_(kMostWorkers) {}

Hub::~Hub() {
  workers_.finish();
  // What the workers and agents have posted speaks of this object, and so do timers.
  loop_->run([this] {
    feed_.stop();
    upkeep_.stop();
  });
}

void Hub::load() {
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
  auto session = std::make_shared<HostedSession>(around_, *std::move(log), SessionState(id));
  sessions_[id] = session;
  return session;
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

std::size_t Hub::live_count() const {
  return static_cast<std::size_t>(std::count_if(
      sessions_.begin(), sessions_.end(), [](const auto& s) { return s.second->state().alive(); }));
}

std::shared_ptr<HostedSession> Hub::find(const std::string& id) const {
  const auto found = sessions_.find(id);
  return found == sessions_.end() ? nullptr : found->second;
}

Result<void> Hub::may_start(const HostedSession& session) const {
  if (session.state().alive()) return {};
  if (closing_) return Error(ErrorCode::kClosed, "the server is stopping");
  if (live_count() >= options_.live_sessions) {
    return Error(ErrorCode::kTooLarge, "too many agents run already (" +
                                           std::to_string(options_.live_sessions) +
                                           "); close one, or raise the limit");
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
  if (session.state().find_prompt(client_id) == nullptr) {
    if (auto allowed = may_start(session); !allowed) return allowed.error();
  }
  return session.send(client_id, content, by);
}

// ---- new sessions and those of elsewhere --------------------------------------------------------

void Hub::create(NewSession wanted, Created created) {
  if (!wanted.resume.empty()) {
    return open(wanted.resume, [this, wanted, created](auto session) {
      if (!session) return created(session.error());
      begin(*session, wanted, created);
    });
  }
  if (!wanted.client_id.empty()) {
    // A client that did not hear the answer asks again.
    for (const auto& [id, session] : sessions_) {
      if (session->state().find_prompt(wanted.client_id) != nullptr) return created(id);
    }
  }
  if (sessions_.size() >= options_.sessions) {
    return created(Error(ErrorCode::kTooLarge, "too many sessions; delete some"));
  }
  const auto cwd = folders_.resolve(wanted.cwd);
  if (!cwd) return created(cwd.error());
  if (!wanted.mode.empty() && !Enum<PermissionMode>(std::string_view(wanted.mode)).known()) {
    return created(
        Error(ErrorCode::kInvalid, "there is no permission mode of that name", wanted.mode));
  }
  auto session = add(make_uuid());
  if (!session) return created(session.error());
  Json settings = Json::object({{"cwd", *cwd}});
  if (!wanted.model.empty()) settings.set("model", wanted.model);
  if (!wanted.mode.empty()) settings.set("mode", wanted.mode);
  if (!wanted.title.empty()) settings.set("title", wanted.title);
  if (auto done = (*session)->record_settings(settings); !done) return created(done.error());
  begin(*session, wanted, created);
}

void Hub::begin(const std::shared_ptr<HostedSession>& session, const NewSession& wanted,
                const Created& created) {
  if (auto started = launch(*session); !started) return created(started.error());
  if (!wanted.prompt.is_null()) {
    const std::string client_id = wanted.client_id.empty() ? make_uuid() : wanted.client_id;
    if (auto seq = send(*session, client_id, wanted.prompt, "api"); !seq) {
      return created(seq.error());
    }
  }
  created(session->id());
}

void Hub::open(const std::string& id, Opened opened) {
  if (auto session = find(id)) return opened(std::move(session));
  const auto stored = stored_.find(id);
  if (stored == stored_.end()) {
    return opened(Error(ErrorCode::kNotFound, "there is no such session", id));
  }
  adopt(stored->second, std::move(opened));
}

void Hub::adopt(const history::SessionInfo& info, Opened opened) {
  auto& waiting = adopting_[info.sessionId];
  waiting.push_back(std::move(opened));
  if (waiting.size() > 1) return;
  workers_.run([this, info] {
    auto events = conversation_of(info);
    post([this, info, events = std::move(events)] {
      const auto finish = [&](const Result<std::shared_ptr<HostedSession>>& result) {
        for (const Opened& callback : std::exchange(adopting_[info.sessionId], {})) {
          callback(result);
        }
        adopting_.erase(info.sessionId);
      };
      if (!events) return finish(events.error());
      auto session = add(info.sessionId);
      if (!session) return finish(session.error());
      const Json settings = Json::object({{"cwd", info.cwd.value_or("")},
                                          {"title", info.customTitle.value_or(info.summary)},
                                          {"agent_session", info.sessionId}});
      if (auto done = (*session)->import(settings, *events); !done) return finish(done.error());
      stored_.erase(info.sessionId);
      finish(*session);
    });
  });
}

/// Looks through the transcripts on a worker; what is new there is told to everybody.
void Hub::refresh_stored() {
  const auto now = Loop::Clock::now();
  if (refreshing_ || closing_ || options_.transcript_roots.empty()) return;
  if (refreshed_ && now - *refreshed_ < kStoredFreshness) return;
  refreshing_ = true;
  workers_.run([this] {
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

void Hub::remove(const std::string& id, HostedSession::Done done) {
  const auto session = find(id);
  if (!session) return done(Error(ErrorCode::kNotFound, "there is no such session", id));
  session->close([this, id, done = std::move(done)](Result<void>) {
    if (sessions_.erase(id) == 0) return done({});
    feed_.gone(id);
    done(store_->remove(id));
  });
}

void Hub::close(std::function<void()> done) {
  closing_ = true;
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
