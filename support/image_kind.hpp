// What the bytes of a picture say about themselves. Internal to Parley.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley {

struct ImageKind {
  std::string media_type;              ///< "image/png" and the like.
  std::int64_t width = 0, height = 0;  ///< 0 if the bytes do not say.
};

/// PNG, JPEG, GIF or WebP by their first bytes; nothing for anything else.
[[nodiscard]] std::optional<ImageKind> identify_image(std::string_view bytes);

}  // namespace parley
