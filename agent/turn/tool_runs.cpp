#include "agent/turn/tool_runs.hpp"

#include <algorithm>

#include "agent/tools/schema/input_check.hpp"
#include "agent/tools/structured_output.hpp"
#include "agent/turn/heartbeat.hpp"
#include "agent/turn/hook_inputs.hpp"
#include "agent/uuid.hpp"
#include "wire/codec/codec.hpp"
#include "wire/control/control.hpp"

namespace parley::agent {
namespace {

using std::chrono::steady_clock;

/// Calls that run beside each other, however many an answer has.
constexpr int kMostAtOnce = 10;
constexpr const char* kRejected =
    "The user does not want this tool call: it was refused and nothing was done. Stop here and "
    "wait "
    "for what the user says next.";
constexpr const char* kStoppedRunning =
    "The user interrupted this tool call while it was running. Part of its work may have been done "
    "already, and what it started elsewhere may go on; check before you start the same again. Stop "
    "here and wait for what the user says next.";
constexpr const char* kHungUp =
    "The user is gone, so nobody can agree to this tool call. Stop here.";
constexpr const char* kInvalidAnswer =
    "The answer to the permission request is not valid: it must be {behavior: 'allow', "
    "updatedInput?: object} or {behavior: 'deny', message: string}.";

PermissionDecision decision(const char* what, const char* source, const std::string& reason = {}) {
  PermissionDecision made;
  made.decision = what;
  made.source = source;
  if (!reason.empty()) made.reason_type = reason;
  return made;
}

}  // namespace

ToolRuns::ToolRuns(Session& session, std::stop_token stop, std::string prompt_id)
    : session_(session),
      outer_(stop, [this] { stop_.request_stop(); }),
      prompt_id_(std::move(prompt_id)) {}

ToolRuns::~ToolRuns() {
  stop_.request_stop();
  wait();
}

void ToolRuns::start(const ToolUseBlock& call, const std::string& source_uuid) {
  const Tool* tool = find_tool(call.name);
  std::unique_lock lock(mutex_);
  if (runs_.empty()) session_.inbox.tools_begin();
  ToolRun& added = runs_.emplace_back();
  added.call = call;
  added.source_uuid = source_uuid;
  added.concurrent = tool != nullptr && tool->concurrent(call.input);
  threads_.emplace_back([this, &added] { run(added); });
  changed_.wait(lock, [&] { return added.settled; });
}

void ToolRuns::settle(ToolRun& run) {
  const std::lock_guard lock(mutex_);
  run.settled = true;
  changed_.notify_all();
}

void ToolRuns::record_results() {
  const std::lock_guard lock(mutex_);
  recording_ = true;
  for (const ToolRun& run : runs_) {
    if (run.done) record(run);
  }
}

void ToolRuns::wait() {
  std::vector<std::jthread> threads;
  {
    const std::lock_guard lock(mutex_);
    threads.swap(threads_);
  }
  threads.clear();  // joins
  const std::lock_guard lock(mutex_);
  interrupted_ = interrupted_ || stop_.stop_requested();
}

const ToolRun* ToolRuns::deferred() const {
  const auto last =
      std::find_if(runs_.rbegin(), runs_.rend(), [](const ToolRun& run) { return run.deferred; });
  return last == runs_.rend() ? nullptr : &*last;
}

void ToolRuns::run(ToolRun& run) {
  {
    std::unique_lock lock(mutex_);
    const auto may_start = [&] {
      int before = 0;
      for (const ToolRun& other : runs_) {
        if (&other == &run) return true;
        if (other.done) continue;
        if (!(other.concurrent && run.concurrent) || ++before == kMostAtOnce) return false;
      }
      return true;
    };
    if (!may_start()) {
      run.settled = true;
      changed_.notify_all();
      changed_.wait(lock, may_start);
    }
  }
  std::optional<Finding> finding;
  try {
    finding = find(run);
  } catch (const std::exception& error) {
    // A tool that fails in an unforeseen way costs its call, not the session.
    finding = Finding{ToolOutput::error("The tool failed: " + std::string(error.what())), {}, {}};
  }
  if (finding) show(run, *std::move(finding));
  const std::lock_guard lock(mutex_);
  run.deferred = !finding;
  run.settled = true;
  run.done = true;
  if (recording_) record(run);
  changed_.notify_all();
}

/// The whole way of a call, from the checks to its result. None if it is put off.
std::optional<ToolRuns::Finding> ToolRuns::find(ToolRun& run) {
  const Session::SharedTool tool = session_.find_offered(run.call.name);
  if (auto refused = refuse_early(run, tool.get())) return *std::move(refused);
  auto decided = this->permit(*tool, run);
  if (std::holds_alternative<Deferral>(decided)) return std::nullopt;
  if (auto* refused = std::get_if<Finding>(&decided)) return std::move(*refused);
  const Permit& permit = std::get<Permit>(decided);
  settle(run);
  const auto started = steady_clock::now();
  ToolCall call{run.call.id, permit.input, stop_.get_token(), *session_.tools};
  const Intent intent = tool->intent(call);
  if (session_.checkpoints && intent.kind == Intent::Kind::kEditFile) {
    session_.checkpoints->before_edit(intent.path, run.source_uuid);
  }
  std::optional<Heartbeat> heartbeat;
  if (intent.kind == Intent::Kind::kCommand || intent.kind == Intent::Kind::kFetch) {
    heartbeat.emplace(run.call.id, std::string(tool->name()),
                      [this](ToolProgress message) { session_.output.send(std::move(message)); });
  }
  ToolOutput output = tool->run(call);
  heartbeat.reset();
  if (stop_.stop_requested()) return rejected(true);
  if (tool->name() == kStructuredOutput && !output.is_error) {
    const std::lock_guard lock(mutex_);
    structured_ = permit.input;
  }
  after(*tool, run, permit.input, output,
        std::chrono::duration_cast<std::chrono::milliseconds>(steady_clock::now() - started));
  return Finding{std::move(output), permit.decision, std::nullopt};
}

std::optional<ToolRuns::Finding> ToolRuns::refuse_early(const ToolRun& run, const Tool* tool) {
  if (tool == nullptr) {
    const std::string text = no_such_tool(run.call.name);
    ToolOutput output = ToolOutput::error(text, true);
    output.result = RawJson(Json(text).dump());
    return Finding{std::move(output), {}, {}};
  }
  // The one for structured output checks its input itself, and says so in its own words.
  const bool own_check = tool->name() == kStructuredOutput;
  if (auto fits = check_schema(*tool, run.call.input); !own_check && !fits) {
    return Finding{ToolOutput::bad_input(fits.error()), {}, {}};
  }
  ToolCall call{run.call.id, run.call.input, stop_.get_token(), *session_.tools};
  if (auto checked = tool->check(call); !checked) {
    return Finding{ToolOutput::error(checked.error().message(), true), {}, {}};
  }
  if (stop_.stop_requested()) return rejected(false);
  return std::nullopt;
}

// ---- permission ---------------------------------------------------------------------------------

ToolRuns::Decision ToolRuns::permit(const Tool& tool, ToolRun& run) {
  RawJson input = tool.normal_input(run.call.input);
  HookVerdict hook;
  const std::string name(tool.name());
  if (session_.hooks->any("PreToolUse")) {
    hooks::PreToolUse event;
    fill(event, session_, prompt_id_);
    event.tool_name = name;
    event.tool_input = input;
    event.tool_use_id = run.call.id;
    settle(run);
    hook = session_.hooks->run(event, name, run.call.id, stop_.get_token());
    show_hook_messages(session_, hook);
    if (stop_.stop_requested()) return rejected(false);
    {
      const std::lock_guard lock(mutex_);
      stopped_by_hook_ = stopped_by_hook_ || hook.stop;
      contexts_.insert(contexts_.end(), hook.contexts.begin(), hook.contexts.end());
    }
    if (hook.hung_up) {
      ToolOutput output = ToolOutput::error(kHungUp);
      output.result = RawJson(Json(kHungUp).dump());
      return Finding{std::move(output), {}, "cancelled"};
    }
    if (hook.failed_closed) return Finding{ToolOutput::error(hook.failure), {}, {}};
    if (hook.updated_input) input = *hook.updated_input;
    if (hook.permission == HookVerdict::Permission::kDeny || hook.blocked) {
      const std::string why = hook.blocked ? hook.block_reason : hook.permission_reason;
      return denied(run, input, "PreToolUse:" + name + " hook error: " + why,
                    decision("reject", "hook", "hook"));
    }
    if (hook.permission == HookVerdict::Permission::kDefer) return Deferral{};
  }
  ToolCall call{run.call.id, input, stop_.get_token(), *session_.tools};
  const Intent intent = tool.intent(call);
  Verdict verdict = session_.permissions->judge(name, input, intent, session_.tools->cwd());
  if (verdict.kind == Verdict::Kind::kDeny) {
    const PermissionDecision by_config = decision("reject", "config", verdict.reason_type);
    const bool is_file =
        intent.kind == Intent::Kind::kReadFile || intent.kind == Intent::Kind::kEditFile;
    if (is_file && verdict.reason_type == "rule") {
      // A file that a rule hides is a mistake of the model, not an event for the client.
      note_denial(run, input);
      return Finding{ToolOutput::error(verdict.message, true), by_config, {}};
    }
    show_denied(run, verdict);
    return denied(run, input, verdict.message, by_config);
  }
  using Wanted = HookVerdict::Permission;
  const bool must_ask = intent.kind == Intent::Kind::kAskUser;
  if (hook.permission == Wanted::kAllow && !must_ask) {
    return Permit{input, decision("accept", "hook", "hook")};
  }
  if (verdict.kind == Verdict::Kind::kAllow && hook.permission != Wanted::kAsk) {
    return Permit{input, decision("accept", "config", verdict.reason_type)};
  }
  if (hook.permission == Wanted::kAsk) {
    // What a hook wants asked is not what a rule could settle: no suggestions.
    Verdict asked;
    asked.message = verdict.message;
    asked.reason_type = "hook";
    asked.reason = hook.permission_reason;
    verdict = std::move(asked);
  }
  if (!session_.can_ask()) {
    show_denied(run, verdict);
    Finding finding = denied(run, input, verdict.message, decision("reject", "config"));
    finding.non_execution_kind = "user-rejected";
    return finding;
  }
  return ask(tool, run, input, verdict);
}

ToolRuns::Decision ToolRuns::ask(const Tool& tool, ToolRun& run, const RawJson& input,
                                 const Verdict& verdict) {
  const std::string name(tool.name());
  control::CanUseTool request;
  request.tool_name = name;
  request.display_name = name;
  // A plan is shown by what the session knows of it, not by the input.
  request.input = name == "ExitPlanMode" ? RawJson("{}") : input;
  if (std::string summary = tool.summary(input); !summary.empty()) request.description = summary;
  request.permission_suggestions = verdict.suggestions;
  request.blocked_path = verdict.blocked_path;
  if (!verdict.reason.empty()) request.decision_reason = verdict.reason;
  if (!verdict.reason_type.empty()) {
    request.decision_reason_type = Enum<control::DecisionReasonType>(verdict.reason_type);
  }
  if (verdict.reason_type == "rule" && verdict.rule_source) {
    request.decision_reason_rule_source = std::string(verdict.rule_source->text());
  }
  request.server_policy_ask_only = verdict.policy_ask_only;
  request.classifier_approvable = verdict.classifier_approvable;
  request.suppress_always_allow_rule = verdict.suppress_always_allow_rule;
  request.tool_use_id = run.call.id;
  ToolCall call{run.call.id, input, stop_.get_token(), *session_.tools};
  if (tool.intent(call).kind == Intent::Kind::kAskUser) request.requires_user_interaction = true;

  // A PermissionRequest hook is asked at the same time; whoever answers first counts. The thread
  // may outlive this call, so what it uses is its own.
  struct Race {
    std::stop_source decided;
    std::stop_source interrupted;
    std::mutex mutex;
    std::optional<HookVerdict> by_hook;
  };
  const auto race = std::make_shared<Race>();
  std::stop_callback outer(stop_.get_token(), [race] {
    race->interrupted.request_stop();
    race->decided.request_stop();
  });
  std::jthread hook;
  const auto ask_hooks = [&] {
    settle(run);
    if (!session_.hooks->any("PermissionRequest")) return;
    hooks::PermissionRequest event;
    fill(event, session_, prompt_id_);
    event.tool_name = name;
    event.tool_input = input;
    event.permission_suggestions = verdict.suggestions;
    hook =
        std::jthread([race, &session = session_, name, id = run.call.id,
                      stop = race->interrupted.get_token(), event = HookInput(std::move(event))] {
          HookVerdict said = session.hooks->run(event, name, id, stop);
          if (said.permission == HookVerdict::Permission::kNone) return;
          const std::lock_guard lock(race->mutex);
          race->by_hook = std::move(said);
          race->decided.request_stop();
        });
  };
  session_.show_state(SessionState::requires_action);
  const Asker::Answer answer =
      session_.asker.ask(std::move(request), race->decided.get_token(), std::nullopt, ask_hooks);
  session_.show_state(SessionState::running);
  // An answer of the client makes that of the hook worthless; it is not withdrawn.
  if (hook.joinable()) session_.leave_behind(std::move(hook));
  const std::lock_guard lock(race->mutex);
  if (answer.end == Asker::End::kWithdrawn && race->by_hook && !stop_.stop_requested()) {
    const HookVerdict& said = *race->by_hook;
    if (said.permission == HookVerdict::Permission::kAllow) {
      take_over(said.updated_permissions);
      return Permit{said.updated_input.value_or(input), decision("accept", "hook", "hook")};
    }
    if (said.interrupt) {
      note_denial(run, input);
      interrupt_all();
      return rejected(false);
    }
    return denied(run, input, said.permission_reason, decision("reject", "hook", "hook"));
  }
  return answered(tool, run, input, answer);
}

ToolRuns::Decision ToolRuns::answered(const Tool& tool, const ToolRun& run, const RawJson& input,
                                      const Asker::Answer& answer) {
  const PermissionDecision failed = decision("reject", "config", "other");
  switch (answer.end) {
    case Asker::End::kWithdrawn: return rejected(false);
    case Asker::End::kClosed:
    case Asker::End::kTimeout:
      return denied(run, input,
                    "Tool permission request failed: AbortError: Tool permission stream closed "
                    "before response received",
                    failed, false);
    case Asker::End::kFailed:
      return denied(run, input, "Tool permission request failed: Error: " + answer.error, failed,
                    false);
    case Asker::End::kAnswered: break;
  }
  auto result = answer.body.as<PermissionResult>();
  if (auto json = answer.body.json();
      !result && json && (*json)["behavior"].as_string() == "allow") {
    // One malformed update voids the list of updates, not the answer.
    json->erase("updatedPermissions");
    result = RawJson(json->dump()).as<PermissionResult>();
  }
  if (!result || std::holds_alternative<Unknown>(*result)) {
    return denied(run, input, kInvalidAnswer, failed, false);
  }
  if (const auto* deny = std::get_if<PermissionDeny>(&*result)) {
    if (deny->interrupt.value_or(false)) {
      note_denial(run, input);
      interrupt_all();
      return rejected(false);
    }
    return denied(run, input, deny->message, decision("reject", "user_reject"));
  }
  const auto& allow = std::get<PermissionAllow>(*result);
  if (allow.updatedPermissions) take_over(*allow.updatedPermissions);
  const RawJson updated = allow.updatedInput.value_or(input);
  if (auto fits = check_updated_input(tool, updated); !fits) {
    return Finding{ToolOutput::bad_input(fits.error()), {}, {}};
  }
  return Permit{updated, decision("accept", "user_temporary")};
}

/// Changes to the rules that came with an answer. A list that cannot be used changes nothing, and
/// the answer still counts.
void ToolRuns::take_over(const std::vector<PermissionUpdate>& updates) {
  if (updates.empty()) return;
  const auto applied = session_.permissions->apply(updates);
  if (!applied) {
    session_.debug("permission updates were not taken over: " +
                   std::string(applied.error().what()));
  } else if (*applied) {
    session_.show_mode();
  }
}

void ToolRuns::interrupt_all() {
  {
    const std::lock_guard lock(mutex_);
    interrupted_ = true;
  }
  session_.asker.withdraw_all();
  stop_.request_stop();
}

void ToolRuns::note_denial(const ToolRun& run, const RawJson& input) {
  const std::lock_guard lock(mutex_);
  denials_.push_back({run.call.name, run.call.id, input, {}});
}

void ToolRuns::show_denied(const ToolRun& run, const Verdict& verdict) {
  PermissionDenied message;
  message.tool_name = run.call.name;
  message.tool_use_id = run.call.id;
  if (!verdict.reason_type.empty()) message.decision_reason_type = verdict.reason_type;
  if (!verdict.reason.empty()) message.decision_reason = verdict.reason;
  message.message = verdict.message;
  session_.output.send(std::move(message));
}

ToolRuns::Finding ToolRuns::denied(const ToolRun& run, const RawJson& input,
                                   const std::string& text, PermissionDecision decision,
                                   bool counts) {
  if (counts) note_denial(run, input);
  return {ToolOutput::error(text), std::move(decision), "permission-rule"};
}

ToolRuns::Finding ToolRuns::rejected(bool while_running) {
  ToolOutput output = ToolOutput::error(while_running ? kStoppedRunning : kRejected);
  output.result = RawJson("\"User rejected tool use\"");
  return {std::move(output), std::nullopt, "user-rejected"};
}

// ---- results ------------------------------------------------------------------------------------

void ToolRuns::after(const Tool& tool, const ToolRun& run, const RawJson& input, ToolOutput& output,
                     std::chrono::milliseconds took) {
  const std::string name(tool.name());
  const char* event_name = output.is_error ? "PostToolUseFailure" : "PostToolUse";
  if (!session_.hooks->any(event_name)) return;
  HookVerdict verdict;
  if (output.is_error) {
    hooks::PostToolUseFailure event;
    fill(event, session_, prompt_id_);
    event.tool_name = name;
    event.tool_input = input;
    event.tool_use_id = run.call.id;
    if (const auto* text = std::get_if<std::string>(&output.content)) event.error = *text;
    event.is_interrupt = false;
    event.duration_ms = took.count();
    verdict = session_.hooks->run(event, name, run.call.id, stop_.get_token());
  } else {
    hooks::PostToolUse event;
    fill(event, session_, prompt_id_);
    event.tool_name = name;
    event.tool_input = input;
    event.tool_response = output.result;
    event.tool_use_id = run.call.id;
    event.duration_ms = took.count();
    verdict = session_.hooks->run(event, name, run.call.id, stop_.get_token());
  }
  show_hook_messages(session_, verdict);
  if (verdict.updated_output) {
    const auto text = verdict.updated_output->json();
    output.content =
        text && text->is_string() ? std::string(text->as_string()) : verdict.updated_output->text;
    output.result = *verdict.updated_output;
  }
  const std::lock_guard lock(mutex_);
  if (verdict.blocked && !verdict.block_reason.empty()) {
    contexts_.push_back(std::string(event_name) + ":" + name + " hook: " + verdict.block_reason);
  }
  for (const std::string& context : verdict.contexts) contexts_.push_back(context);
  if (verdict.stop) stopped_by_hook_ = true;
}

void ToolRuns::show(ToolRun& run, Finding finding) {
  run.block.tool_use_id = run.call.id;
  run.block.content = finding.output.content;
  if (finding.output.is_error) {
    run.block.is_error = true;
  } else if (finding.output.says_no_error) {
    run.block.is_error = false;
  }
  UserMessage message;
  message.uuid = make_uuid();
  message.timestamp = timestamp();
  message.message.role = "user";
  message.message.content = std::vector<ContentBlock>{run.block};
  write_null(message.extra, "parent_tool_use_id");
  message.tool_use_result = finding.output.result;
  if (finding.decision || finding.non_execution_kind) {
    ToolResultMeta meta;
    meta.id = run.call.id;
    meta.permission_decision = finding.decision;
    meta.non_execution_kind = finding.non_execution_kind;
    message.tool_result_meta = std::vector<ToolResultMeta>{std::move(meta)};
  }
  run.message = message;
  session_.output.send(std::move(message));
}

void ToolRuns::record(const ToolRun& run) {
  if (run.deferred) return record_deferral(run);
  session_.transcript->add(Json::object(
      {{"promptId", prompt_id_},
       {"type", "user"},
       {"message", RawJson(encode(run.message.message)).json().value()},
       {"uuid", run.message.uuid},
       {"timestamp", run.message.timestamp.value_or(timestamp())},
       {"toolUseResult", run.message.tool_use_result.value_or(RawJson()).json().value()},
       {"sourceToolAssistantUUID", run.source_uuid}}));
}

/// Who resumes the session finds by this line that the call is still to be carried out.
void ToolRuns::record_deferral(const ToolRun& run) {
  session_.transcript->add(Json::object(
      {{"attachment",
        Json::object({{"type", "hook_deferred_tool"},
                      {"toolUseID", run.call.id},
                      {"toolName", run.call.name},
                      {"toolInput", run.call.input.json().value()},
                      {"hookName", "settings"},
                      {"hookEvent", "PreToolUse"},
                      {"permissionMode", std::string(session_.permissions->mode().text())}})},
       {"type", "attachment"}}));
}

}  // namespace parley::agent
