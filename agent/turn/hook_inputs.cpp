#include "agent/turn/hook_inputs.hpp"

namespace parley::agent {

void fill(hooks::Input& event, const Session& session) {
  event.session_id = session.session_id;
  event.transcript_path = session.transcript->path();
  event.cwd = session.tools->cwd().string();
}

void fill(hooks::Input& event, const Session& session, const std::string& prompt_id) {
  fill(event, session);
  event.prompt_id = prompt_id;
  event.permission_mode = session.permissions->mode();
}

void show_hook_messages(Session& session, const HookVerdict& verdict) {
  for (const std::string& text : verdict.system_messages) {
    Informational message;
    message.content = text;
    message.level = InformationalLevel::notice;
    session.output.send(std::move(message));
  }
  if (verdict.failure.empty() || verdict.failed_closed) return;
  complain(verdict.failure);
  Informational message;
  message.content = verdict.failure;
  message.level = InformationalLevel::warning;
  message.tag = "hook_callback_failed";
  session.output.send(std::move(message));
}

}  // namespace parley::agent
