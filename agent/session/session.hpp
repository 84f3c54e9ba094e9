// Everything that one session of the agent consists of, and the few things that several of its
// threads do to each other: starting a turn, interrupting it, changing the model.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "../api/api_client.hpp"
#include "../api/cost_ledger.hpp"
#include "../connection/asker.hpp"
#include "../connection/output.hpp"
#include "../connection/prompt_queue.hpp"
#include "../hooks/hooks.hpp"
#include "../permissions/permissions.hpp"
#include "../settings/settings.hpp"
#include "../tools/tool_state.hpp"
#include "../tools/toolbox.hpp"
#include "../turn/tools/changed_lines.hpp"
#include "config/flags.hpp"
#include "file_checkpoints.hpp"
#include "transcript.hpp"

namespace parley::agent {

using Environment = std::map<std::string, std::string>;

/// What `initialize` changes, and control requests later.
struct SessionOverrides {
  std::optional<std::string> system_prompt, append_system_prompt;
  std::string model;
  std::optional<std::int64_t> max_thinking_tokens;
  std::optional<std::string> title;
  bool prompt_suggestions = false;
  Json flag_settings;  ///< Of apply_flag_settings; null without any.
};

/// What a session has come to so far.
struct SessionTotals {
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  std::chrono::milliseconds in_api{0};
  ChangedLines lines;
  std::optional<Usage> last_usage;  ///< Of the last answer of the API.
};

/// How the model is to answer, by the user's wish: a file in `output-styles`.
struct OutputStyle {
  std::string name = "default";
  std::string text;  ///< For the model; empty of the default.
};

/// A file with notes for agents.
struct NoteFile {
  std::string path;
  std::string kind;  ///< "User", "Project" or "Local".
  std::size_t bytes = 0;
};

/// A resource: made once, before the first message. The members that several threads use are
/// thread-safe themselves; what is not says so.
struct Session {
  Session(Flags flags, Environment environment, std::string cwd);

  /// Reads settings and the earlier run, if one is resumed. An error ends the program: it is what a
  /// result says then.
  Result<void> prepare();

  /// Offers StructuredOutput with this schema from the next request to the model on.
  Result<void> set_schema(const RawJson& schema);

  // ---- the running turn ----

  /// A fresh stop for a turn that starts.
  std::stop_token begin_turn();
  void end_turn();
  /// Asks the running turn to end: true if one runs. `by_signal` ends the program afterwards.
  bool interrupt(bool by_signal = false);
  /// Whether no turn runs, in that time.
  bool wait_idle(std::chrono::milliseconds timeout);
  [[nodiscard]] bool interrupted_by_signal() const { return by_signal_; }

  /// Does something between this turn and the next; the next one stops it and waits for it.
  void run_until_next_turn(std::function<void(std::stop_token)> work);

  // ---- what the model is offered ----

  /// A client may replace the tool for structured output at any time: who uses one keeps it.
  using SharedTool = std::shared_ptr<const Tool>;
  /// The tools there are in this session, in order.
  [[nodiscard]] std::vector<SharedTool> offered() const;
  /// One of them, by its name or an older one; null if there is none.
  [[nodiscard]] SharedTool find_offered(const std::string& name) const;
  /// The one for structured output; null without a JSON schema.
  [[nodiscard]] SharedTool structured_output() const;
  [[nodiscard]] bool can_ask() const { return flags.permission_prompt_tool == "stdio"; }

  /// Whether a variable of the environment says yes.
  [[nodiscard]] bool switched_on(const std::string& name) const;
  /// A variable of the environment that is a whole number above 0.
  [[nodiscard]] std::optional<std::int64_t> number_in(const std::string& name) const;

  /// One question to the model for side jobs. Not while costs are being reported.
  Result<std::string> ask_small_model(const std::string& prompt, const std::stop_token& stop);

  /// Under its new title the session is found again, and clients are told.
  void rename(const std::string& title);

