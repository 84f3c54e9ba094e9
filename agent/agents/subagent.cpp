#include "agent/agents/subagent.hpp"

#include "agent/connection/message_parts.hpp"
#include "agent/turn/hook_inputs.hpp"
#include "support/random.hpp"
#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

using std::chrono::steady_clock;

/// What the caller of an agent is told that did not come to its end.
constexpr const char* kInterrupted = "[Request interrupted by user for tool use]";

SubagentMessages::Setup messages_setup(const AgentHost& host, const SubagentIdentity& identity,
                                       bool background) {
  SubagentMessages::Setup setup;
  setup.identity = identity;
  setup.background = background;
  setup.shows_text =
      host.config.flags.forward_subagent_text || host.overrides.copy().forward_subagent_text;
  setup.tool_name = [&tools = host.session.tools](const std::string& name) {
    const SharedTool tool = tools.known(name);
    return tool == nullptr ? name : std::string(tool->name());
  };
  return setup;
}

SubagentTranscript::Setup transcript_setup(const AgentHost& host,
                                           const SubagentIdentity& identity) {
  SubagentTranscript::Setup setup;
  setup.place = host.place();
  setup.cwd = host.config.cwd;
  setup.entrypoint = host.config.entrypoint;
  setup.persist = !host.config.flags.no_session_persistence;
  setup.identity = identity;
  if (host.config.flags.session_mirror) {
    setup.mirror = [&client = host.session.messages](const std::string& path,
                                                     const std::string& line) {
      client.send(TranscriptMirror{path, {RawJson(line)}, {}});
    };
  }
  return setup;
}

std::string stopped_by_turns(std::int64_t most, const std::string& words) {
  return "NOTE: this agent stopped at its " + std::to_string(most) +
         "-turn limit before it was done. What follows is not complete. SendMessage lets it go on "
         "where it stopped.\n\n" +
         words;
}

}  // namespace

BackgroundTask::Use SubagentOutcome::use() const {
  const std::int64_t tokens = usage.input_tokens.value_or(0) + usage.output_tokens.value_or(0) +
                              usage.cache_creation_input_tokens.value_or(0) +
                              usage.cache_read_input_tokens.value_or(0);
  return {tokens, work.tool_uses, took.count()};
}

Subagent::Subagent(const AgentHost& host, SubagentIdentity identity, bool background,
                   const std::vector<SharedTool>& own_tools)
    : host_(host),
      identity_(std::move(identity)),
      background_(background),
      requests_(host, identity_),
      tools_(host.session.tools, identity_, own_tools),
      permissions_(host.permissions, identity_),
      messages_(messages_setup(host, identity_, background), host.session.messages),
      transcript_(transcript_setup(host, identity_)) {}

TurnContext Subagent::context() {
  TurnContext& session = host_.session;
  TurnOptions options = session.options;
  options.agent = AgentIdentity{identity_.id, identity_.kind.name, session.transcript.path()};
  options.max_turns = identity_.kind.definition.maxTurns;
  options.partial_messages = false;
  return TurnContext{options,
                     conversation_,
                     transcript_,
                     requests_,
                     tools_,
                     permissions_,
                     messages_,
                     prompts_,
                     session.model,
                     session.asker,
                     session.hooks,
                     session.cost,
                     totals_,
                     session.status,
                     session.threads,
                     session.debug,
                     session.checkpoints,
                     session.ask_elsewhere,
                     session.read_resource};
}

void Subagent::restore(std::vector<MessageParam> messages, std::string last_uuid) {
  conversation_.restore(std::move(messages));
  transcript_.resume(std::move(last_uuid));
}

void Subagent::tell(UserMessage message) {
  mail_.change([&](std::vector<UserMessage>& mail) { mail.push_back(std::move(message)); });
}

bool Subagent::has_mail() const { return !mail_.copy().empty(); }

