// Control requests with a type, for the groups of a session's verbs. Internal to client/.
#pragma once

#include <utility>

#include "../../wire/codec/codec.hpp"
#include "../../wire/control/control.hpp"
#include "session_impl.hpp"

namespace parley::detail {

/// The agent's answer to a request. `Impl` is Session::Impl, which only the session and its views
/// can name.
template <class Impl, class Request>
auto typed_request(Impl& impl, Request body) -> Result<typename ReplyOf<Request>::type> {
  const Result<RawJson> raw =
      impl.request(RawJson(encode(Box<ControlBody>(std::move(body)))), std::nullopt);
  if (!raw) return raw.error();
  return decode<typename ReplyOf<Request>::type>(raw->text);
}

/// The interesting part of a reply, or its error.
template <class Reply, class Part>
auto part_of(Result<Reply> reply, Part Reply::*member) -> Result<Part> {
  if (!reply) return reply.error();
  return std::move((*reply).*member);
}

/// Whether it was done, of a reply that says nothing else.
template <class Reply>
Result<void> done(const Result<Reply>& reply) {
  if (!reply) return reply.error();
  return {};
}

}  // namespace parley::detail
