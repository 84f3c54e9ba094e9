// Ids and secrets that nobody can guess, from the system's own source.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace parley {

/// A random (version 4) UUID.
[[nodiscard]] std::string make_uuid();

/// So many characters out of an alphabet of at most 256, each as likely as the others.
[[nodiscard]] std::string random_text(std::size_t length, std::string_view alphabet);
inline constexpr std::string_view kHexDigits = "0123456789abcdef";
inline constexpr std::string_view kLettersAndDigits = "abcdefghijklmnopqrstuvwxyz0123456789";

}  // namespace parley
