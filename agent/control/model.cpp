// Which model responds, and how much it thinks.
#include "agent/api/models.hpp"
#include "agent/connection/init_message.hpp"
#include "agent/connection/message_parts.hpp"
#include "agent/control/requests.hpp"

namespace parley::agent::requests {

ControlReply set_model(ControlContext& context, const control::SetModel& request) {
  const std::string model = resolve_model(request.model.value_or("default"));
  context.overrides.change([&](SessionOverrides& overrides) { overrides.model = model; });
  if (context.totals.copy().results > 0) {
    UserMessage note =
        prompt_of("<local-command-stdout>Set model to " + model + "</local-command-stdout>");
    note.isReplay = true;
    write_null(note.extra, "parent_tool_use_id");
    context.messages.send(std::move(note));
  }
  return body(Json::object({{"model", model}}));
}

ControlReply set_max_thinking_tokens(ControlContext& context,
                                     const control::SetMaxThinkingTokens& request) {
  if (!request.max_thinking_tokens.given) return no_body();
  context.overrides.change([&](SessionOverrides& overrides) {
    overrides.max_thinking_tokens = request.max_thinking_tokens.value;
  });
  return no_body();
}

ControlReply list_models(ControlContext& /*context*/, const control::ListModels& /*request*/) {
  control::ListModelsReply reply;
  reply.models = model_list();
  return encoded(reply);
}

}  // namespace parley::agent::requests
