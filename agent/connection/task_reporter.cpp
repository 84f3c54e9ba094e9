#include "agent/connection/task_reporter.hpp"

namespace parley::agent {
namespace {

TaskEnd end_of(const BackgroundTask& task) {
  switch (task.status) {
    case BackgroundTask::Status::killed: return TaskEnd::stopped;
    case BackgroundTask::Status::failed: return TaskEnd::failed;
    default: return TaskEnd::completed;
  }
}

std::string summary_of(const BackgroundTask& task) {
  const std::string name = "\"" + task.description + "\"";
  std::string text = (task.backgrounded ? "Background command " : "Command ") + name;
  switch (task.status) {
    case BackgroundTask::Status::killed: return text + " was stopped";
    case BackgroundTask::Status::failed: text += " failed"; break;
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

void TaskReporter::on_change(const BackgroundTask& task) {
  if (task.status == BackgroundTask::Status::running) return started(task);
  ended(task);
}

void TaskReporter::started(const BackgroundTask& task) {
  TaskStarted message;
  message.task_id = task.id;
  message.tool_use_id = task.tool_use_id;
  message.description = task.description;
  message.is_backgrounded = task.backgrounded;
  message.task_type = "local_bash";
  messages_.send(std::move(message));
  if (!task.backgrounded) return;
  const std::lock_guard lock(mutex_);
  if (background_.insert(task.id).second) prompts_.hold_open();
}

void TaskReporter::ended(const BackgroundTask& task) {
  TaskNotification message;
  message.task_id = task.id;
  message.tool_use_id = task.tool_use_id;
  message.status = end_of(task);
  message.output_file = task.output_file.string();
  message.summary = summary_of(task);
  messages_.send(std::move(message));
  const std::lock_guard lock(mutex_);
  if (background_.erase(task.id) == 0) return;
  // Who stopped it knows.
  if (task.status != BackgroundTask::Status::killed) prompts_.push(notification(task));
  prompts_.release();
}

}  // namespace parley::agent
