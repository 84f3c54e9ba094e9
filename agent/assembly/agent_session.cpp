#include "agent/assembly/agent_session.hpp"

#include "agent/api/models.hpp"
#include "agent/assembly/permission_prompt.hpp"
#include "agent/assembly/session_hooks.hpp"
#include "agent/connection/init_message.hpp"
#include "agent/connection/message_parts.hpp"
#include "agent/mcp/resource_tools.hpp"
#include "agent/session/system_prompt.hpp"
#include "wire/ids.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kUsualStructuredTries = 5;
/// How long the end waits for subagents whose tools have to be ended.
constexpr std::chrono::milliseconds kAgentPatience{3000};

SessionOverrides first_overrides(const SessionConfig& config) {
  SessionOverrides overrides;
  overrides.model = config.flags.model.value_or(config.settings.model.value_or("default"));
  overrides.system_prompt = config.flags.system_prompt;
  overrides.append_system_prompt = config.flags.append_system_prompt;
  overrides.max_thinking_tokens = config.flags.max_thinking_tokens;
  overrides.prompt_suggestions = config.flags.prompt_suggestions;
  return overrides;
}

Permissions::Setup permission_setup(const SessionConfig& config) {
  Permissions::Setup setup;
  setup.start_folder = config.cwd;
  setup.config_folder = config.config_folder;
  setup.home = config.home;
  setup.mode = config.first_mode();
  setup.bypass_available = config.may_bypass();
  for (const std::string& folder : config.flags.add_dirs) setup.extra_folders.emplace_back(folder);
  setup.rules = config.settings.rules;
  setup.readable_folders = {config.results_folder(), config.scratch_folder()};
  setup.plan_file = config.plan_file();
  Permissions::Setup::Rules from_flags;
  from_flags.from = PermissionDestination::cliArg;
  from_flags.allow = config.flags.allowed_tools;
  from_flags.deny = config.flags.disallowed_tools;
  setup.rules.push_back(std::move(from_flags));
  return setup;
}

Transcript::Setup transcript_setup(const SessionConfig& config, MessageSink& messages) {
  Transcript::Setup setup;
  setup.root = config.config_folder;
  setup.cwd = config.cwd;
  setup.session_id = config.session_id;
  setup.entrypoint = config.entrypoint;
  setup.persist = !config.flags.no_session_persistence;
  if (config.flags.session_mirror) {
    setup.mirror = [&messages](const std::string& path, const std::string& line) {
      messages.send(TranscriptMirror{path, {RawJson(line)}, {}});
    };
  }
  return setup;
}

TurnOptions turn_options(const SessionConfig& config) {
  TurnOptions options;
  options.session_id = config.session_id;
  options.max_turns = config.flags.max_turns;
  options.max_budget_usd = config.flags.max_budget_usd;
  options.fallback_model = config.flags.fallback_model;
  options.structured_output_tries =
      config.number_in("MAX_STRUCTURED_OUTPUT_RETRIES").value_or(kUsualStructuredTries);
  options.can_ask = config.can_ask();
  options.partial_messages = config.flags.partial_messages;
  return options;
}

}  // namespace

std::string AgentSession::Requests::model() const {
  return resolve_model(session_.overrides_.copy().model);
}

ApiRequest AgentSession::Requests::request(const std::string& model) const {
  const SessionConfig& config = session_.config_;
  const SessionOverrides overrides = session_.overrides_.copy();
  ApiRequest request;
  request.model = model;
  request.system = system_prompt(config, overrides, session_.permissions_);
  if (const std::string said = session_.servers_.instructions(); !said.empty()) {
    request.system.push_back("What MCP servers say about how to use their tools:\n" + said);
  }
  request.max_tokens = config.number_in("CLAUDE_CODE_MAX_OUTPUT_TOKENS");
  request.thinking = config.flags.thinking;
  request.thinking_tokens = overrides.max_thinking_tokens;
  request.effort = config.flags.effort;
  request.session_id = config.session_id;
  return request;
}

AgentSession::AgentSession(const SessionConfig& config, Output& output)
    : config_(config),
      output_(output),
      debug_(config.flags.debug, config.flags.debug_file),
      asker_(output),
      reporter_({config.session_id, config.flags.replay_user_messages}, output),
      status_(config.is_switched_on("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS"), output),
      overrides_(first_overrides(config)),
      permissions_(permission_setup(config)),
      transcript_(transcript_setup(config, output)),
      title_(config.flags.name, transcript_, output),
      model_(api_access(config)),
      requests_(*this),
      tasks_(output, prompts_),
      host_(asker_, output, debug_),
      servers_(mcp_settings(config), host_),
      tools_({config, permissions_, status_, servers_,
              [this](const std::string& question, std::stop_token stop) {
                return model_.ask_small_model(question, cost_, stop);
              }}),
      hooks_(hook_setup(config, asker_, output)),
      agents_(config) {
  tools_.state().background_tasks().on_change(
      [this](const BackgroundTask& task, BackgroundTasks::Change change) {
        tasks_.on_change(task, change);
      });
}

