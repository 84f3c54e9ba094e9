// A call that a hook put off: it is carried out when the session is resumed.
#pragma once

#include <string>

#include "../../wire/messages/content.hpp"

namespace parley::agent {

struct DeferredCall {
  ToolUseBlock call;
  std::string source_uuid;  ///< Of the assistant message that made the call.
};

}  // namespace parley::agent
