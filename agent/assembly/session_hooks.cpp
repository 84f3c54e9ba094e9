#include "agent/assembly/session_hooks.hpp"

#include "support/random.hpp"
#include "wire/control/control.hpp"

namespace parley::agent {
namespace {

/// The subagent that an event comes from; empty if it is the session itself.
std::string agent_of(const HookInput& input) {
  const auto id = [](const auto& event) -> std::string {
    if constexpr (std::is_base_of_v<hooks::Input, std::decay_t<decltype(event)>>) {
      return event.agent_id.value_or("");
    } else {
      return {};
    }
  };
  return std::visit(id, static_cast<const HookInput::variant&>(input));
}

/// What AskHook wants: see hooks.hpp.
std::optional<Result<RawJson>> ask_client(Asker& asker, control::HookCallback request,
                                          std::optional<std::chrono::milliseconds> timeout,
                                          const std::stop_token& stop,
                                          const std::function<void()>& asked) {
  const std::string who = agent_of(request.input);
  const Asker::Reply reply = asker.ask(std::move(request), stop, timeout, asked, who);
  switch (reply.end) {
    case Asker::End::answered: return Result<RawJson>(reply.body);
    case Asker::End::failed: return Result<RawJson>(Error(ErrorCode::remote, reply.error));
    case Asker::End::closed:
      return Result<RawJson>(Error(ErrorCode::closed, "the client has hung up"));
    case Asker::End::withdrawn:
    case Asker::End::timeout: break;
  }
  return std::nullopt;
}

void show_run(MessageSink& messages, const HookRun& run) {
  if (run.started) {
    HookStarted message;
    message.hook_id = run.id;
    message.hook_name = run.name;
    message.hook_event = run.event;
    return messages.send(std::move(message));
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
  messages.send(std::move(message));
}

}  // namespace

Hooks::Setup hook_setup(const SessionConfig& config, Asker& asker, MessageSink& messages) {
  Hooks::Setup setup;
  if (!config.settings.hooks_disabled) setup.commands = config.settings.hooks;
  setup.cwd = config.cwd;
  setup.environment = config.variables;
  setup.make_id = make_uuid;
  setup.ask = [&asker](const std::string& callback_id, const HookInput& input,
                       const std::optional<std::string>& tool_use_id,
                       std::optional<std::chrono::milliseconds> timeout, std::stop_token stop,
                       const std::function<void()>& asked) {
    control::HookCallback request;
    request.callback_id = callback_id;
    request.input = input;
    request.tool_use_id = tool_use_id;
    return ask_client(asker, std::move(request), timeout, stop, asked);
  };
  setup.show = [&messages, all = config.flags.hook_events](const HookRun& run) {
    if (all || run.event == "SessionStart") show_run(messages, run);
  };
  return setup;
}

HookVerdict run_start_hooks(Hooks& hooks, const hooks::Input& about, bool resumed,
                            const std::string& model, const std::stop_token& stop) {
  hooks::SessionStart event;
  static_cast<hooks::Input&>(event) = about;
  event.source = resumed ? hooks::SessionStartSource::resume : hooks::SessionStartSource::startup;
  event.model = model;
  return hooks.run(event, resumed ? "resume" : "startup", make_uuid(), stop);
}

void run_end_hooks(Hooks& hooks, const hooks::Input& about) {
  hooks::SessionEnd event;
  static_cast<hooks::Input&>(event) = about;
  event.reason = hooks::SessionEndReason::other;
  (void)hooks.run(event, "other", make_uuid(), {});
}

}  // namespace parley::agent
