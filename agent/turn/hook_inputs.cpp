#include "agent/turn/hook_inputs.hpp"

#include "agent/tools/tool_state.hpp"

namespace parley::agent {

void fill(hooks::Input& event, const TurnContext& context, const std::string& prompt_id) {
  event.session_id = context.options.session_id;
  const std::optional<AgentIdentity>& agent = context.options.agent;
  event.transcript_path = agent ? agent->session_transcript : context.transcript.path();
  if (agent) {
    event.agent_id = agent->id;
    event.agent_type = agent->type;
  }
  event.cwd = context.tools.state().cwd().string();
  event.prompt_id = prompt_id;
  event.permission_mode = context.permissions.mode();
}

std::vector<hooks::BackgroundTaskSummary> background_summary(const BackgroundTasks& tasks) {
  std::vector<hooks::BackgroundTaskSummary> list;
  for (const BackgroundTask& task : tasks.running()) {
    if (!task.backgrounded) continue;
    hooks::BackgroundTaskSummary summary;
    summary.id = task.id;
    summary.type = task.agent ? "subagent" : "shell";
    summary.status = "running";
    summary.description = task.description;
    if (task.agent) {
      summary.agent_type = task.agent->type;
    } else {
      summary.command = task.command;
    }
    list.push_back(std::move(summary));
  }
  return list;
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
