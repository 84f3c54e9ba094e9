// Whether the model's input fits a tool's schema, said in the words of the real CLI: one text that
// tells the model what to mend, and one list of issues for displays.
#pragma once

#include "../tool.hpp"

namespace parley::agent {

/// An error's message is what the model reads ("InputValidationError: Read failed due to ..."), its
/// context what a display gets; ToolOutput::bad_input() makes the answer of both. An input that was
/// no JSON at all (`__unparsedToolInput`) is an error of this kind, too.
[[nodiscard]] Result<void> check_schema(const Tool& tool, const RawJson& input);

/// The same, of an input that a permission handler or hook put in place of the model's.
[[nodiscard]] Result<void> check_updated_input(const Tool& tool, const RawJson& input);

/// The input with numbers and truths that came as strings turned into what the schema wants, and
/// with its defaults (which come first). Unchanged bytes if nothing was to be done.
[[nodiscard]] RawJson coerce_input(const Json& schema, const RawJson& input);

}  // namespace parley::agent
