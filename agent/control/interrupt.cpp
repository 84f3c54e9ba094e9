// Ending what runs and what waits.
#include "agent/control/requests.hpp"
#include "agent/mcp/servers.hpp"

namespace parley::agent::requests {

void interrupt(ControlContext& context, const control::Interrupt& request,
               const Responder& responder) {
  const bool withdraw = request.cancel_queued.value_or(false);
  Json ids = Json::array();
  for (const std::string& uuid : context.prompts.waiting(withdraw)) ids.push(uuid);
  Json answer = Json::object({{"still_queued", withdraw ? Json::array() : ids}});
  if (withdraw) answer.set("cancelled", std::move(ids));
  // What the turn waits for is withdrawn before the answer, the turn itself ends after it.
  context.servers.announce_cancellation();
  context.asker.withdraw_all([&] { responder.send(body(answer)); });
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
