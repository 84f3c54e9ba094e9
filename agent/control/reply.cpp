#include "agent/control/reply.hpp"

#include "wire/control/control.hpp"

namespace parley::agent {

ControlReply no_body() { return RawJson(std::string()); }

ControlReply body(const Json& json) { return RawJson(json.dump()); }

ControlReply refuse(std::string text, std::string code) {
  return Error(ErrorCode::invalid, std::move(text), std::move(code));
}

void Responder::send(const RawJson& body, const std::vector<ControlRequest>& waiting) const {
  ControlSuccess success;
  success.request_id = request_id_;
  success.response = body;
  auto& permissions = success.pending_permission_requests.emplace();
  auto& dialogs = success.pending_user_dialog_requests.emplace();
  for (const ControlRequest& request : waiting) {
    if (std::holds_alternative<control::CanUseTool>(*request.request)) {
      permissions.emplace_back(request);
    } else if (std::holds_alternative<control::RequestUserDialog>(*request.request)) {
      dialogs.emplace_back(request);
    }
  }
  ControlResponse response;
  response.response = std::move(success);
  messages_.send(std::move(response));
}

void Responder::send(const ControlReply& reply) const {
  ControlResponse response;
  if (reply) {
    ControlSuccess success;
    success.request_id = request_id_;
    if (!reply->text.empty()) success.response = *reply;
    response.response = std::move(success);
  } else {
    ControlFailure failure;
    failure.request_id = request_id_;
    failure.error = reply.error().message();
    if (!reply.error().context().empty()) failure.error_code = reply.error().context();
    response.response = std::move(failure);
  }
  messages_.send(std::move(response));
}

}  // namespace parley::agent
