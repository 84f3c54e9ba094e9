#include "agent/turn/tools/post_tool_hooks.hpp"

#include "agent/turn/hook_inputs.hpp"

namespace parley::agent {
namespace {

template <class Event>
Event event_of(const CallScope& scope, const Tool& tool, const RawJson& input,
               std::chrono::milliseconds took) {
  Event event;
  fill(event, scope.context, scope.prompt_id);
  event.tool_name = std::string(tool.name());
  event.mcp_server = server_of(tool);
  event.tool_input = input;
  event.tool_use_id = scope.call.id;
  event.duration_ms = took.count();
  return event;
}

HookInput input_of(const CallScope& scope, const Tool& tool, const RawJson& input,
                   const ToolOutput& output, std::chrono::milliseconds took) {
  if (output.is_error) {
    auto event = event_of<hooks::PostToolUseFailure>(scope, tool, input, took);
    if (const auto* text = std::get_if<std::string>(&output.content)) event.error = *text;
    event.is_interrupt = false;
    return event;
  }
  auto event = event_of<hooks::PostToolUse>(scope, tool, input, took);
  event.tool_response = output.result;
  return event;
}

}  // namespace

void run_post_tool_hooks(const CallScope& scope, const Tool& tool, const RawJson& input,
                         ToolOutput& output, std::chrono::milliseconds took) {
  TurnContext& context = scope.context;
  const std::string name(tool.name());
  const char* const event_name = output.is_error ? "PostToolUseFailure" : "PostToolUse";
  if (!context.hooks.any(event_name)) return;
  const HookVerdict verdict = context.hooks.run(input_of(scope, tool, input, output, took), name,
                                                scope.call.id, scope.stop.get_token());
  show_hook_messages(context.messages, verdict);
  if (verdict.updated_output) {
    const auto text = verdict.updated_output->json();
    output.content =
        text && text->is_string() ? std::string(text->as_string()) : verdict.updated_output->text;
    output.result = *verdict.updated_output;
  }
  if (verdict.blocked && !verdict.block_reason.empty()) {
    scope.notes.add_context(std::string(event_name) + ":" + name +
                            " hook: " + verdict.block_reason);
  }
  for (const std::string& text : verdict.contexts) scope.notes.add_context(text);
  if (verdict.stop) scope.notes.stopped_by_hook();
}

}  // namespace parley::agent
