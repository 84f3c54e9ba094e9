#include "support/image_kind.hpp"

namespace parley {
namespace {

std::int64_t byte_at(std::string_view bytes, std::size_t at) {
  return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
}
std::int64_t big(std::string_view bytes, std::size_t at, std::size_t count) {
  std::int64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value = value << 8 | byte_at(bytes, at + i);
  return value;
}
std::int64_t little(std::string_view bytes, std::size_t at, std::size_t count) {
  std::int64_t value = 0;
  for (std::size_t i = count; i-- > 0;) value = value << 8 | byte_at(bytes, at + i);
  return value;
}

/// Goes from marker to marker to the one that starts a frame.
ImageKind jpeg(std::string_view bytes) {
  ImageKind kind{"image/jpeg"};
  std::size_t at = 2;
  while (at + 9 < bytes.size() && byte_at(bytes, at) == 0xFF) {
    const std::int64_t marker = byte_at(bytes, at + 1);
    const bool frame =
        marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
    if (frame) {
      kind.height = big(bytes, at + 5, 2);
      kind.width = big(bytes, at + 7, 2);
      break;
    }
    at += 2 + static_cast<std::size_t>(big(bytes, at + 2, 2));
  }
  return kind;
}

ImageKind webp(std::string_view bytes) {
  ImageKind kind{"image/webp"};
  const std::string_view form = bytes.substr(12, 4);
  if (form == "VP8X") {
    kind.width = little(bytes, 24, 3) + 1;
    kind.height = little(bytes, 27, 3) + 1;
  } else if (form == "VP8 ") {
    kind.width = little(bytes, 26, 2) & 0x3FFF;
    kind.height = little(bytes, 28, 2) & 0x3FFF;
  } else if (form == "VP8L") {
    const std::int64_t bits = little(bytes, 21, 4);
    kind.width = (bits & 0x3FFF) + 1;
    kind.height = (bits >> 14 & 0x3FFF) + 1;
  }
  return kind;
}

}  // namespace

std::optional<ImageKind> identify_image(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG\r\n\x1A\n")) {
    return ImageKind{"image/png", big(bytes, 16, 4), big(bytes, 20, 4)};
  }
  if (bytes.starts_with("GIF87a") || bytes.starts_with("GIF89a")) {
    return ImageKind{"image/gif", little(bytes, 6, 2), little(bytes, 8, 2)};
  }
  if (bytes.starts_with("\xFF\xD8\xFF")) return jpeg(bytes);
  if (bytes.size() >= 16 && bytes.starts_with("RIFF") && bytes.substr(8, 4) == "WEBP") {
    return webp(bytes);
  }
  return std::nullopt;
}

}  // namespace parley
