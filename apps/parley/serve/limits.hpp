// How the descriptors that the system allows are divided.
#pragma once

#include <cstddef>

namespace parley::app {

/// Raises the limit of open files to what so many agents and all connections need, as far as the
/// system lets it, and returns how many connections leave enough for agents and logs.
[[nodiscard]] std::size_t make_room_for(std::size_t agents, bool tls);

}  // namespace parley::app
