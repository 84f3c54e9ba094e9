// Every setting of a session. A value: fill in what matters, leave the rest.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "../wire/messages/catalog.hpp"
#include "handlers/declarations.hpp"
#include "process/discovery.hpp"

namespace parley {

class CommandCache;
class Loop;
class Observer;
class SessionStore;
struct Message;
namespace control {
enum class ThinkingDisplay : std::int16_t;
}  // namespace control

/// How long each phase may last. Zero is at once for close(), and for ever in all others.
struct Deadlines {
  /// From the start of the process to its answer to `initialize`.
  std::chrono::milliseconds initialize{60'000};
  /// For the answer to any other control request of ours.
  std::chrono::milliseconds request{60'000};
  /// From interrupt() to the end of the turn it interrupts.
  std::chrono::milliseconds interrupt{30'000};
  /// From a request of the agent to the answer of its handler, also to one that is given later by a
  /// Reply or by answer(). When it is over, the request is refused, the handler's stop token is
  /// stopped and Observer::on_unanswered is told; an answer that comes after that is dropped. The
  /// time a request waits for a thread counts. First, what a person answers: on_permission,
  /// on_question, on_plan, on_elicitation, on_dialog;
  std::chrono::milliseconds question{0};
  /// a hook, which the CLI itself limits, too (HookFilter::timeout);
  std::chrono::milliseconds hook{0};
  /// and a call of a tool in Options::servers.
  std::chrono::milliseconds tool{0};
  /// close(): after the end of input, until SIGTERM;
  std::chrono::milliseconds close{2'000};
  /// after SIGTERM, until SIGKILL;
  std::chrono::milliseconds kill{5'000};
  /// and then for what Options::session_store has still to write.
  std::chrono::milliseconds store{60'000};
};

/// How much is held in memory.
struct Limits {
  /// The longest line that is accepted. A longer one costs that line, not the session.
  std::size_t line_bytes = std::size_t{256} << 20;
  /// When unread messages reach this many bytes or this number, reading stops until the consumer
  /// has taken some. While a control request waits for its answer, reading goes on to eight times
  /// as much, because the answer may stand behind the messages.
  std::size_t queue_bytes = std::size_t{512} << 10;
  std::size_t queue_messages = 512;
  /// Bytes written and not yet taken by the CLI, beyond which send() fails instead of piling up.
  std::size_t unsent_bytes = std::size_t{64} << 20;
  /// Handlers that run at the same time; more wait their turn.
  std::size_t handlers = 32;
};

/// What the model is told about itself.
struct SystemPrompt {
  /// Replaces the CLI's own prompt. Nothing keeps it; an empty text is an empty prompt.
  std::optional<std::string> text;
  /// The same, from a file.
  std::filesystem::path file;
  /// Follows the prompt.
  std::string append;
  /// Leaves out what changes from run to run (folder, date, git state), for better caching.
  bool exclude_dynamic_sections = false;
  /// Keeps the prompt of a resumed session as it was.
  std::optional<bool> snapshot;
};

struct Thinking {
  enum class Mode { kDefault, kAdaptive, kEnabled, kDisabled };
  Mode mode = Mode::kDefault;
  std::optional<std::int64_t> budget_tokens;  ///< With kEnabled.
  std::optional<control::ThinkingDisplay> display;
};

/// Where settings are read from: user, project, local.
PARLEY_ENUM(SettingScope, user, project, local)
/// Who shows permission prompts.
PARLEY_ENUM(PermissionPrompts, host, none)
PARLEY_ENUM(QuestionPreview, markdown, html)

struct Options {
  // ---- the program ----

  /// Which CLI to start; see discovery.hpp for the order of the search.
  CliSearch cli;
  /// The working folder of the agent; empty: that of this process.
  std::filesystem::path cwd;
  /// Variables for the CLI. With `replace_environment` these are all it gets, else they are laid
  /// over the environment of this process. Either way CLAUDE_CODE_ENTRYPOINT and
  /// CLAUDE_AGENT_SDK_VERSION are added unless given, and CLAUDECODE, NODE_OPTIONS and DEBUG are
  /// not inherited, because they change what a CLI does.
  std::vector<std::pair<std::string, std::string>> environment;
  bool replace_environment = false;
  /// The user of the system that the CLI runs as; empty: this one. Needs the right to become
  /// another, as a rule root's. HOME, USER and LOGNAME are that user's unless given in
  /// `environment`.
  std::string user;
  /// Flags this library has no member for: {"flag", "value"}, or {"flag", nullopt} for a bare one.
  std::vector<std::pair<std::string, std::optional<std::string>>> extra_flags;
  /// Fails connect() if the CLI is older. Asking costs one more start of the program.
  std::optional<CliVersion> require_version;
  /// Who the program is, for the CLI's records (CLAUDE_AGENT_SDK_CLIENT_APP).
  std::string client_app;
  bool debug = false;                ///< --debug
  std::filesystem::path debug_file;  ///< --debug-file
  Deadlines deadlines;
  Limits limits;

  // ---- model ----

  std::string model;           ///< Empty: the CLI's default.
  std::string fallback_model;  ///< Used when the model is overloaded. Must differ from `model`.
  Thinking thinking;
  std::optional<Effort> effort;
  std::vector<std::string> betas;
  SystemPrompt system_prompt;
  /// The answer must be JSON of this schema; see ResultMessage::structured_output.
  std::optional<RawJson> output_schema;
  std::optional<std::int64_t> max_turns;
  std::optional<double> max_budget_usd;
  std::optional<std::int64_t> task_budget;

  // ---- tools and permissions ----

  /// The built-in tools there are. Nothing: all; an empty list: none; {"default"}: the usual ones.
  std::optional<std::vector<std::string>> tools;
  /// Run without asking.
  std::vector<std::string> allowed_tools;
  /// Never run, not even with asking.
  std::vector<std::string> disallowed_tools;
  Map<std::string> tool_aliases;
  std::optional<PermissionMode> permission_mode;
  /// Makes the mode bypassPermissions possible.
  bool allow_dangerously_skip_permissions = false;
  /// An MCP tool that decides, instead of on_permission. Not both.
  std::string permission_prompt_tool;
  std::optional<PermissionPrompts> permission_prompts;
  /// Folders beyond the working folder that tools may use.
  std::vector<std::filesystem::path> additional_directories;
  std::string plan_mode_instructions;

  /// May a tool run? Without a handler the agent decides by rules and mode alone.
  PermissionHandler on_permission;
  /// Answers AskUserQuestion. Without one, on_permission sees it as any other tool.
  QuestionHandler on_question;
  /// Approves plans (ExitPlanMode). Without one, on_permission sees it.
  PlanHandler on_plan;
  ElicitationHandler on_elicitation;
  DialogHandler on_dialog;
  std::vector<std::string> dialog_kinds;  ///< The kinds that on_dialog can show.
  Hooks hooks;
  std::optional<QuestionPreview> question_preview;

  // ---- MCP, agents, plugins, settings ----

  /// Servers in this program.
  std::vector<McpServer> servers;
  /// Servers that the CLI starts or connects to, by name.
  Map<McpServerConfig> mcp_servers;
  /// Ignores every server that is configured elsewhere.
  bool strict_mcp_config = false;
  Map<AgentDefinition> agents;  ///< Subagent types, by name.
  std::string agent;            ///< The type that the main agent is.
  std::vector<PluginConfig> plugins;
  /// Nothing: as the CLI likes; {"all"}: every skill; else those named.
  std::optional<std::vector<std::string>> skills;
  /// A file, or JSON text that starts with '{'.
  std::string settings;
  /// Merged into `settings` as its member "sandbox". Only with settings that are JSON or empty.
  std::optional<RawJson> sandbox;
  std::string managed_settings;
  /// Nothing: all; an empty list: none.
  std::optional<std::vector<SettingScope>> setting_sources;
  std::filesystem::path project_config_root;

  // ---- the session ----

  bool continue_conversation = false;  ///< Goes on with the newest session of the folder.
  std::string resume;                  ///< Goes on with this session id.
  bool fork_session = false;           ///< Under a new id; with resume or continue_conversation.
  std::string session_id;              ///< The id of a new session: a UUID.
  std::string resume_at;               ///< Rolls back to this message uuid; with resume.
  std::optional<std::string> resume_drops_turn;
  bool persist = true;  ///< False leaves no transcript on disk.
  std::string title;
  bool file_checkpoints = false;  ///< Makes rewind_files() possible.
  bool session_mirror = false;    ///< Delivers transcript lines as TranscriptMirror messages.
  /// Keeps the transcript elsewhere, too, and resumes from there; see session_store.hpp.
  std::shared_ptr<SessionStore> session_store;

  // ---- what is delivered ----

  bool partial_messages = false;  ///< StreamEvent messages while an answer is written.
  bool hook_events = false;
  bool replay_user_messages = false;  ///< User messages come back when they are taken up.
  bool forward_subagent_text = false;
  bool prompt_suggestions = false;
  bool agent_progress_summaries = false;
  bool per_task_stop = false;     ///< Tells the agent that tasks can be stopped one by one.
  bool verbatim_prompts = false;  ///< Every prompt is taken literally; see Prompt::verbatim.

  /// Receives every message instead of receive(): one at a time, in order, on a thread of the
  /// session. While it runs, nothing else is delivered, and reading stops when the queue is full.
  std::function<void(const Message&)> on_message;
  /// For programs that record what the agent says: Session::receive_line() takes the place of
  /// receive() and gives every line as it came, in the order of writing. Permission requests, forms
  /// and dialogs come there, too, and are answered with Session::answer(), so that none overtakes a
  /// message. Not with on_message, nor with handlers for those requests.
  bool line_stream = false;
  /// The loop whose thread reads and writes; none: one that all sessions of the program share. For
  /// programs that live on a loop of their own (transport/loop.hpp).
  std::shared_ptr<Loop> loop;
  /// Called on the loop's thread when try_receive() or try_receive_line() has something to say that
  /// it had not before: messages, or the end. It takes all there is, and must not wait for
  /// anything. Not with on_message.
  std::function<void()> on_ready;
  /// Receives what the CLI writes on stderr, in lines without their ends.
  std::function<void(std::string_view)> on_stderr;
  /// Takes colours and cursor movements out of those lines.
  bool strip_ansi = false;
  std::shared_ptr<Observer> observer;
  /// Keeps the slash commands that the session hears of, for the program and its other sessions;
  /// see command_cache.hpp.
  std::shared_ptr<CommandCache> command_cache;
};

}  // namespace parley
