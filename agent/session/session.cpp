#include "agent/session/session.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>

#include "agent/api/models.hpp"
#include "agent/hooks/matcher.hpp"
#include "agent/hooks/shell_command.hpp"
#include "agent/session/conversation.hpp"
#include "agent/session/system_prompt.hpp"
#include "agent/tools/shell/sandbox.hpp"
#include "agent/tools/structured_output.hpp"
#include "agent/turn/hook_inputs.hpp"
#include "support/process/spawn.hpp"
#include "support/random.hpp"
#include "support/text/text.hpp"
#include "support/time.hpp"
#include "wire/codec/codec.hpp"
#include "wire/ids.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

std::string variable(const Environment& environment, const std::string& name,
                     const std::string& fallback = {}) {
  const auto found = environment.find(name);
  return found == environment.end() || found->second.empty() ? fallback : found->second;
}

/// How long the command of apiKeyHelper may take.
constexpr std::chrono::milliseconds kKeyPatience{60'000};

/// What it prints. Empty if it fails, which is said on stderr.
std::string find_key(const ShellCommand& command, const std::stop_token& stop) {
  auto end = run_shell_command(command, stop);
  if (!end) {
    complain("apiKeyHelper failed: " + std::string(end.error().what()));
    return {};
  }
  if (end->cancelled) return {};
  const std::string output(trimmed(end->output)), errors(trimmed(end->errors));
  const bool usable =
      end->exit_code == 0 && !end->timed_out && output.find_first_of("\r\n") == std::string::npos;
  if (usable && !output.empty()) return output;
  complain("apiKeyHelper failed: " +
           (end->timed_out        ? "it took too long"
            : end->exit_code != 0 ? "exited " + std::to_string(end->exit_code) + ": " + errors
                                  : "its output is not one line"));
  return {};
}

}  // namespace

void complain(std::string_view text) {
  std::string line(text);
  line += '\n';
  (void)!::write(STDERR_FILENO, line.data(), line.size());
}

Session::Session(Flags flags_, Environment environment_, std::string cwd_)
    : flags(std::move(flags_)),
      environment(std::move(environment_)),
      cwd(std::move(cwd_)),
      output(flags.output, flags.verbose),
      asker(output) {
  home = variable(environment, "HOME", "/");
  config_folder = variable(environment, "CLAUDE_CONFIG_DIR", home + "/.claude");
  entrypoint = variable(environment, "CLAUDE_CODE_ENTRYPOINT", "sdk-cli");
  session_id = flags.session_id.value_or(make_uuid());
  output.set_session_id(session_id);
}

Result<void> Session::prepare() {
  const auto wants = [this](const char* source) {
    return !flags.setting_sources ||
           std::find(flags.setting_sources->begin(), flags.setting_sources->end(), source) !=
               flags.setting_sources->end();
  };
  Settings::Sources& sources = setting_sources;
  sources.config_folder = config_folder;
  sources.start_folder = cwd;
  sources.user = wants("user");
  sources.project = wants("project");
  sources.local = wants("local");
  sources.flag = flags.settings;
  sources.project_trusted = Settings::is_trusted(fs::path(home) / ".claude.json", cwd);
  auto loaded = Settings::load(sources);
  if (!loaded) return loaded.error();
  settings = *std::move(loaded);
  if (may_bypass() && ::geteuid() == 0 && variable(environment, "IS_SANDBOX") != "1") {
    return Error(ErrorCode::kPermission,
                 "--dangerously-skip-permissions cannot be used with root/sudo privileges for "
                 "security reasons");
  }
  for (const std::string& problem : settings.problems) complain("Settings: " + problem);
  for (const HookCommand& hook : settings.hooks) {
    const Matcher matcher(hook.matcher);
    if (matcher.problem().empty()) continue;
    complain("Settings: hooks." + hook.event + ": the matcher " + hook.matcher +
             " matches nothing: " + matcher.problem());
  }
  for (const std::string& flag : flags.without_effect) debug(flag + " has no effect yet");
  notes = read_notes(config_folder, cwd, sources.user, sources.project, note_files);
  output_style = find_output_style(*this);
  wishes_.model = flags.model.value_or(settings.model.value_or("default"));
  wishes_.system_prompt = flags.system_prompt;
  wishes_.append_system_prompt = flags.append_system_prompt;
  wishes_.max_thinking_tokens = flags.max_thinking_tokens;
  wishes_.prompt_suggestions = flags.prompt_suggestions;
  if (flags.json_schema) {
    auto schema = RawJson::parse(*flags.json_schema);
    if (!schema) {
      return Error(ErrorCode::kInvalid,
                   "Error: --json-schema is not valid JSON: " + std::string(schema.error().what()));
    }
    if (auto made = set_schema(*schema); !made) return made;
  }
  auto earlier = earlier_session();
  if (!earlier) return earlier.error();
  if (*earlier && !flags.fork_session) {
    session_id = **earlier;
    output.set_session_id(session_id);
  }
  make_parts();
  if (*earlier) return take_up(**earlier);
  make_checkpoints({}, {});
  return {};
}

