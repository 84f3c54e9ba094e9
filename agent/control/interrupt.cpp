// Ending what runs and what waits.
#include "agent/control/requests.hpp"
#include "agent/mcp/servers.hpp"
#include "agent/tools/background/background_tasks.hpp"

namespace parley::agent::requests {

void interrupt(ControlContext& context, const control::Interrupt& request,
               const Responder& responder) {
  const bool withdraw = request.cancel_queued.value_or(false);
  Json ids = Json::array();
  for (const std::string& uuid : context.prompts.waiting(withdraw)) ids.push(uuid);
  Json answer = Json::object({{"still_queued", withdraw ? Json::array() : ids}});
  if (withdraw) answer.set("cancelled", std::move(ids));
  context.servers.announce_cancellation();
  // Agents in the background end with the turn, unless the client has a way to stop each of them.
  BackgroundTasks& tasks = context.tools.state().background_tasks();
  std::set<std::string> whose{""};
  if (!context.overrides.copy().stops_tasks_itself) {
    for (const BackgroundTask& task : tasks.running()) {
      if (task.agent && task.backgrounded) whose.insert(task.id);
    }
  }
  // What they wait for is withdrawn before the answer, they themselves end after it.
  std::vector<std::function<void()>> ends;
  context.asker.withdraw(whose, [&] {
    for (const std::string& id : whose) {
      if (auto end = tasks.mark_stopped(id, false)) ends.push_back(std::move(end));
    }
    responder.send(body(answer));
  });
  for (const auto& end : ends) end();
  context.running.interrupt();
}

ControlReply cancel_async_message(ControlContext& context,
                                  const control::CancelAsyncMessage& request) {
  return body(Json::object({{"cancelled", context.prompts.cancel(request.message_uuid)}}));
}

ControlReply end_session(ControlContext& /*context*/, const control::EndSession& /*request*/) {
  return no_body();
}

}  // namespace parley::agent::requests
