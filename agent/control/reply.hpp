// The answer to a control request.
#pragma once

#include <string>
#include <vector>

#include "../../wire/codec/codec.hpp"
#include "../connection/message_sink.hpp"

namespace parley::agent {

/// The body of a success, or why there is none. An empty text stands for a success without a body.
using ControlReply = Result<RawJson>;

[[nodiscard]] ControlReply no_body();
[[nodiscard]] ControlReply body(const Json& json);
template <class T>
[[nodiscard]] ControlReply encoded(const T& reply) {
  return RawJson(encode(reply));
}
template <class T>
[[nodiscard]] ControlReply encoded(const Result<T>& reply) {
  if (!reply) return reply.error();
  return encoded(*reply);
}
/// `code` is for programs, and may be empty.
[[nodiscard]] ControlReply refuse(std::string text, std::string code = {});

/// Answers one request. For handlers that have something to do after the answer, or answer later:
/// it may be copied, and is then used by one of them.
class Responder {
 public:
  Responder(MessageSink& messages, std::string request_id)
      : messages_(messages), request_id_(std::move(request_id)) {}

  void send(const ControlReply& reply) const;
  /// A success that repeats what still waits for an answer of the client.
  void send(const RawJson& body, const std::vector<ControlRequest>& waiting) const;

 private:
  MessageSink& messages_;
  std::string request_id_;
};

}  // namespace parley::agent
