#include "agent/turn/tools/call_permission.hpp"

#include "agent/tools/tool_state.hpp"
#include "agent/turn/hook_inputs.hpp"

namespace parley::agent {
namespace {

using Wanted = HookVerdict::Permission;

constexpr const char* kHungUp =
    "The user is gone, so nobody can agree to this tool call. Stop here.";

/// The decision of the PreToolUse hooks, if they make it; else `hook` and `input` are what they
/// left behind.
std::optional<CallDecision> ask_hooks(const CallScope& scope, const Tool& tool, RawJson& input,
                                      HookVerdict& hook) {
  TurnContext& context = scope.context;
  if (!context.hooks.any("PreToolUse")) return std::nullopt;
  const std::string name(tool.name());
  hooks::PreToolUse event;
  fill(event, context, scope.prompt_id);
  event.mcp_server = server_of(tool);
  event.tool_name = name;
  event.tool_input = input;
  event.tool_use_id = scope.call.id;
  scope.on_settled();
  hook = context.hooks.run(event, name, scope.call.id, scope.stop.get_token());
  show_hook_messages(context.messages, hook);
  if (scope.stopped()) return rejected_call(false);
  if (hook.stop) scope.notes.stopped_by_hook();
  for (const std::string& text : hook.contexts) scope.notes.add_context(text);
  if (hook.hung_up) {
    ToolOutput output = ToolOutput::error(kHungUp);
    output.result = RawJson(Json(kHungUp).dump());
    return CallOutcome{std::move(output), {}, "cancelled"};
  }
  if (hook.failed_closed) return CallOutcome{ToolOutput::error(hook.failure), {}, {}};
  if (hook.updated_input) input = *hook.updated_input;
  if (hook.permission == Wanted::deny || hook.blocked) {
    const std::string why = hook.blocked ? hook.block_reason : hook.permission_reason;
    scope.notes.denied(scope.call, input);
    return denied_call("PreToolUse:" + name + " hook error: " + why,
                       made_decision("reject", "hook", "hook"));
  }
  if (hook.permission == Wanted::defer) return Deferral{};
  return std::nullopt;
}

void show_denied(const CallScope& scope, const Verdict& verdict) {
  PermissionDenied message;
  message.tool_name = scope.call.name;
  message.tool_use_id = scope.call.id;
  if (!verdict.reason_type.empty()) message.decision_reason_type = verdict.reason_type;
  if (!verdict.reason.empty()) message.decision_reason = verdict.reason;
  message.message = verdict.message;
  scope.context.messages.send(std::move(message));
}

CallOutcome deny_by_config(const CallScope& scope, const RawJson& input, const Intent& intent,
                           const Verdict& verdict) {
  const PermissionDecision by_config = made_decision("reject", "config", verdict.reason_type);
  scope.notes.denied(scope.call, input);
  const bool is_file =
      intent.kind == Intent::Kind::read_file || intent.kind == Intent::Kind::edit_file;
  if (is_file && verdict.reason_type == "rule") {
    // A file that a rule hides is a mistake of the model, not an event for the client.
    return {ToolOutput::error(verdict.message, true), by_config, {}};
  }
  show_denied(scope, verdict);
  return denied_call(verdict.message, by_config);
}

}  // namespace

CallDecision decide_permission(const CallScope& scope, const Tool& tool) {
  TurnContext& context = scope.context;
  const std::string name(tool.name());
  RawJson input = tool.normal_input(scope.call.input);
  HookVerdict hook;
  if (auto decided = ask_hooks(scope, tool, input, hook)) return *std::move(decided);
  ToolState& state = context.tools.state();
  const Intent intent = tool.intent({scope.call.id, input, scope.stop.get_token(), state});
  Verdict verdict = context.permissions.judge(name, input, intent, state.cwd());
  if (verdict.kind == Verdict::Kind::deny) return deny_by_config(scope, input, intent, verdict);
  const bool must_ask = intent.kind == Intent::Kind::ask_user;
  if (hook.permission == Wanted::allow && !must_ask) {
    return Permit{input, made_decision("accept", "hook", "hook")};
  }
  if (verdict.kind == Verdict::Kind::allow && hook.permission != Wanted::ask) {
    return Permit{input, made_decision("accept", "config", verdict.reason_type)};
  }
  if (hook.permission == Wanted::ask) {
    // What a hook wants asked is not what a rule could settle: no suggestions.
    Verdict asked;
    asked.message = verdict.message;
    asked.reason_type = "hook";
    asked.reason = hook.permission_reason;
    verdict = std::move(asked);
  }
  if (!context.options.can_ask) {
    show_denied(scope, verdict);
    scope.notes.denied(scope.call, input);
    CallOutcome outcome = denied_call(verdict.message, made_decision("reject", "config"));
    outcome.non_execution_kind = "user-rejected";
    return outcome;
  }
  return ask_permission(scope, tool, input, verdict);
}

}  // namespace parley::agent