void Subagent::append(const MessageParam& message, const std::string& prompt_id) {
  transcript_.add(Json::object({{"promptId", prompt_id},
                                {"type", "user"},
                                {"message", RawJson(encode(message)).json().value()}}));
  conversation_.append(message);
}

/// What was sent to it becomes a part of the conversation. Whether there was any.
bool Subagent::take_mail(const std::string& prompt_id) {
  std::vector<UserMessage> mail;
  mail_.change([&](std::vector<UserMessage>& waiting) { mail.swap(waiting); });
  for (const UserMessage& message : mail) append(message.message, prompt_id);
  return !mail.empty();
}

void Subagent::run_start_hooks(TurnContext& context, const std::string& prompt_id,
                               const std::stop_token& stop, const std::function<void()>& begun) {
  if (!context.hooks.any("SubagentStart")) return;
  hooks::SubagentStart event;
  fill(event, context, prompt_id);
  event.permission_mode.reset();
  const HookVerdict verdict =
      context.hooks.run(event, identity_.kind.name, make_uuid(), stop, begun);
  show_hook_messages(context.messages, verdict);
  for (const std::string& text : verdict.contexts) requests_.add_note(text);
}

SubagentOutcome Subagent::run(const SubagentTask& task, const std::stop_token& stop,
                              const std::function<void()>& begun) {
  const auto started = steady_clock::now();
  messages_.begin(task.run_id, task.tool_use_id);
  if (!task.prompt.empty()) append(user_text(task.prompt), task.prompt_id);
  take_mail(task.prompt_id);
  transcript_.describe(background_, false);
  TurnContext own = context();
  run_start_hooks(own, task.prompt_id, stop, begun);
  begun();
  TurnRecord record = TurnRecord::begin();
  record.prompt_id = task.prompt_id;
  AgentLoop loop(own, record, stop);
  loop.before_next_request([&] { take_mail(task.prompt_id); });
  do {
    loop.run();
  } while (!record.cancelled && !record.result.is_error.value_or(false) &&
           take_mail(task.prompt_id));
  SubagentOutcome outcome = outcome_of(record);
  outcome.took =
      std::chrono::duration_cast<std::chrono::milliseconds>(steady_clock::now() - started);
  transcript_.sync();
  transcript_.describe(background_, true);
  return outcome;
}

SubagentOutcome Subagent::outcome_of(const TurnRecord& record) {
  using Status = BackgroundTask::Status;
  SubagentOutcome outcome;
  outcome.work = messages_.work();
  totals_.change([&](SessionTotals& totals) {
    outcome.usage = totals.last_usage.value_or(Usage{});
    outcome.lines = std::exchange(totals.lines, {});
  });
  // What it changed and what it was denied is the session's to report.
  host_.session.totals.change([&](SessionTotals& totals) {
    totals.lines.added += outcome.lines.added;
    totals.lines.removed += outcome.lines.removed;
    for (const PermissionDenial& denial :
         record.result.permission_denials.value_or(std::vector<PermissionDenial>{})) {
      totals.agent_denials.push_back(denial);
    }
  });
  const ResultMessage& result = record.result;
  if (record.cancelled) {
    outcome.status = Status::killed;
    outcome.text = kInterrupted;
  } else if (result.subtype == ResultSubtype::error_max_turns) {
    outcome.turned_off = true;
    outcome.text =
        stopped_by_turns(identity_.kind.definition.maxTurns.value_or(0), outcome.work.last_words);
  } else if (result.is_error.value_or(false)) {
    outcome.status = Status::failed;
    const bool by_api = result.subtype == ResultSubtype::success;
    const std::string why = by_api                                     ? result.result.value_or("")
                            : result.errors && !result.errors->empty() ? result.errors->front()
                                                                       : std::string("no reason");
    outcome.text =
        (by_api ? "Agent terminated early due to an API error: " : "Agent ended early: ") + why;
  } else {
    outcome.text = result.result.value_or("");
    if (outcome.text.empty()) outcome.text = outcome.work.last_words;
  }
  return outcome;
}

}  // namespace parley::agent
