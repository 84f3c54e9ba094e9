// Text as JavaScript peers see it: their idea of white space, of length and of dates, so that
// titles are cut and times are read exactly as they do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::history {

/// Without white space at both ends, Unicode spaces included.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// At most `units` UTF-16 units, cut between characters.
[[nodiscard]] std::string_view first_units(std::string_view text, std::size_t units);
[[nodiscard]] std::size_t length_in_units(std::string_view text);

/// "2026-11-15T09:05:10.619Z" (or with an offset such as +01:00) in milliseconds since 1970.
[[nodiscard]] std::optional<std::int64_t> parse_time(std::string_view text);
/// The reverse, always in UTC with milliseconds.
[[nodiscard]] std::string format_time(std::int64_t milliseconds);
/// The present, in milliseconds since 1970.
[[nodiscard]] std::int64_t now_ms();

/// A random (version 4) UUID.
[[nodiscard]] std::string new_uuid();

}  // namespace parley::history
