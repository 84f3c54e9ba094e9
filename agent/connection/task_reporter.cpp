#include "agent/connection/task_reporter.hpp"

#include <algorithm>

namespace parley::agent {
namespace {

using Status = BackgroundTask::Status;

bool is_agent(const BackgroundTask& task) { return task.kind == BackgroundTask::Kind::agent; }

TaskEnd end_of(const BackgroundTask& task) {
  switch (task.status) {
    case Status::killed: return TaskEnd::stopped;
    case Status::failed: return TaskEnd::failed;
    default: return TaskEnd::completed;
  }
}

TaskStatus status_of(const BackgroundTask& task) {
  switch (task.status) {
    case Status::running: return TaskStatus::running;
    case Status::killed: return TaskStatus::killed;
    case Status::failed: return TaskStatus::failed;
    case Status::completed: break;
  }
  return TaskStatus::completed;
}

/// How a command ended, in a sentence.
std::string ending_of(const BackgroundTask& task) {
  std::string text = "Background command \"" + task.description + "\"";
  text += task.status == Status::failed ? " failed" : " completed";
  if (task.exit_code) text += " (exit code " + std::to_string(*task.exit_code) + ")";
  return text;
}

/// What the client reads.
std::string summary_of(const BackgroundTask& task) {
  if (task.status == Status::killed || (!is_agent(task) && !task.backgrounded)) {
    return task.description;
  }
  return is_agent(task) ? task.outcome : ending_of(task);
}

std::string agent_ending_of(const BackgroundTask& task) {
  const std::string name = "Agent \"" + task.description + "\"";
  switch (task.status) {
    case Status::killed: return name + " was stopped by user";
    case Status::failed: return name + " failed: " + task.outcome;
    default: return name + " finished";
  }
}

/// What the model is told.
UserMessage notification(const BackgroundTask& task) {
  std::string text =
      "<task-notification>\n<task-id>" + task.id + "</task-id>\n<tool-use-id>" + task.tool_use_id +
      "</tool-use-id>\n<output-file>" + task.output_file.string() + "</output-file>\n<status>" +
      std::string(Enum<TaskStatus>(status_of(task)).text()) + "</status>\n<summary>" +
      (is_agent(task) ? agent_ending_of(task) : ending_of(task)) + "</summary>";
  if (is_agent(task)) {
    text +=
        "\n<note>You are told each time this agent stops. It can be sent on with SendMessage, "
        "and then stops once more.</note>";
    if (task.status == Status::completed) text += "\n<result>" + task.outcome + "</result>";
  }
  if (task.use) {
    text += "\n<usage><subagent_tokens>" + std::to_string(task.use->tokens) +
            "</subagent_tokens><tool_uses>" + std::to_string(task.use->tool_uses) +
            "</tool_uses><duration_ms>" + std::to_string(task.use->milliseconds) +
            "</duration_ms></usage>";
  }
  UserMessage message;
  message.message.role = "user";
  message.message.content = text + "\n</task-notification>";
  message.isSynthetic = true;
  MessageOrigin origin;
  origin.kind = "task-notification";
  origin.producer = "session-task";
  origin.runId = task.run_id;
  message.origin = std::move(origin);
  return message;
}

std::optional<std::string> unless_empty(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return text;
}

}  // namespace

void TaskReporter::on_change(const BackgroundTask& task, BackgroundTasks::Change change) {
  const std::lock_guard lock(mutex_);
  switch (change) {
    case BackgroundTasks::Change::started: return started(task);
    case BackgroundTasks::Change::moved: return moved(task);
    case BackgroundTasks::Change::ended: return ended(task);
    case BackgroundTasks::Change::gone:
      if (stopped_.erase(task.id) != 0) gone(task);
      return;
    case BackgroundTasks::Change::adopted: break;
  }
  for (BackgroundTask& other : background_) {
    if (other.id != task.id) continue;
    other.parent_id = task.parent_id;
    send_list();
  }
}

void TaskReporter::show_background(const BackgroundTask& task) {
  background_.push_back(task);
  prompts_.hold_open();
  send_list();
}

void TaskReporter::send_list() {
  BackgroundTasksChanged message;
  for (const BackgroundTask& task : background_) {
    parley::BackgroundTask shown;
    shown.task_id = task.id;
    shown.run_id = task.run_id;
    shown.task_type = task_type(task);
    if (task.agent) shown.subagent_type = task.agent->type;
    shown.description = task.description;
    shown.parent_task_id = unless_empty(task.parent_id);
    message.tasks.push_back(std::move(shown));
  }
  messages_.send(std::move(message));
}

void TaskReporter::started(const BackgroundTask& task) {
  if (task.backgrounded) show_background(task);
  TaskStarted message;
  message.task_id = task.id;
  message.run_id = task.run_id;
  message.tool_use_id = task.tool_use_id;
  message.description = task.description;
  message.is_backgrounded = task.backgrounded;
  message.parent_task_id = unless_empty(task.parent_id);
  message.task_type = task_type(task);
  if (task.agent) {
    message.subagent_type = task.agent->type;
    message.spawn_depth = task.agent->depth;
    message.prompt = task.agent->prompt;
  } else if (!task.parent_id.empty()) {
    message.extra.set("owned_by_subagent", RawJson("true"));
  }
  messages_.send(std::move(message));
}

void TaskReporter::moved(const BackgroundTask& task) {
  show_background(task);
  TaskUpdated message;
  message.task_id = task.id;
  message.run_id = task.run_id;
  message.patch.is_backgrounded = true;
  messages_.send(std::move(message));
}

void TaskReporter::ended(const BackgroundTask& task) {
  if (task.backgrounded || is_agent(task)) {
    TaskUpdated update;
    update.task_id = task.id;
    update.run_id = task.run_id;
    update.patch.status = status_of(task);
    update.patch.end_time = std::chrono::duration_cast<std::chrono::milliseconds>(
                                std::chrono::system_clock::now().time_since_epoch())
                                .count();
    if (is_agent(task) && task.status == Status::failed) update.patch.error = task.outcome;
    messages_.send(std::move(update));
  }
  TaskNotification message;
  message.task_id = task.id;
  message.run_id = task.run_id;
  message.tool_use_id = task.tool_use_id;
  message.status = end_of(task);
  message.output_file =
      task.backgrounded || is_agent(task) ? task.output_file.string() : std::string();
  message.summary = summary_of(task);
  if (task.use && task.status != Status::killed) {
    TaskUsage usage;
    usage.total_tokens = task.use->tokens;
    usage.tool_uses = task.use->tool_uses;
    usage.duration_ms = task.use->milliseconds;
    message.usage = usage;
  }
  messages_.send(std::move(message));
  if (std::erase_if(background_, [&](const auto& other) { return other.id == task.id; }) == 0) {
    return;
  }
  send_list();
  if (task.status == Status::killed) {
    // What it still says comes before the turn that its end begins.
    stopped_.insert(task.id);
  } else {
    gone(task);
  }
}

void TaskReporter::gone(const BackgroundTask& task) {
  if (task.is_news) {
    UserMessage news = notification(task);
    if (task.parent_id.empty() || !tell_agent_ || !tell_agent_(task.parent_id, news)) {
      prompts_.push(std::move(news));
    }
  }
  prompts_.release();
}

}  // namespace parley::agent
