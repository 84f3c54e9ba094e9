// The built-in tools by name, for code that learns the name only at run time: which type a call
// has, under which names the tool has gone, and whether an input fits.
#pragma once

#include <span>
#include <string_view>

#include "../json/json.hpp"
#include "../json/raw_json.hpp"

namespace parley::tools {

struct ToolInfo {
  std::string_view name;                      ///< The current one.
  std::span<const std::string_view> aliases;  ///< Older ones; peers still use them.

  /// The JSON Schema of the input, an object schema at its root as the Messages API wants it.
  Json (*input_schema)();
  /// The JSON Schema of the result; null for tools that only ever answer with text.
  Json (*result_schema)();
  /// Decodes into the type and drops the value; the error says where it does not fit.
  Result<void> (*check_input)(const RawJson& input);
  /// The same for the result; null like `result_schema`.
  Result<void> (*check_result)(const RawJson& result);
};

/// In alphabetical order. Lives as long as the program.
[[nodiscard]] std::span<const ToolInfo> built_in_tools();

/// By name or alias; null if there is no such tool.
[[nodiscard]] const ToolInfo* find_tool(std::string_view name);

/// Whether `input` is what `tool` takes. An input for a tool that is not built in is always ok.
/// Members that the tool does not know are no error.
[[nodiscard]] Result<void> check_input(std::string_view tool, const RawJson& input);

}  // namespace parley::tools
