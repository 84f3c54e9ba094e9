// How many lines of code a tool call has changed.
#pragma once

#include "../../../wire/json/raw_json.hpp"
#include "../../session/session_state.hpp"

namespace parley::agent {

/// By the structured result of an editing tool: its patch, or the whole text of a new file. Results
/// of other tools change nothing.
[[nodiscard]] ChangedLines changed_lines(const RawJson& tool_use_result);

}  // namespace parley::agent
