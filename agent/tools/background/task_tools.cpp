// TaskStop and TaskOutput: ending work in the background, and looking at it. The recorded version
// has only the first; the second is for clients that name it.
#include <algorithm>

#include "agent/tools/background/background_tasks.hpp"
#include "agent/tools/schema/input_schema.hpp"
#include "agent/tools/tools.hpp"
#include "agent/tools/typed_tool.hpp"

namespace parley::agent {
namespace {

using std::chrono::milliseconds;

constexpr std::int64_t kDefaultWaitMs = 30'000;
constexpr std::int64_t kMostWaitMs = 600'000;

/// What a person calls it.
const std::string& name_of(const BackgroundTask& task) {
  return task.kind == BackgroundTask::Kind::kAgent ? task.description : task.command;
}

std::string_view status_text(BackgroundTask::Status status) {
  switch (status) {
    case BackgroundTask::Status::kRunning: return "running";
    case BackgroundTask::Status::kCompleted: return "completed";
    case BackgroundTask::Status::kFailed: return "failed";
    case BackgroundTask::Status::kKilled: return "killed";
  }
  return {};
}

class TaskStopTool final : public TypedTool<tools::TaskStopInput> {
 public:
  std::string_view name() const override { return "TaskStop"; }
  std::string description() const override {
    return "Ends work in the background by its task id, with whatever it has started.";
  }
  Json input_schema() const override {
    return schema::object({{"task_id", schema::string("The id of the task")},
                           {"shell_id", schema::string("The same, under its older name")}});
  }
  bool concurrent(const RawJson& /*input*/) const override { return true; }

 protected:
  Result<void> examine(const tools::TaskStopInput& input, const ToolCall& call) const override {
    const std::optional<std::string>& id = input.task_id ? input.task_id : input.shell_id;
    if (!id) return refusal("Missing required parameter: task_id");
    const std::optional<BackgroundTask> task = call.state.background_tasks().find(*id);
    if (!task) return refusal("No task found with ID: " + *id);
    if (task->status != BackgroundTask::Status::kRunning) {
      return refusal("Task " + *id +
                     " is not running (status: " + std::string(status_text(task->status)) + ")");
    }
    return {};
  }

  ToolOutput perform(const tools::TaskStopInput& input, const ToolCall& call) const override {
    const std::string id = input.task_id ? *input.task_id : input.shell_id.value_or("");
    const std::optional<BackgroundTask> task = call.state.background_tasks().find(id);
    if (!task || !call.state.background_tasks().stop(id)) {
      return ToolOutput::error("No task found with ID: " + id);
    }
    // When the answer is given, it is over.
    call.state.background_tasks().wait(id, milliseconds(10'000), call.stop);
    const Json result =
        Json::object({{"message", "Successfully stopped task: " + id + " (" + name_of(*task) + ")"},
                      {"task_id", id},
                      {"task_type", task_type(*task)},
                      {"command", name_of(*task)}});
    return ToolOutput::success(result.dump(), result);
  }
};

class TaskOutputTool final : public TypedTool<tools::TaskOutputInput> {
 public:
  std::string_view name() const override { return "TaskOutput"; }
  std::string description() const override {
    return "Shows state and output of work in the background. Waits for its end unless `block` is "
           "false, for at most `timeout` milliseconds.";
  }
  Json input_schema() const override {
    return schema::object({{"task_id", schema::string("The id of the task"), true},
                           {"block", schema::boolean("Wait for the end; true if left out")},
                           {"timeout", schema::number("Milliseconds, 30000 if left out")}});
  }
  bool concurrent(const RawJson& /*input*/) const override { return true; }

 protected:
  Result<void> examine(const tools::TaskOutputInput& input, const ToolCall& call) const override {
    if (call.state.background_tasks().find(input.task_id)) return {};
    return refusal("No task found with ID: " + input.task_id);
  }

  ToolOutput perform(const tools::TaskOutputInput& input, const ToolCall& call) const override {
    const bool block = input.block.value_or(true);
    const milliseconds wait(
        block ? std::clamp<std::int64_t>(input.timeout.value_or(kDefaultWaitMs), 0, kMostWaitMs)
              : 0);
    const bool ended = call.state.background_tasks().wait(input.task_id, wait, call.stop);
    const std::optional<BackgroundTask> task = call.state.background_tasks().find(input.task_id);
    if (!task) return ToolOutput::error("No task found with ID: " + input.task_id);
    const std::string retrieval = ended ? "success" : block ? "timeout" : "not_ready";
    const std::string output = call.state.background_tasks().output(task->id).value_or("");
    const std::string status(status_text(task->status));
    std::string text = "<retrieval_status>" + retrieval + "</retrieval_status>\n\n<task_id>" +
                       task->id + "</task_id>\n\n<task_type>" + task_type(*task) +
                       "</task_type>\n\n<status>" + status + "</status>";
    Json snapshot = Json::object({{"task_id", task->id},
                                  {"task_type", task_type(*task)},
                                  {"status", status},
                                  {"description", task->description},
                                  {"output", output}});
    if (task->exit_code) {
      text += "\n\n<exit_code>" + std::to_string(*task->exit_code) + "</exit_code>";
      snapshot.set("exitCode", *task->exit_code);
    }
    if (!output.empty()) text += "\n\n<output>\n" + output + "\n</output>";
    return ToolOutput::success(std::move(text), Json::object({{"retrieval_status", retrieval},
                                                              {"task", std::move(snapshot)}}));
  }
};

}  // namespace

std::unique_ptr<Tool> make_task_stop() { return std::make_unique<TaskStopTool>(); }
std::unique_ptr<Tool> make_task_output() { return std::make_unique<TaskOutputTool>(); }

}  // namespace parley::agent
