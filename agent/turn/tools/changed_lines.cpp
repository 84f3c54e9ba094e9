#include "agent/turn/tools/changed_lines.hpp"

#include <algorithm>

#include "wire/json/json.hpp"

namespace parley::agent {

ChangedLines changed_lines(const RawJson& tool_use_result) {
  ChangedLines lines;
  // Spares parsing the results of everything else, which may be long.
  if (tool_use_result.text.find("\"structuredPatch\"") == std::string::npos) return lines;
  const auto result = tool_use_result.json();
  if (!result || !(*result)["structuredPatch"].is_array()) return lines;
  for (const Json& hunk : (*result)["structuredPatch"].items()) {
    for (const Json& line : hunk["lines"].items()) {
      if (line.as_string().starts_with('+')) ++lines.added;
      if (line.as_string().starts_with('-')) ++lines.removed;
    }
  }
  const std::string_view text = (*result)["content"].as_string();
  if ((*result)["type"].as_string() == "create" && !text.empty()) {
    lines.added += std::count(text.begin(), text.end(), '\n') + (text.ends_with('\n') ? 0 : 1);
  }
  return lines;
}

}  // namespace parley::agent
