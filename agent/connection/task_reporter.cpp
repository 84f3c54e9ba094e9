// What the client hears of shell commands that take long or run in the background, and the turn
// that follows the end of one.
#include "agent/session/session.hpp"
#include "agent/uuid.hpp"

namespace parley::agent {
namespace {

TaskEnd end_of(const BackgroundTask& task) {
  switch (task.status) {
    case BackgroundTask::Status::kKilled: return TaskEnd::stopped;
    case BackgroundTask::Status::kFailed: return TaskEnd::failed;
    default: return TaskEnd::completed;
  }
}

std::string summary_of(const BackgroundTask& task) {
  const std::string name = "\"" + task.description + "\"";
  std::string text = (task.backgrounded ? "Background command " : "Command ") + name;
  switch (task.status) {
    case BackgroundTask::Status::kKilled: return text + " was stopped";
    case BackgroundTask::Status::kFailed: text += " failed"; break;
    default: text += " completed"; break;
  }
  if (task.exit_code) text += " (exit code " + std::to_string(*task.exit_code) + ")";
  return text;
}

/// What the model is told.
UserMessage notification(const BackgroundTask& task) {
  UserMessage message;
  message.message.role = "user";
  message.message.content =
      "<task-notification>\n<task-id>" + task.id + "</task-id>\n<tool-use-id>" + task.tool_use_id +
      "</tool-use-id>\n<output-file>" + task.output_file.string() + "</output-file>\n<status>" +
      std::string(Enum<TaskEnd>(end_of(task)).text()) + "</status>\n<summary>" + summary_of(task) +
      "</summary>\n</task-notification>";
  message.isSynthetic = true;
  MessageOrigin origin;
  origin.kind = "task-notification";
  message.origin = std::move(origin);
  return message;
}

}  // namespace

void Session::watch_tasks() {
  tools->on_task_change([this](const BackgroundTask& task) {
    if (task.status == BackgroundTask::Status::kRunning) {
      TaskStarted message;
      message.task_id = task.id;
      message.tool_use_id = task.tool_use_id;
      message.description = task.description;
      message.is_backgrounded = task.backgrounded;
      message.task_type = "local_bash";
      output.send(std::move(message));
      if (task.backgrounded) {
        const std::lock_guard lock(behind_mutex_);
        if (background_.insert(task.id).second) prompts.hold_open();
      }
      return;
    }
    TaskNotification message;
    message.task_id = task.id;
    message.tool_use_id = task.tool_use_id;
    message.status = end_of(task);
    message.output_file = task.output_file.string();
    message.summary = summary_of(task);
    output.send(std::move(message));
    const std::lock_guard lock(behind_mutex_);
    if (background_.erase(task.id) == 0) return;
    // Who stopped it knows.
    if (task.status != BackgroundTask::Status::kKilled) prompts.push(notification(task));
    prompts.release();
  });
}

}  // namespace parley::agent
