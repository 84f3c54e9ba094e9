// Field tables of wire/control/control.hpp: the envelopes. What they carry is compiled on its own
// (control.cpp, control_replies.cpp) from the tables next door, which are large.
#pragma once

#include "../codec/codec.hpp"
#include "../control/control.hpp"

namespace parley {

constexpr auto parley_fields(Tag<ControlRequest>) {
  using T = ControlRequest;
  return make_table<T>("ControlRequest", field("request_id", &T::request_id).lenient(),
                       field("request", &T::request).lenient());
}
constexpr auto parley_cases(Tag<PendingRequest>) {
  return make_cases<PendingRequest>("PendingRequest", "type", "",
                                    on<ControlRequest>("control_request"));
}

constexpr auto parley_fields(Tag<ControlSuccess>) {
  using T = ControlSuccess;
  return make_table<T>("ControlSuccess", field("request_id", &T::request_id).lenient(),
                       field("response", &T::response),
                       field("pending_permission_requests", &T::pending_permission_requests),
                       field("pending_user_dialog_requests", &T::pending_user_dialog_requests),
                       field("pending_elicitation_requests", &T::pending_elicitation_requests));
}
constexpr auto parley_fields(Tag<ControlFailure>) {
  using T = ControlFailure;
  return make_table<T>("ControlFailure", field("request_id", &T::request_id).lenient(),
                       field("error", &T::error).lenient(), field("error_code", &T::error_code),
                       field("pending_permission_requests", &T::pending_permission_requests),
                       field("pending_user_dialog_requests", &T::pending_user_dialog_requests),
                       field("pending_elicitation_requests", &T::pending_elicitation_requests));
}
constexpr auto parley_cases(Tag<ControlOutcome>) {
  return make_cases<ControlOutcome>("ControlOutcome", "subtype", "", on<ControlSuccess>("success"),
                                    on<ControlFailure>("error"));
}
PARLEY_FIELDS(ControlResponse, response)
constexpr auto parley_fields(Tag<ControlCancelRequest>) {
  using T = ControlCancelRequest;
  return make_table<T>("ControlCancelRequest", field("request_id", &T::request_id).lenient());
}

}  // namespace parley
