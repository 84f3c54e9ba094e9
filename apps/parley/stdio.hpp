// What programs need that stand in for another program: whole writes, and the same end.
#pragma once

#include <string_view>

#include "transport/transport.hpp"

namespace parley::app {

/// Writes all of it, blocking. False if the reader is gone.
[[nodiscard]] bool write_all(int fd, std::string_view bytes);

/// Ends this process by the signal that ended the other one, or returns its exit code: whoever
/// waits for this process sees no difference.
[[nodiscard]] int end_like(const ExitStatus& status);

}  // namespace parley::app