Result<void> AgentSession::resume() {
  EarlierRun run;
  if (config_.resumed_id) {
    const std::optional<std::string>& until = config_.flags.resume_session_at;
    auto read = read_earlier_run(config_.config_folder, config_.cwd, *config_.resumed_id, until);
    if (!read) {
      const bool no_message = until && read.error().code() == ErrorCode::not_found &&
                              read.error().message().starts_with("No message");
      return Error(read.error().code(),
                   no_message ? read.error().message()
                              : "No conversation found with session ID: " + *config_.resumed_id);
    }
    run = *std::move(read);
    prompts_.mark_seen(run.uuids);
    if (run.cost_state.is_object()) cost_.restore(run.cost_state);
    if (config_.flags.fork_session) {
      const std::string& id = config_.session_id;
      if (!config_.flags.no_session_persistence) {
        auto forked = fork_transcript(run, config_.config_folder, config_.cwd, id);
        if (!forked) return forked;
      }
      run.place = {config_.config_folder, project_folder_name(config_.cwd), id};
    }
    conversation_.restore(std::move(run.messages));
    deferred_ = run.deferred;
    transcript_.resume(run);
  }
  if (config_.is_switched_on("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING")) make_checkpoints(run);
  make_views();
  return {};
}

void AgentSession::make_checkpoints(const EarlierRun& run) {
  const fs::path copies = fs::path(config_.config_folder) / "file-history";
  FileCheckpoints::Setup setup;
  setup.folder = copies / config_.session_id;
  setup.cwd = config_.cwd;
  setup.write = [this](Json line) { transcript_.note(std::move(line)); };
  checkpoints_ = std::make_unique<FileCheckpoints>(std::move(setup));
  for (const Json& line : run.checkpoints) checkpoints_->restore(line);
  if (!run.checkpoints.empty() && config_.resumed_id != config_.session_id) {
    std::error_code ignored;
    fs::copy(copies / *config_.resumed_id, copies / config_.session_id, ignored);
  }
}

void AgentSession::make_views() {
  turn_.emplace(TurnContext{turn_options(config_), conversation_, transcript_, requests_, tools_,
                            permissions_, output_, prompts_, model_, asker_, hooks_, cost_, totals_,
                            status_, threads_, debug_, checkpoints_.get(),
                            permission_prompt(config_, servers_),
                            [this](const std::string& mention, const std::stop_token& stop) {
                              return read_mentioned_resource(servers_, mention, stop);
                            }});
  subagents_.emplace(AgentHost{*turn_, config_, overrides_, permissions_, agents_,
                               [this] { return transcript_.place(); }});
  tools_.add(subagents_->tools_for({}));
  tasks_.set_tell_agent([this](const std::string& agent, UserMessage message) {
    return subagents_->tell(agent, std::move(message));
  });
  turns_.emplace(SessionTurnContext{
      *turn_, overrides_, running_, title_, reporter_,
      [this](const std::stop_token& stop) {
        servers_.start_waiting();
        servers_.wait_until_settled(stop);
        SystemInit init = init_message(config_, requests_.model(), tools_, permissions_.mode(),
                                       model_.access(), servers_);
        for (const KnownAgent& agent : agents_.list()) init.agents->push_back(agent.name);
        return init;
      },
      [this](const std::string& question, const std::stop_token& stop) {
        return model_.ask_small_model(question, cost_, stop);
      },
      config_.is_switched_on("CLAUDE_CODE_DROP_UNAVAILABLE_DEFERRED_TOOL"), std::move(deferred_)});
  control_.emplace(ControlContext{config_,
                                  overrides_,
                                  totals_,
                                  cost_,
                                  conversation_,
                                  output_,
                                  asker_,
                                  prompts_,
                                  reporter_,
                                  status_,
                                  running_,
                                  title_,
                                  permissions_,
                                  tools_,
                                  hooks_,
                                  model_.access(),
                                  servers_,
                                  checkpoints_.get(),
                                  [this] { return agents_.infos(); },
                                  [this](const Map<AgentDefinition>& more) { agents_.add(more); }});
}

void AgentSession::end_tools() {
  if (subagents_) subagents_->stop_all(kAgentPatience);
  servers_.end();
  tools_.end();
}

hooks::Input AgentSession::about() const {
  hooks::Input about;
  about.session_id = config_.session_id;
  about.transcript_path = transcript_.path();
  about.cwd = tools_.state().cwd().string();
  return about;
}

void AgentSession::run_start_hooks() {
  if (!hooks_.any("SessionStart")) return;
  const std::stop_token stop = running_.begin();  // a signal ends the hooks as it ends a turn
  const HookVerdict verdict = agent::run_start_hooks(
      hooks_, about(), config_.resumed_id.has_value(), requests_.model(), stop);
  running_.end();
  overrides_.change([&](SessionOverrides& overrides) {
    for (const std::string& context : verdict.contexts) {
      overrides.hook_notes += "\nA hook at the start of the session says: " + context + "\n";
    }
  });
  if (verdict.session_title) title_.rename(*verdict.session_title);
  if (verdict.first_prompt && !verdict.first_prompt->empty()) {
    prompts_.push(prompt_of(*verdict.first_prompt));
  }
}

void AgentSession::run_end_hooks() {
  if (hooks_.any("SessionEnd")) agent::run_end_hooks(hooks_, about());
}

}  // namespace parley::agent
