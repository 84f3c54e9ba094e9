// The envelopes of the control protocol. Requests run both ways and overlap; a response names the
// request it answers by `request_id`, which stands on the envelope of the request.
//
// A message may be one of them, so they are light; what they carry is in control.hpp.
#pragma once

#include "../codec/values.hpp"

namespace parley {

struct ControlBody;
extern template class Box<ControlBody>;

struct ControlRequest {
  /// Empty if the peer left it out or put it inside `request`, as one dialect does.
  std::string request_id;
  /// What is asked for. Apart, because there are many kinds; control.hpp has them.
  Box<ControlBody> request;
  Extra extra;
  bool operator==(const ControlRequest&) const = default;
};

/// A request that a response repeats because it still waits for its answer.
struct PendingRequest : std::variant<ControlRequest, Unknown> {
  PARLEY_UNION(PendingRequest)
};

struct ControlSuccess {
  std::string request_id;  ///< Empty if the request had none.
  /// `ReplyOf<Request>::type` of the request it answers. May be missing where that is empty.
  std::optional<RawJson> response;
  std::optional<std::vector<PendingRequest>> pending_permission_requests;
  std::optional<std::vector<PendingRequest>> pending_user_dialog_requests;
  std::optional<std::vector<PendingRequest>> pending_elicitation_requests;
  Extra extra;
  bool operator==(const ControlSuccess&) const = default;
};

struct ControlFailure {
  std::string request_id;  ///< Empty if the request had none.
  std::string error;       ///< For people.
  std::optional<std::string> error_code;
  std::optional<std::vector<PendingRequest>> pending_permission_requests;
  std::optional<std::vector<PendingRequest>> pending_user_dialog_requests;
  std::optional<std::vector<PendingRequest>> pending_elicitation_requests;
  Extra extra;
  bool operator==(const ControlFailure&) const = default;
};

struct ControlOutcome : std::variant<ControlSuccess, ControlFailure, Unknown> {
  PARLEY_UNION(ControlOutcome)
};

struct ControlResponse {
  ControlOutcome response;
  Extra extra;
  bool operator==(const ControlResponse&) const = default;
};

/// The sender no longer wants the answer to a request of its own. It is not answered.
struct ControlCancelRequest {
  std::string request_id;
  Extra extra;
  bool operator==(const ControlCancelRequest&) const = default;
};

PARLEY_CODEC(ControlRequest)
PARLEY_CODEC(ControlOutcome)
PARLEY_CODEC(ControlResponse)

}  // namespace parley
