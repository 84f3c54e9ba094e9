// How loops over messages fetch the next one. Internal to client/.
#pragma once

#include "../../wire/error.hpp"

namespace parley::detail {

/// `Source::next()` for a PullIterator: `end` is the end, other errors are thrown.
template <class Source, class Value>
bool pull(void* source, Value& into) {
  Result<Value> next = static_cast<Source*>(source)->next();
  if (next) {
    into = *std::move(next);
    return true;
  }
  if (next.error().code() != ErrorCode::end) next.error().raise();
  return false;
}

}  // namespace parley::detail
