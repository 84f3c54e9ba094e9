// The whole way of one tool call, from the checks to its result.
#pragma once

#include "call_outcome.hpp"
#include "call_scope.hpp"

namespace parley::agent {

/// Blocks until the call has its result, or is put off: then there is none.
[[nodiscard]] std::optional<CallOutcome> execute_call(const CallScope& scope);

}  // namespace parley::agent
