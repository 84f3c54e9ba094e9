// What clients ask of the agent: looks up who serves a request.
#pragma once

#include "control_context.hpp"

namespace parley::agent {

/// Answers the request. False: the session is to end as if stdin had ended. On the reader's thread.
bool handle_request(ControlContext& context, const ControlRequest& request);

}  // namespace parley::agent
