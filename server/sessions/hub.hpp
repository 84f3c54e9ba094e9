// The hub: all sessions, and everybody who looks at them.
//
// It lives on one loop: every function is called there (post()), and nothing on it waits. Sessions
// that were started elsewhere are listed from the transcripts that agents leave on disk, and get a
// log of their own when somebody opens them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "history/listing/session_info.hpp"
#include "server/log/log.hpp"
#include "server/sessions/folders.hpp"
#include "server/sessions/history_search.hpp"
#include "server/sessions/hosted_session.hpp"
#include "server/sessions/list_feed.hpp"
#include "server/threads/workers.hpp"
#include "transport/loop.hpp"

namespace parley::server {

struct HubOptions {
  /// For every agent: the program, its environment, deadlines.
  Options agent;
  /// Where agents keep their transcripts; empty: sessions of elsewhere are not listed.
  std::vector<std::string> transcript_roots;
  std::size_t live_sessions = 1000;  ///< Agents at a time.
  std::size_t sessions = 20'000;     ///< In all.
  /// Told what went wrong without anybody having asked for it, e.g. a log that cannot be read.
  std::function<void(const std::string&)> on_warning = [](const std::string&) {};
};

/// What a new session is to be.
struct NewSession {
  std::string cwd;
  std::string model, mode, title;
  std::string client_id;  ///< Of the prompt and the session; made up if empty.
  Json prompt;            ///< Null: none yet.
  std::string resume;     ///< A session of elsewhere, or of here; cwd may be empty then.
};

class Hub {
 public:
  using Created = std::function<void(Result<std::string>)>;
  using Opened = std::function<void(Result<std::shared_ptr<HostedSession>>)>;

  Hub(std::shared_ptr<Loop> loop, std::unique_ptr<LogStore> store, Folders folders,
      HubOptions options);
  /// Not on the loop.
  ~Hub();
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;

  /// Runs a task on the loop. From any thread.
  void post(std::function<void()> task) { loop_->post(std::move(task)); }

  [[nodiscard]] bool on_loop() const { return loop_->on_thread(); }
  /// Runs a task that may wait on another thread. From any thread.
  void run_apart(std::function<void()> task) { files_.run(std::move(task)); }
  [[nodiscard]] const Folders& folders() const { return folders_; }
  /// Agents may be told to ask for nothing: they were started so.
  [[nodiscard]] bool allows_bypass() const { return options_.agent.permissions.allow_bypass; }

  // ---- on the loop ----

  /// Opens all sessions of the store; those that cannot be read are left out with a warning.
  void load();
  [[nodiscard]] const Meters& meters() const { return meters_; }
  Meters& meters() { return meters_; }
  /// The newest first. Also has the transcripts looked through again, if that was long ago.
  [[nodiscard]] Json summaries();
  [[nodiscard]] std::size_t live_count() const;
  [[nodiscard]] std::size_t session_count() const { return sessions_.size(); }
  /// What agents said about models; null if none was started yet.
  [[nodiscard]] const Json& models() const { return models_; }
  [[nodiscard]] const std::string& agent_version() const { return agent_version_; }

  void create(NewSession wanted, Created created);
  /// A session of the hub, or one of elsewhere, which becomes one of the hub.
  void open(const std::string& id, Opened opened);
  [[nodiscard]] std::shared_ptr<HostedSession> find(const std::string& id) const;
  /// Sends a prompt, as HostedSession::send(), if there may be one more agent.
  Result<std::uint64_t> send(HostedSession& session, const std::string& client_id,
                             const Json& content, std::string_view by);
  Result<void> launch(HostedSession& session);
  /// Ends its agent and forgets it. Transcripts of agents stay, but are not listed any more, unless
  /// somebody goes on with them elsewhere.
  void remove(const std::string& id, HostedSession::Done done);

  /// Looks for a text in all sessions; `found` gets {hits, count}, with the ids that the list has.
  void search(const std::string& text, std::function<void(Result<Json>)> found);

  /// Makes another session of the conversation up to a message, as far as the agent has it on
  /// record.
  void fork(const std::string& id, const std::string& up_to, Created created);
  /// Writes a session down for other eyes; formats as export_record() knows them.
  void export_text(const std::string& id, const std::string& format,
                   std::function<void(Result<std::string>)> done);

  void watch(ListWatcher& watcher) { feed_.add(watcher); }
  void unwatch(ListWatcher& watcher) { feed_.remove(watcher); }

  /// Ends all agents and saves all states; `done` is called on the loop.
  void close(std::function<void()> done);

 private:
  Result<std::shared_ptr<HostedSession>> add(const std::string& id);
  /// Takes back a session that came to nothing.
  void discard(const std::string& id);
  Result<void> may_start(const HostedSession& session) const;
  Result<void> begin(HostedSession& session, const NewSession& wanted);
  void adopt(const history::SessionInfo& info, Opened opened);
  void refresh_stored();
  Result<void> hide(const std::string& id);
  /// What the agent calls a session; an error if there is none, or it has no record yet.
  [[nodiscard]] Result<std::string> recorded_as(const std::string& id) const;
  [[nodiscard]] std::optional<Json> summary_of(const std::string& id) const;
  [[nodiscard]] Json with_own_ids(const FoundTexts& texts) const;
  void note_initialized(const control::InitializeReply& reply);

  const std::shared_ptr<Loop> loop_;
  const std::unique_ptr<LogStore> store_;
  const Folders folders_;
  const HubOptions options_;
  Meters meters_;
  Upkeep upkeep_;
  HubContext context_;
  std::map<std::string, std::shared_ptr<HostedSession>> sessions_;
  std::map<std::string, history::SessionInfo> stored_;  ///< Not in sessions_.
  std::map<std::string, std::int64_t> hidden_;          ///< Not to be listed, unless changed since.
  std::map<std::string, std::vector<Opened>> adopting_;
  ListFeed feed_;
  std::optional<Loop::Clock::time_point> refreshed_;
  bool refreshing_ = false;
  bool stopping_ = false;
  Json models_;
  std::string agent_version_;
  Workers files_, calls_, closing_;
};

}  // namespace parley::server
