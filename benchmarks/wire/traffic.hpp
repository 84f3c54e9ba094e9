// Makes protocol traffic to measure with: lines as an agent CLI writes them, the same on every
// machine and in every run.
#pragma once

#include <cstddef>
#include <string>

namespace parley::bench {

/// What `--include-partial-messages` is mostly made of: short text, input and thinking deltas.
std::string small_deltas(std::size_t bytes);

/// A working session: deltas by number, tool results and edits by size, permission requests,
/// results.
std::string session_mix(std::size_t bytes);

}  // namespace parley::bench
