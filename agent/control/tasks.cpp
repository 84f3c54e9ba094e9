// Work that goes on beside the conversation: commands and subagents.
#include "agent/control/requests.hpp"
#include "agent/tools/background/background_tasks.hpp"

namespace parley::agent::requests {

void stop_task(ControlContext& context, const control::StopTask& request,
               const Responder& responder) {
  BackgroundTasks& tasks = context.tools.state().background_tasks();
  std::function<void()> end;
  // What it asks is withdrawn, then it counts as stopped, then the client has its answer; what it
  // says last comes after that. There is no error for a task that does not exist.
  // The model hears of an agent that was stopped, not of a command.
  const auto task = tasks.find(request.task_id);
  context.asker.withdraw({request.task_id}, [&] {
    end = tasks.mark_stopped(request.task_id, task && task->agent);
    responder.send(body(Json::object()));
  });
  if (end) end();
}

void background_tasks(ControlContext& context, const control::BackgroundTasks& request,
                      const Responder& responder) {
  BackgroundTasks& tasks = context.tools.state().background_tasks();
  std::vector<std::function<void()>> moved;
  for (const BackgroundTask& task : tasks.running()) {
    if (request.tool_use_id && task.tool_use_id != *request.tool_use_id) continue;
    if (auto leave = tasks.mark_moved(task.id)) moved.push_back(std::move(leave));
  }
  Json answer = Json::object();
  if (request.tool_use_id) answer.set("backgrounded", !moved.empty());
  responder.send(body(answer));
  for (const auto& leave : moved) leave();
}

ControlReply get_task_output(ControlContext& context, const control::GetTaskOutput& request) {
  const auto output = context.tools.state().background_tasks().output(request.task_id);
  if (!output) return refuse("No task found with ID: " + request.task_id);
  return body(Json::object({{"output", *output},
                            {"total_bytes", static_cast<std::int64_t>(output->size())},
                            {"truncated", false}}));
}

}  // namespace parley::agent::requests
