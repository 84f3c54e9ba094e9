#include "agent/control/reply.hpp"

namespace parley::agent {

ControlReply no_body() { return RawJson(std::string()); }

ControlReply body(const Json& json) { return RawJson(json.dump()); }

ControlReply refuse(std::string text, std::string code) {
  return Error(ErrorCode::invalid, std::move(text), std::move(code));
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
