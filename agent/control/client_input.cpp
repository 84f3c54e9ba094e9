#include "agent/control/client_input.hpp"

#include "agent/control/control.hpp"
#include "agent/control/reply.hpp"

namespace parley::agent {

void ClientInput::on_prompt(UserMessage prompt) {
  const auto tell = [&] { context_.reporter.lifecycle(prompt.uuid, "queued"); };
  if (!context_.prompts.push(prompt, tell)) context_.reporter.echo(prompt);
}

bool ClientInput::on_request(const ControlRequest& request) {
  return handle_request(context_, request);
}

void ClientInput::on_bad_request(const std::string& request_id, const std::string& problem) {
  Responder(context_.messages, request_id).send(refuse(problem));
}

void ClientInput::on_response(const ControlResponse& response) {
  context_.asker.answered(response);
  if (context_.config.flags.replay_user_messages) context_.messages.send(response);
}

void ClientInput::on_variables(const Variables& variables,
                               const std::optional<std::string>& request_id) {
  std::map<std::string, std::string> values;
  Json applied = Json::array();
  for (const auto& [name, value] : variables) {
    values[name] = value;
    applied.push(name);
  }
  context_.tools.state().set_variables(values);
  if (!request_id) return;
  Responder(context_.messages, *request_id)
      .send(body(Json::object({{"applied", std::move(applied)}})));
}

}  // namespace parley::agent
