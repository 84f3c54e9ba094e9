#include "agent/connection/reporters.hpp"

#include "agent/connection/message_parts.hpp"
#include "support/time.hpp"

namespace parley::agent {

void PromptReporter::echo_answered(UserMessage prompt) {
  prompt.timestamp = timestamp();
  show(std::move(prompt));
}

void PromptReporter::show(UserMessage message) {
  if (!setup_.echo) return;
  message.isReplay = true;
  message.priority.reset();
  message.session_id = setup_.session_id;
  if (!message.parent_tool_use_id) write_null(message.extra, "parent_tool_use_id");
  messages_.send(std::move(message));
}

void PromptReporter::lifecycle(const std::string& uuid, const char* state) {
  if (uuid.empty()) return;
  CommandLifecycle message;
  message.command_uuid = uuid;
  message.state = state;
  messages_.send(std::move(message));
}

void StatusReporter::state(SessionState state) {
  if (!state_events_) return;
  SessionStateChanged message;
  message.state = state;
  messages_.send(std::move(message));
}

void StatusReporter::mode(const Enum<PermissionMode>& mode) {
  SystemStatus status;
  status.permissionMode = mode;
  messages_.send(std::move(status));
}

}  // namespace parley::agent
