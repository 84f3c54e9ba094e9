// Field tables of wire/control/control.hpp: the envelopes. What they carry is compiled on its own
// (control.cpp, control_replies.cpp) from the tables next door, which are large.
#pragma once

#include "../codec/codec.hpp"
#include "../control/control.hpp"

namespace parley {

PARLEY_OFFSETS_BEGIN

constexpr auto parley_fields(Tag<ControlRequest>) {
  using T = ControlRequest;
  return make_table<T>("ControlRequest", PARLEY_FIELD(T, request_id).lenient(),
                       PARLEY_FIELD(T, request).lenient());
}
constexpr auto parley_cases(Tag<PendingRequest>) {
  return make_cases<PendingRequest>("PendingRequest", "type", "",
                                    on<ControlRequest>("control_request"));
}

constexpr auto parley_fields(Tag<ControlSuccess>) {
  using T = ControlSuccess;
  return make_table<T>("ControlSuccess", PARLEY_FIELD(T, request_id).lenient(),
                       PARLEY_FIELD(T, response), PARLEY_FIELD(T, pending_permission_requests),
                       PARLEY_FIELD(T, pending_user_dialog_requests),
                       PARLEY_FIELD(T, pending_elicitation_requests));
}
constexpr auto parley_fields(Tag<ControlFailure>) {
  using T = ControlFailure;
  return make_table<T>(
      "ControlFailure", PARLEY_FIELD(T, request_id).lenient(), PARLEY_FIELD(T, error).lenient(),
      PARLEY_FIELD(T, error_code), PARLEY_FIELD(T, pending_permission_requests),
      PARLEY_FIELD(T, pending_user_dialog_requests), PARLEY_FIELD(T, pending_elicitation_requests));
}
constexpr auto parley_cases(Tag<ControlOutcome>) {
  return make_cases<ControlOutcome>("ControlOutcome", "subtype", "", on<ControlSuccess>("success"),
                                    on<ControlFailure>("error"));
}
PARLEY_FIELDS(ControlResponse, response)
constexpr auto parley_fields(Tag<ControlCancelRequest>) {
  using T = ControlCancelRequest;
  return make_table<T>("ControlCancelRequest", PARLEY_FIELD(T, request_id).lenient());
}

PARLEY_OFFSETS_END

}  // namespace parley
