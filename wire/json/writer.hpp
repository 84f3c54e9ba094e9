// Writes JSON text. Output is always valid: strings are escaped as JSON.stringify escapes them,
// and bytes that are not UTF-8 become U+FFFD.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace parley::detail {

/// Appends `text` with quotes and escapes.
void write_string(std::string_view text, std::string& out);
void write_number(std::int64_t value, std::string& out);
/// Shortest text that reads back as the same double. Infinities and NaN, which JSON lacks, are
/// written as null, as JSON.stringify does.
void write_number(double value, std::string& out);
inline void write_bool(bool value, std::string& out) { out += value ? "true" : "false"; }

}  // namespace parley::detail
