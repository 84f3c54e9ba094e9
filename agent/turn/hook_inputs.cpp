#include "agent/turn/hook_inputs.hpp"

#include "agent/tools/tool_state.hpp"

namespace parley::agent {

void fill(hooks::Input& event, const TurnContext& context, const std::string& prompt_id) {
  event.session_id = context.options.session_id;
  event.transcript_path = context.transcript.path();
  event.cwd = context.tools.state().cwd().string();
  event.prompt_id = prompt_id;
  event.permission_mode = context.permissions.mode();
}

std::optional<McpServerProvenance> server_of(const Tool& tool) {
  const ToolOrigin* const origin = tool.origin();
  if (origin == nullptr) return std::nullopt;
  return McpServerProvenance{origin->server, origin->source, {}};
}

void show_hook_messages(MessageSink& messages, const HookVerdict& verdict) {
  for (const std::string& text : verdict.system_messages) {
    Informational message;
    message.content = text;
    message.level = InformationalLevel::notice;
    messages.send(std::move(message));
  }
  if (verdict.failure.empty() || verdict.failed_closed) return;
  complain(verdict.failure);
  Informational message;
  message.content = verdict.failure;
  message.level = InformationalLevel::warning;
  message.tag = "hook_callback_failed";
  messages.send(std::move(message));
}

}  // namespace parley::agent
