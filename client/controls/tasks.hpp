// session.tasks(): what the agent does in the background.
#pragma once

#include <optional>
#include <string>

#include "../session.hpp"

namespace parley {

namespace control {
struct GetTaskOutputReply;  // wire/control/control.hpp
}  // namespace control

/// Commands and subagents that run beside the conversation. Which there are, says Ledger::tasks.
class TaskControls : public SessionView {
 public:
  using SessionView::SessionView;

  /// Ends a task.
  Result<void> stop(std::string task_id);
  /// What a task has written so far.
  Result<control::GetTaskOutputReply> output(std::string task_id);
  /// Moves what runs in the foreground to the background: all, or what one tool call started.
  /// Whether anything was moved.
  Result<bool> move_to_background(std::optional<std::string> tool_use_id = std::nullopt);
};

}  // namespace parley
