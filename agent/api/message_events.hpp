// A whole message as the events that would have streamed it, for servers that do not stream.
#pragma once

#include <vector>

#include "../../wire/messages/stream.hpp"

namespace parley::agent {

[[nodiscard]] std::vector<ApiEvent> events_of(const ApiMessage& message);

}  // namespace parley::agent