Result<void> Session::set_schema(const RawJson& schema) {
  const auto json = schema.json();
  if (!json) return json.error();
  auto made = make_structured_output(*json);
  if (!made) return made.error();
  const std::lock_guard lock(schema_mutex_);
  structured_output_ = *std::move(made);
  return {};
}

void Session::make_transcript() {
  Transcript::Setup lines;
  lines.root = config_folder;
  lines.cwd = cwd;
  lines.session_id = session_id;
  lines.entrypoint = entrypoint;
  lines.persist = !flags.no_session_persistence;
  if (flags.session_mirror) {
    lines.mirror = [this](const std::string& path, const std::string& line) {
      output.send(TranscriptMirror{path, {RawJson(line)}, {}});
    };
  }
  transcript = std::make_unique<Transcript>(std::move(lines));
}

/// Beside the transcript, in the folder of the session.
fs::path Session::results_folder() const {
  return fs::path(config_folder) / "projects" / project_folder_name(cwd) / session_id /
         "tool-results";
}

fs::path Session::scratch_folder() const {
  return fs::temp_directory_path() / ("parley-agent-" + session_id);
}

Enum<PermissionMode> Session::first_mode() const {
  if (flags.skip_permissions) return PermissionMode::bypassPermissions;
  return flags.permission_mode.value_or(
      settings.default_mode.value_or(Enum<PermissionMode>(PermissionMode::default_)));
}

bool Session::may_bypass() const {
  return flags.allow_skip_permissions || first_mode() == PermissionMode::bypassPermissions;
}

ApiAccess Session::api_access(const Environment& variables) const {
  ApiAccess access = ApiAccess::from(variables);
  for (const std::string& beta : flags.betas) access.betas.push_back(beta);
  if (settings.api_key_helper) {
    ShellCommand command;
    command.command = *settings.api_key_helper;
    command.cwd = cwd;
    command.environment = variables;
    command.timeout = kKeyPatience;
    access.find_key = [command](const std::stop_token& stop) { return find_key(command, stop); };
  }
  return access;
}

