// What programs need that stand in for another program: its bytes, and the same end.
#pragma once

#include <cstddef>

#include "transport/transport.hpp"

namespace parley::app {

/// As many bytes as a pipe holds: what is read at once.
inline constexpr std::size_t kPipeBytes = 64 * 1024;

/// Ends this process by the signal that ended the other one, or returns its exit code: whoever
/// waits for this process sees no difference.
[[nodiscard]] int end_like(const ExitStatus& status);

}  // namespace parley::app
