#include "agent/mcp/transports/client_transport.hpp"

#include "wire/codec/codec.hpp"

namespace parley::agent {

Result<void> ClientTransport::open(McpReceiver& receiver, const McpSendOptions& /*options*/) {
  const std::lock_guard lock(mutex_);
  receiver_ = &receiver;
  return {};
}

Result<void> ClientTransport::send(const JsonRpcMessage& message, const McpSendOptions& options) {
  // An answer of ours to the server needs none in return.
  if (message.is_response()) {
    host_.tell(server_, message);
    return {};
  }
  const auto answer = host_.pass(server_, message, options.stop, options.patience, options.on_sent);
  if (!answer) return answer.error();
  if (message.is_request() && !answer->is_null()) deliver(answer->text);
  return {};
}

bool ClientTransport::tell(const JsonRpcMessage& message) {
  host_.tell(server_, message);
  return true;
}

void ClientTransport::deliver(std::string_view json) {
  const std::lock_guard lock(mutex_);
  if (receiver_ != nullptr) (void)receiver_->on_message(json);
}

void ClientTransport::close() {
  const std::lock_guard lock(mutex_);
  receiver_ = nullptr;
}

}  // namespace parley::agent
