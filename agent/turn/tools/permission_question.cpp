// The question whether a tool call may run, as the client is asked it, and what the answer means.
#include <memory>
#include <mutex>
#include <thread>

#include "agent/tools/schema/input_check.hpp"
#include "agent/tools/tool_state.hpp"
#include "agent/turn/hook_inputs.hpp"
#include "agent/turn/tools/call_permission.hpp"
#include "wire/codec/codec.hpp"
#include "wire/control/control.hpp"

namespace parley::agent {
namespace {

constexpr const char* kInvalidAnswer =
    "The answer to the permission request is not valid: it must be {behavior: 'allow', "
    "updatedInput?: object} or {behavior: 'deny', message: string}.";

control::CanUseTool question(const CallScope& scope, const Tool& tool, const RawJson& input,
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
  request.tool_use_id = scope.call.id;
  if (scope.context.options.agent) request.agent_id = scope.context.options.agent->id;
  const ToolCall call{scope.call.id, input, scope.stop.get_token(), scope.context.tools.state()};
  if (tool.intent(call).kind == Intent::Kind::kAskUser) request.requires_user_interaction = true;
  return request;
}

/// Makes the changes to the rules that came with an answer. A list that cannot be used changes
/// nothing, and the answer still counts.
void apply_updates(TurnContext& context, const std::vector<PermissionUpdate>& updates) {
  if (updates.empty()) return;
  const auto applied = context.permissions.apply(updates);
  if (!applied) {
    context.debug.write("permission updates were not taken over: " +
                        std::string(applied.error().what()));
  } else if (*applied) {
    context.status.mode(context.permissions.mode());
  }
}

/// The call is denied, and its conversation is to end with it. Others go on: what they ask is
/// theirs.
CallOutcome interrupt_turn(const CallScope& scope, const RawJson& input) {
  scope.notes.denied(scope.call, input);
  scope.notes.interrupted();
  scope.context.asker.withdraw({scope.context.options.asker_id()});
  scope.stop.request_stop();
  return rejected_call(false);
}

CallDecision decided_by_hook(const CallScope& scope, const RawJson& input,
                             const HookVerdict& said) {
  if (said.permission == HookVerdict::Permission::kAllow) {
    apply_updates(scope.context, said.updated_permissions);
    return Permit{said.updated_input.value_or(input), made_decision("accept", "hook", "hook")};
  }
  if (said.interrupt) return interrupt_turn(scope, input);
  scope.notes.denied(scope.call, input);
  return denied_call(said.permission_reason, made_decision("reject", "hook", "hook"));
}

/// `allow` and `deny` as the client wrote them; an error if it wrote anything else.
Result<PermissionResult> read_answer(const RawJson& body) {
  auto result = body.as<PermissionResult>();
  if (auto json = body.json(); !result && json && (*json)["behavior"].as_string() == "allow") {
    // One malformed update voids the list of updates, not the answer.
    json->erase("updatedPermissions");
    result = RawJson(json->dump()).as<PermissionResult>();
  }
  if (!result || std::holds_alternative<Unknown>(*result)) {
    return Error(ErrorCode::kInvalid, kInvalidAnswer);
  }
  return result;
}

CallDecision decided_by_client(const CallScope& scope, const Tool& tool, const RawJson& input,
                               const Asker::Reply& reply) {
  const PermissionDecision failed = made_decision("reject", "config", "other");
  switch (reply.end) {
    case Asker::End::kWithdrawn: scope.notes.denied(scope.call, input); return rejected_call(false);
    case Asker::End::kClosed:
    case Asker::End::kTimeout:
      return denied_call(
          "Tool permission request failed: AbortError: Tool permission stream closed "
          "before response received",
          failed);
    case Asker::End::kFailed:
      return denied_call("Tool permission request failed: Error: " + reply.error, failed);
    case Asker::End::kAnswered: break;
  }
  const auto answer = read_answer(reply.body);
  if (!answer) return denied_call(answer.error().message(), failed);
  if (const auto* deny = std::get_if<PermissionDeny>(&*answer)) {
    if (deny->interrupt.value_or(false)) return interrupt_turn(scope, input);
    scope.notes.denied(scope.call, input);
    return denied_call(deny->message, made_decision("reject", "user_reject"));
  }
  const auto& allow = std::get<PermissionAllow>(*answer);
  if (allow.updatedPermissions) apply_updates(scope.context, *allow.updatedPermissions);
  const RawJson updated = allow.updatedInput.value_or(input);
  if (auto fits = check_updated_input(tool, updated); !fits) {
    return CallOutcome{ToolOutput::bad_input(fits.error()), {}, {}};
  }
  return Permit{updated, made_decision("accept", "user_temporary")};
}

/// A PermissionRequest hook is asked at the same time as the client. Its thread may outlive the
/// question, so what it uses is its own.
struct Race {
  std::stop_source decided;
  std::stop_source interrupted;
  std::mutex mutex;
  std::optional<HookVerdict> by_hook;
};

}  // namespace

CallDecision ask_permission(const CallScope& scope, const Tool& tool, const RawJson& input,
                            const Verdict& verdict) {
  TurnContext& context = scope.context;
  const auto race = std::make_shared<Race>();
  std::stop_callback outer(scope.stop.get_token(), [race] {
    race->interrupted.request_stop();
    race->decided.request_stop();
  });
  std::jthread hook;
  const auto ask_hooks = [&] {
    scope.on_settled();
    if (!context.hooks.any("PermissionRequest")) return;
    hooks::PermissionRequest event;
    fill(event, context, scope.prompt_id);
    event.tool_name = std::string(tool.name());
    event.tool_input = input;
    event.permission_suggestions = verdict.suggestions;
    hook = std::jthread([race, &hooks = context.hooks, name = std::string(tool.name()),
                         id = scope.call.id, stop = race->interrupted.get_token(),
                         event = HookInput(std::move(event))] {
      HookVerdict said = hooks.run(event, name, id, stop);
      if (said.permission == HookVerdict::Permission::kNone) return;
      const std::lock_guard lock(race->mutex);
      race->by_hook = std::move(said);
      race->decided.request_stop();
    });
  };
  context.status.state(SessionState::requires_action);
  const Asker::Reply reply =
      context.asker.ask(question(scope, tool, input, verdict), race->decided.get_token(),
                        std::nullopt, ask_hooks, context.options.asker_id());
  context.status.state(SessionState::running);
  // An answer of the client makes that of the hook worthless; it is not withdrawn.
  if (hook.joinable()) context.threads.keep(std::move(hook));
  const std::lock_guard lock(race->mutex);
  if (reply.end == Asker::End::kWithdrawn && race->by_hook && !scope.stopped()) {
    return decided_by_hook(scope, input, *race->by_hook);
  }
  return decided_by_client(scope, tool, input, reply);
}

}  // namespace parley::agent
