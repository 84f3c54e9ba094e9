// Base64 as RFC 4648 has it, with padding.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace parley {

[[nodiscard]] std::string base64(std::string_view bytes);

/// The bytes of a text in base64. Blanks and missing padding are forgiven; nothing if it is none.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

}  // namespace parley
