// Characters of strangers that must not reach a terminal or a page as they are: those a terminal
// obeys instead of showing them (C0 but newline and tab, DEL, C1), those that turn the direction of
// writing round and make a command look like another one (U+202A to U+202E, U+2066 to U+2069), and
// bytes that are not UTF-8, which some terminals take for C1.
#pragma once

#include <string>
#include <string_view>

namespace parley {

/// Each becomes U+FFFD; newlines (also after a carriage return) and tabs stay.
[[nodiscard]] std::string printable(std::string_view text);

/// Each becomes a space, newlines and tabs as well.
[[nodiscard]] std::string on_one_line(std::string_view text);

/// JSON, in lines or not, that says the same: each is escaped (\u009b). Bytes that are not UTF-8,
/// which JSON cannot have, become U+FFFD.
[[nodiscard]] std::string printable_json(std::string_view json);

}  // namespace parley
