// What programs need that stand in for another program: the same end.
#pragma once

#include "transport/transport.hpp"

namespace parley::app {

/// Ends this process by the signal that ended the other one, or returns its exit code: whoever
/// waits for this process sees no difference.
[[nodiscard]] int end_like(const ExitStatus& status);

}  // namespace parley::app
