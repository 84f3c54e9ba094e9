// What clients ask of the agent, one function per request. Runs on the reader's thread: everything
// here is quick.
#pragma once

#include "../session/session.hpp"

namespace parley::agent {

/// Answers the request on stdout. False: the session is to end as if stdin had ended.
bool handle_request(Session& session, const ControlRequest& request);

}  // namespace parley::agent
