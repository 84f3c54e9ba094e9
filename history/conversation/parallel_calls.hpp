// When a model calls several tools at once, its message is written block by block and the results
// hang below different blocks, so the chain to the end of the conversation passes by most of them.
#pragma once

#include <cstddef>
#include <vector>

#include "node.hpp"

namespace parley::history {

/// `chain` are indices into `nodes`. The result is the chain with, behind the last of its lines of
/// each assistant message, the other lines of that message and the tool results that belong to it.
[[nodiscard]] std::vector<std::size_t> add_parallel_calls(const std::vector<const Node*>& nodes,
                                                          const std::vector<std::size_t>& chain);

}  // namespace parley::history