  [[nodiscard]] SessionOverrides overrides() const;
  template <class F>
  void change_overrides(const F& change) {
    const std::lock_guard lock(overrides_mutex_);
    change(overrides_);
  }
  [[nodiscard]] SessionTotals totals() const;
  template <class F>
  void change_totals(const F& change) {
    const std::lock_guard lock(totals_mutex_);
    change(totals_);
  }
  /// Adds to the conversation. The turn thread alone does that, and reads without a lock; others
  /// read through read_conversation().
  void tell(MessageParam message);
  template <class F>
  void read_conversation(const F& read) const {
    const std::lock_guard lock(conversation_mutex_);
    read(conversation);
  }
  /// Runs the SessionStart hooks. What they want said in the user's place is the first prompt.
  void start();
  /// Runs the SessionEnd hooks.
  void end();
  /// Writes the title that the session has by now, once: without turns there is no transcript.
  void begin_transcript();
  /// Shows the client its own message, if it wants that.
  void echo(const UserMessage& prompt);
  /// Costs that the last result has not reported yet.
  Map<ModelUsage> take_cost_since_result();
  /// Notes the costs so far in the transcript, for who resumes it.
  void write_cost();
  /// Tells the client the permission mode after it has changed.
  void show_mode();
  /// `session_state_changed`, for clients that want it.
  void show_state(SessionState state);
  /// Keeps a thread that nobody waits for until the end.
  void keep_until_exit(std::jthread thread);
  /// Says something on stderr, if --debug was given.
  void debug(std::string_view text) const;

  const Flags flags;
  const Environment environment;
  const std::string cwd;
  std::string home, config_folder, entrypoint;
  std::string session_id;
  Settings::Sources setting_sources;
  Settings settings;
  std::string notes;  ///< CLAUDE.md and its like.
  std::vector<NoteFile> note_files;
  OutputStyle output_style;

  Output output;
  Asker asker;
  PromptQueue prompts;
  std::unique_ptr<Permissions> permissions;
  std::unique_ptr<ToolState> tools;
  std::unique_ptr<Hooks> hooks;
  std::unique_ptr<ApiClient> api;
  std::unique_ptr<Transcript> transcript;
  std::unique_ptr<FileCheckpoints> checkpoints;  ///< If they are switched on.
  CostLedger cost;
  std::unique_ptr<CostLedger> cost_since_result = std::make_unique<CostLedger>();

  /// The transcript has begun. A title that any thread gives is noted then, or in rename().
  std::atomic<bool> started{false};
  std::atomic<std::int64_t> results{0};  ///< So many turns have ended.

  // Of the turn thread alone.
  std::vector<MessageParam> conversation;
  std::string last_prompt;
  bool resumed = false;
  std::optional<DeferredCall> deferred;  ///< Of the earlier run: still to be carried out.

 private:
  [[nodiscard]] std::filesystem::path results_folder() const;
  [[nodiscard]] std::filesystem::path scratch_folder() const;
  void make_transcript();
  void make_parts();
  [[nodiscard]] ApiAccess api_access(const Environment& variables) const;
  [[nodiscard]] Enum<PermissionMode> first_mode() const;
  /// Whether the mode bypassPermissions is on from the start, or may be switched on later: these
  /// are all its doors.
  [[nodiscard]] bool may_bypass() const;
  void connect_tools(ToolState::Setup& setup);
  void watch_tasks();
  [[nodiscard]] Result<std::optional<std::string>> earlier_session() const;
  Result<void> resume(const std::string& id);
  void make_checkpoints(const std::vector<Json>& earlier, const std::string& earlier_id);
  void restore_cost(const Json& state);

  mutable std::mutex overrides_mutex_;
  SessionOverrides overrides_;
  mutable std::mutex schema_mutex_;
  SharedTool structured_output_;
  mutable std::mutex totals_mutex_;
  SessionTotals totals_;
  mutable std::mutex conversation_mutex_;
  std::mutex turn_mutex_;
  std::stop_source turn_;
  std::condition_variable idle_;
  bool running_ = false;
  std::jthread between_turns_;  ///< Of the turn thread alone.
  std::atomic<bool> by_signal_ = false;
  std::mutex behind_mutex_;
  std::vector<std::jthread> behind_;
  std::set<std::string> background_;  ///< Tasks whose end is told to the model.
};

/// A line on stderr, whole.
void complain(std::string_view text);

}  // namespace parley::agent