void Session::make_parts() {
  Environment variables = environment;
  for (const auto& [name, value] : settings.environment) variables[name] = value;
  api = std::make_unique<ApiClient>(api_access(variables));

  Permissions::Setup setup;
  setup.start_folder = cwd;
  setup.config_folder = config_folder;
  setup.home = home;
  setup.mode = first_mode();
  setup.bypass_available = may_bypass();
  for (const std::string& folder : flags.add_dirs) setup.extra_folders.emplace_back(folder);
  setup.rules = settings.rules;
  setup.readable_folders = {results_folder(), scratch_folder()};
  Permissions::Setup::Rules from_flags;
  from_flags.from = PermissionDestination::cliArg;
  from_flags.allow = flags.allowed_tools;
  from_flags.deny = flags.disallowed_tools;
  setup.rules.push_back(std::move(from_flags));
  permissions = std::make_unique<Permissions>(std::move(setup));

  make_transcript();

  ToolState::Setup tool_setup;
  tool_setup.cwd = cwd;
  tool_setup.results_folder = results_folder();
  tool_setup.scratch_folder = scratch_folder();
  tool_setup.environment = variables;
  tool_setup.session_id = session_id;
  tool_setup.sandbox.enabled = settings.sandbox;
  if (settings.sandbox && !find_program("bwrap", variable(variables, "PATH", "/usr/bin:/bin"))) {
    complain(
        "Warning: sandbox.enabled is set, and bubblewrap (bwrap) is not installed: commands are "
        "refused until it is.");
  }
  connect_tools(tool_setup);
  tools = std::make_unique<ToolState>(std::move(tool_setup));
  watch_tasks();

  Hooks::Setup hook_setup;
  if (!settings.hooks_disabled) hook_setup.commands = settings.hooks;
  hook_setup.cwd = cwd;
  hook_setup.environment = variables;
  hook_setup.make_id = make_uuid;
  hook_setup.ask = [this](const std::string& callback_id, const HookInput& input,
                          const std::optional<std::string>& tool_use_id,
                          std::optional<std::chrono::milliseconds> timeout, std::stop_token stop,
                          const std::function<void()>& asked) -> std::optional<Result<RawJson>> {
    control::HookCallback request;
    request.callback_id = callback_id;
    request.input = input;
    request.tool_use_id = tool_use_id;
    const Asker::Answer answer = asker.ask(std::move(request), stop, timeout, asked);
    switch (answer.end) {
      case Asker::End::kAnswered: return Result<RawJson>(answer.body);
      case Asker::End::kFailed: return Result<RawJson>(Error(ErrorCode::kRemote, answer.error));
      case Asker::End::kClosed:
        return Result<RawJson>(Error(ErrorCode::kClosed, "the client has hung up"));
      case Asker::End::kWithdrawn:
      case Asker::End::kTimeout: break;
    }
    return std::nullopt;
  };
  hook_setup.show = [this](const HookRun& run) {
    if (!flags.hook_events && run.event != "SessionStart") return;
    if (run.started) {
      HookStarted message;
      message.hook_id = run.id;
      message.hook_name = run.name;
      message.hook_event = run.event;
      return output.send(std::move(message));
    }
    HookResponse message;
    message.hook_id = run.id;
    message.hook_name = run.name;
    message.hook_event = run.event;
    message.output = run.output;
    message.stdout_ = run.stdout_text;
    message.stderr_ = run.stderr_text;
    if (run.exit_code) message.exit_code = *run.exit_code;
    message.outcome = Enum<HookOutcome>(run.outcome);
    output.send(std::move(message));
  };
  hooks = std::make_unique<Hooks>(std::move(hook_setup));
}

/// The one that the flags want to go on with, if any.
Result<std::optional<std::string>> Session::earlier_session() const {
  if (flags.continue_latest) return latest_session(config_folder, cwd);
  if (!flags.resume || is_session_id(*flags.resume)) return flags.resume;
  std::optional<std::string> id = session_of_title(config_folder, cwd, *flags.resume);
  if (!id) {
    return Error(ErrorCode::kNotFound,
                 "Error: --resume requires a valid session ID or session title when used with "
                 "--print. Usage: claude -p --resume <session-id|title>. Provided value \"" +
                     *flags.resume + "\" is not a UUID and does not match any session title.");
  }
  return id;
}

/// Goes on with an earlier session, under its id or a new one.
Result<void> Session::take_up(const std::string& id) {
  auto run = read_earlier_run(config_folder, cwd, id, flags.resume_session_at);
  if (!run) {
    return Error(run.error().code(), flags.resume_session_at &&
                                             run.error().code() == ErrorCode::kNotFound &&
                                             run.error().message().starts_with("No message")
                                         ? run.error().message()
                                         : "No conversation found with session ID: " + id);
  }
  conversation = run->messages;
  inbox.seen(run->uuids);
  deferred = run->deferred;
  resumed = true;
  if (run->cost_state.is_object()) restore_cost(run->cost_state);
  if (flags.fork_session) {
    if (!flags.no_session_persistence) {
      if (auto forked = fork_transcript(*run, config_folder, cwd, session_id); !forked) {
        return forked;
      }
    }
    run->place = {config_folder, project_folder_name(cwd), session_id};
  }
  make_transcript();
  transcript->resume(*run);
  make_checkpoints(run->checkpoints, id);
  return {};
}

