#include "agent/turn/tools/execute_call.hpp"

#include "agent/tools/schema/input_check.hpp"
#include "agent/tools/structured_output.hpp"
#include "agent/tools/tool_state.hpp"
#include "agent/tools/toolbox.hpp"
#include "agent/turn/tools/call_permission.hpp"
#include "agent/turn/tools/heartbeat.hpp"
#include "agent/turn/tools/post_tool_hooks.hpp"
#include "agent/turn/tools/task_hooks.hpp"

namespace parley::agent {
namespace {

using std::chrono::steady_clock;

ToolCall tool_call(const CallScope& scope, const RawJson& input) {
  return {scope.call.id, input, scope.stop.get_token(), scope.context.tools.state(),
          scope.prompt_id};
}

/// What can be said against the call before anybody is asked.
std::optional<CallOutcome> refuse_early(const CallScope& scope, const Tool* tool) {
  if (tool == nullptr) {
    const std::string& name = scope.call.name;
    // The session has it, the subagent has not.
    const bool elsewhere =
        scope.context.options.agent && scope.context.tools.known(name) != nullptr;
    const std::string text =
        elsewhere ? "Error: No such tool available: " + name + ". " + name +
                        " is not among the tools available here. Continue with the tools you have."
                  : no_such_tool(name);
    ToolOutput output = ToolOutput::error(text, true);
    output.result = RawJson(Json(text).dump());
    return CallOutcome{std::move(output), {}, {}};
  }
  if (tool->needs_fitting_input()) {
    if (auto fits = check_schema(*tool, scope.call.input); !fits) {
      return CallOutcome{ToolOutput::bad_input(fits.error()), {}, {}};
    }
  }
  if (auto checked = tool->check(tool_call(scope, scope.call.input)); !checked) {
    return CallOutcome{ToolOutput::error(checked.error().message(), true), {}, {}};
  }
  if (scope.stopped()) return rejected_call(false);
  return std::nullopt;
}

/// Runs the tool. While it works for long the client hears of it, and a file that it is about to
/// change is copied first.
ToolOutput run_tool(const CallScope& scope, const Tool& tool, const RawJson& input) {
  const ToolCall call = tool_call(scope, input);
  const Intent intent = tool.intent(call);
  FileCheckpoints* const checkpoints = scope.context.checkpoints;
  if (checkpoints != nullptr && intent.kind == Intent::Kind::edit_file) {
    checkpoints->before_edit(intent.path, scope.source_uuid);
  }
  std::optional<Heartbeat> heartbeat;
  if (intent.kind == Intent::Kind::command || intent.kind == Intent::Kind::fetch ||
      intent.kind == Intent::Kind::foreign) {
    heartbeat.emplace(scope.call.id, std::string(tool.name()),
                      [&messages = scope.context.messages](ToolProgress message) {
                        messages.send(std::move(message));
                      });
  }
  return tool.run(call);
}

}  // namespace

std::optional<CallOutcome> execute_call(const CallScope& scope) {
  const SharedTool tool = scope.context.tools.find(scope.call.name);
  if (auto refused = refuse_early(scope, tool.get())) return refused;
  CallDecision decided = decide_permission(scope, *tool);
  if (std::holds_alternative<Deferral>(decided)) return std::nullopt;
  if (auto* refused = std::get_if<CallOutcome>(&decided)) return std::move(*refused);
  const Permit& permit = std::get<Permit>(decided);
  if (auto show = tool->open(tool_call(scope, permit.input))) {
    scope.on_opened(std::move(show));
  } else {
    scope.on_settled();
  }
  const auto started = steady_clock::now();
  ToolOutput output = run_tool(scope, *tool, permit.input);
  if (scope.stopped()) return rejected_call(true);
  if (tool->name() == kStructuredOutput && !output.is_error) {
    scope.notes.structured_output(permit.input);
  }
  run_task_hooks(scope, *tool, output);
  run_post_tool_hooks(
      scope, *tool, permit.input, output,
      std::chrono::duration_cast<std::chrono::milliseconds>(steady_clock::now() - started));
  return CallOutcome{std::move(output), permit.decision, std::nullopt};
}

}  // namespace parley::agent
