// Dates as transcripts and the wire write them. Internal to Parley.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley {

/// The present, in milliseconds since 1970.
[[nodiscard]] std::int64_t now_ms();

/// "2026-11-15T09:05:10.619Z" (or with an offset such as +01:00) in milliseconds since 1970.
[[nodiscard]] std::optional<std::int64_t> parse_time(std::string_view text);
/// The reverse, always in UTC with milliseconds.
[[nodiscard]] std::string format_time(std::int64_t milliseconds);

/// Now, as "2026-11-15T08:46:51.641Z".
[[nodiscard]] std::string timestamp();

}  // namespace parley