/// `earlier`: lines of the session of that id, which this one goes on with.
void Session::make_checkpoints(const std::vector<Json>& earlier, const std::string& earlier_id) {
  if (!switched_on("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING")) return;
  const fs::path copies = fs::path(config_folder) / "file-history";
  FileCheckpoints::Setup setup;
  setup.folder = copies / session_id;
  setup.cwd = cwd;
  setup.write = [this](Json line) { transcript->note(std::move(line)); };
  checkpoints = std::make_unique<FileCheckpoints>(std::move(setup));
  for (const Json& line : earlier) checkpoints->restore(line);
  if (!earlier.empty() && earlier_id != session_id) {
    std::error_code ignored;
    fs::copy(copies / earlier_id, copies / session_id, ignored);
  }
}

void Session::restore_cost(const Json& state) {
  Map<ModelUsage> models;
  for (const auto& [model, usage] : state["modelUsage"].members()) {
    if (auto decoded = RawJson(usage.dump()).as<ModelUsage>()) models[model] = *decoded;
  }
  cost.restore(std::move(models), state["totalCostUSD"].as_double());
}

void Session::write_cost() {
  Json models = Json::object();
  for (const auto& [model, usage] : cost.by_model()) {
    models.set(model, RawJson(encode(usage)).json().value());
  }
  transcript->note(Json::object(
      {{"type", "cost-state"}, {"totalCostUSD", cost.total()}, {"modelUsage", std::move(models)}}));
}

Map<ModelUsage> Session::take_cost_since_result() {
  Map<ModelUsage> models = cost_since_result->by_model();
  cost_since_result = std::make_unique<CostLedger>();
  return models;
}

// ---- the running turn ---------------------------------------------------------------------------

void Session::do_meanwhile(std::function<void(std::stop_token)> work) {
  meanwhile_ = std::jthread(std::move(work));
}

std::stop_token Session::begin_turn() {
  meanwhile_ = {};
  const std::lock_guard lock(turn_mutex_);
  // An interrupt that came between two turns is for neither.
  turn_ = std::stop_source();
  running_ = true;
  if (by_signal_) turn_.request_stop();
  return turn_.get_token();
}

void Session::end_turn() {
  const std::lock_guard lock(turn_mutex_);
  running_ = false;
  idle_.notify_all();
}

bool Session::wait_idle(std::chrono::milliseconds timeout) {
  std::unique_lock lock(turn_mutex_);
  return idle_.wait_for(lock, timeout, [this] { return !running_; });
}

bool Session::interrupt(bool by_signal) {
  const std::stop_source turn = [&] {
    const std::lock_guard lock(turn_mutex_);
    if (by_signal) by_signal_ = true;
    return running_ ? turn_ : std::stop_source(std::nostopstate);
  }();
  // Outside of the lock: stop callbacks may do anything.
  return turn.request_stop() || turn.stop_possible();
}

// ---- what the model is offered ------------------------------------------------------------------

Session::SharedTool Session::structured_output() const {
  const std::lock_guard lock(schema_mutex_);
  return structured_output_;
}

std::vector<Session::SharedTool> Session::offered() const {
  OfferOptions options;
  options.tools = flags.tools;
  options.can_ask = can_ask();
  for (const auto& tool : all_tools()) {
    if (permissions->removed(tool->name())) options.disallowed.emplace_back(tool->name());
  }
  std::vector<SharedTool> offered;
  // Those live as long as the program: nobody owns them.
  for (const Tool* tool : offered_tools(options)) offered.emplace_back(SharedTool(), tool);
  if (SharedTool structured = structured_output()) offered.push_back(std::move(structured));
  return offered;
}

