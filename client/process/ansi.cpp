#include "client/process/ansi.hpp"

namespace parley::detail {
namespace {

/// Where the sequence that follows an ESC at `at` - 1 ends.
std::size_t end_of_sequence(std::string_view text, std::size_t at) {
  if (at >= text.size()) return at;
  if (text[at] == '[') {  // parameters, then one letter
    ++at;
    while (at < text.size() && (text[at] < '@' || text[at] > '~')) ++at;
    return at + 1;
  }
  if (text[at] == ']') {  // a text, up to BEL or ESC backslash
    while (at < text.size() && text[at] != '\a' && text[at] != '\x1b') ++at;
    return at < text.size() && text[at] == '\x1b' ? at + 2 : at + 1;
  }
  return at + 1;
}

}  // namespace

std::string strip_ansi(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\x1b') {
      at = end_of_sequence(text, at + 1);
    } else {
      if (text[at] != '\r') out += text[at];
      ++at;
    }
  }
  return out;
}

}  // namespace parley::detail
