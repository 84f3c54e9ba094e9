// How many lines of code a tool call has changed.
#pragma once

#include <cstdint>

#include "../../../wire/json/raw_json.hpp"

namespace parley::agent {

struct ChangedLines {
  std::int64_t added = 0, removed = 0;
};

/// By the structured result of an editing tool: its patch, or the whole text of a new file. Results
/// of other tools change nothing.
[[nodiscard]] ChangedLines changed_lines(const RawJson& tool_use_result);

}  // namespace parley::agent
