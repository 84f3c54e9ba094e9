// The small rules about names and ids that both ends of the wire must agree on.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace parley {

/// The folder under `projects/` that holds the transcripts of a working folder: every character
/// that is not an ASCII letter or digit becomes '-'; beyond 200 characters the name is cut and a
/// hash of the whole path follows. Characters are UTF-16 units, as the CLI counts them; the path
/// is expected to be resolved and in Unicode normal form C already.
[[nodiscard]] std::string project_folder_name(std::string_view working_folder);

/// Session ids are UUIDs, 8-4-4-4-12 hexadecimal digits in either case.
[[nodiscard]] bool is_session_id(std::string_view text);

/// A tool call inside a subagent is known by its own id and that of the call that started the
/// subagent: "parent:child", or just "child" at the top. The wire names only the immediate parent;
/// deeper chains are built by joining to an id that is composite already.
[[nodiscard]] std::string composite_id(std::string_view parent, std::string_view child);
/// Splits at the last colon: {parent, child}; no parent for a plain id.
[[nodiscard]] std::pair<std::optional<std::string_view>, std::string_view> split_composite_id(
    std::string_view id);

}  // namespace parley
