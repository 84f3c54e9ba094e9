// The list of work that the model keeps with TaskCreate and TaskUpdate. Internal to client/.
#pragma once

#include "ledger.hpp"

namespace parley::detail {

/// A call of the model. If it is one of the task tools, its result is waited for: only that says
/// whether it was done, and which id a new task has.
void note_task_call(Ledger& ledger, const ToolUseBlock& call);
/// The end of a call. `result` is what the wire has beside its text.
void take_task_result(Ledger& ledger, const ToolResultBlock& block,
                      const std::optional<RawJson>& result);

}  // namespace parley::detail
