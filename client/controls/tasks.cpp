#include "client/controls/tasks.hpp"

#include "client/session/typed_request.hpp"

namespace parley {

using detail::done;
using detail::typed_request;

Result<void> TaskControls::stop(std::string task_id) {
  control::StopTask body;
  body.task_id = std::move(task_id);
  return done(typed_request(*impl_, std::move(body)));
}

Result<control::GetTaskOutputReply> TaskControls::output(std::string task_id) {
  control::GetTaskOutput body;
  body.task_id = std::move(task_id);
  return typed_request(*impl_, std::move(body));
}

Result<bool> TaskControls::move_to_background(std::optional<std::string> tool_use_id) {
  control::BackgroundTasks body;
  body.tool_use_id = std::move(tool_use_id);
  const auto reply = typed_request(*impl_, std::move(body));
  if (!reply) return reply.error();
  return reply->backgrounded.value_or(false);
}

}  // namespace parley
