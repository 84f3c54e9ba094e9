// StructuredOutput: the tool through which a session with --json-schema gives its result.
#pragma once

#include <memory>
#include <string_view>

#include "tool.hpp"

namespace parley::agent {

inline constexpr std::string_view kStructuredOutput = "StructuredOutput";

/// The error says what is wrong with the schema.
[[nodiscard]] Result<std::unique_ptr<Tool>> make_structured_output(Json schema);

}  // namespace parley::agent
