// Commands that run in the background.
#include "agent/control/requests.hpp"

namespace parley::agent::requests {

ControlReply stop_task(ControlContext& context, const control::StopTask& request) {
  context.tools.state().stop_task(request.task_id);
  return body(Json::object());
}

ControlReply get_task_output(ControlContext& context, const control::GetTaskOutput& request) {
  const auto output = context.tools.state().task_output(request.task_id);
  if (!output) return refuse("No task found with ID: " + request.task_id);
  return body(Json::object({{"output", *output},
                            {"total_bytes", static_cast<std::int64_t>(output->size())},
                            {"truncated", false}}));
}

}  // namespace parley::agent::requests