Session::SharedTool Session::find_offered(const std::string& name) const {
  const std::vector<SharedTool> all = offered();
  const Tool* const known = find_tool(name);
  const auto found = std::find_if(all.begin(), all.end(), [&](const SharedTool& tool) {
    return tool.get() == known || tool->name() == name;
  });
  return found == all.end() ? nullptr : *found;
}

bool Session::switched_on(const std::string& name) const {
  const std::string value = variable(environment, name);
  return value == "1" || value == "true" || value == "yes" || value == "on";
}

std::optional<std::int64_t> Session::number_in(const std::string& name) const {
  const std::string text = variable(environment, name);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value <= 0) return std::nullopt;
  return value;
}

Wishes Session::wishes() const {
  const std::lock_guard lock(wishes_mutex_);
  return wishes_;
}

Tally Session::tally() const {
  const std::lock_guard lock(tally_mutex_);
  return tally_;
}

void Session::tell(MessageParam message) {
  const std::lock_guard lock(conversation_mutex_);
  add_to_conversation(conversation, std::move(message));
}

// ---- what the client is shown -------------------------------------------------------------------

void Session::rename(const std::string& title) {
  change_wishes([&](Wishes& wishes) { wishes.title = title; });
  if (started) {
    transcript->note(Json::object({{"type", "custom-title"}, {"customTitle", title}}));
  }
  SessionTitleChanged message;
  message.title = title;
  output.send(std::move(message));
}

void Session::begin_transcript() {
  if (started.exchange(true)) return;
  if (flags.name || wishes().title) {
    transcript->note(
        Json::object({{"type", "custom-title"},
                      {"customTitle", flags.name.value_or(wishes().title.value_or(""))}}));
  }
}

void Session::start() {
  if (!hooks->any("SessionStart")) return;
  parley::hooks::SessionStart event;
  fill(event, *this);
  event.source = resumed ? parley::hooks::SessionStartSource::resume
                         : parley::hooks::SessionStartSource::startup;
  event.model = resolve_model(wishes().model);
  const std::stop_token stop = begin_turn();  // a signal ends the hooks as it ends a turn
  const HookVerdict verdict = hooks->run(event, resumed ? "resume" : "startup", make_uuid(), stop);
  end_turn();
  for (const std::string& context : verdict.contexts) {
    notes += "\nA hook at the start of the session says: " + context + "\n";
  }
  if (verdict.session_title) rename(*verdict.session_title);
  if (verdict.first_prompt && !verdict.first_prompt->empty()) {
    inbox.push(prompt_of(*verdict.first_prompt));
  }
}

void Session::end() {
  if (!hooks->any("SessionEnd")) return;
  parley::hooks::SessionEnd event;
  fill(event, *this);
  event.reason = parley::hooks::SessionEndReason::other;
  (void)hooks->run(event, "other", make_uuid(), {});
}

void Session::echo(const UserMessage& prompt) {
  if (!flags.replay_user_messages) return;
  UserMessage message = prompt;
  message.isReplay = true;
  message.session_id = session_id;
  if (!message.parent_tool_use_id) write_null(message.extra, "parent_tool_use_id");
  output.send(std::move(message));
}

void Session::show_mode() {
  SystemStatus status;
  status.permissionMode = permissions->mode();
  output.send(std::move(status));
}

void Session::show_state(SessionState state) {
  if (!switched_on("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS")) return;
  SessionStateChanged message;
  message.state = state;
  output.send(std::move(message));
}

void Session::leave_behind(std::jthread thread) {
  const std::lock_guard lock(behind_mutex_);
  behind_.push_back(std::move(thread));
}

void Session::debug(std::string_view text) const {
  if (!flags.debug) return;
  if (!flags.debug_file) return complain("[debug] " + std::string(text));
  std::ofstream(*flags.debug_file, std::ios::app) << timestamp() << " " << text << "\n";
}

}  // namespace parley::agent
