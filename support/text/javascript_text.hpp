// Text as JavaScript peers see it: their idea of white space and of length, so that titles and
// outputs are cut exactly where they cut them. The text itself is UTF-8. Internal to Parley.
#pragma once

#include <cstddef>
#include <string_view>

namespace parley {

/// Without white space at both ends, Unicode spaces included.
[[nodiscard]] std::string_view trimmed_unicode(std::string_view text);

/// In UTF-16 units. A byte that is no part of a character counts as one.
[[nodiscard]] std::size_t utf16_length(std::string_view text);
/// The first characters of `text`, at most `units` long, without half a one at the end.
[[nodiscard]] std::string_view first_units(std::string_view text, std::size_t units);
/// The last ones likewise.
[[nodiscard]] std::string_view last_units(std::string_view text, std::size_t units);

}  // namespace parley
