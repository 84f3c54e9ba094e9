#include "utf8.hpp"

namespace parley {

bool is_utf8(std::string_view text) {
  const char* p = text.data();
  const char* end = p + text.size();
  while (p < end) {
    const int length = detail::utf8_length(p, end);
    if (length == 0) return false;
    p += length;
  }
  return true;
}

std::string to_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  const char* p = bytes.data();
  const char* end = p + bytes.size();
  while (p < end) {
    const int length = detail::utf8_length(p, end);
    if (length == 0) {
      out += "\xEF\xBF\xBD";
      ++p;
    } else {
      out.append(p, static_cast<std::size_t>(length));
      p += length;
    }
  }
  return out;
}

}  // namespace parley
