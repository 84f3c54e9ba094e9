#include "model/ascii_json.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "support/text/utf8.hpp"

namespace parley::model {
namespace {

/// Bytes of the character at `at`; a byte that begins none counts as one.
std::size_t character_size(std::string_view text, std::size_t at) {
  const int size = detail::utf8_length(text.data() + at, text.data() + text.size());
  return static_cast<std::size_t>(std::max(size, 1));
}

unsigned code_point(std::string_view character) {
  const unsigned code =
      detail::utf8_code_point(character.data(), static_cast<int>(character.size()));
  return character.size() == 1 && code >= 0x80 ? 0xFFFD : code;
}

void write_unit(unsigned unit, std::string& out) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "\\u%04x", unit);
  out += text.data();
}

void write_character(std::string_view character, std::string& out) {
  const unsigned code = code_point(character);
  switch (code) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    default: break;
  }
  if (code >= ' ' && code < 0x7F) {
    out += static_cast<char>(code);
  } else if (code == 0x7F) {
    out += '\x7F';
  } else if (code < 0x10000) {
    write_unit(code, out);
  } else {
    write_unit(0xD800 + ((code - 0x10000) >> 10), out);
    write_unit(0xDC00 + ((code - 0x10000) & 0x3FF), out);
  }
}

void write_string(std::string_view text, std::string& out) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_size(text, at);
    write_character(text.substr(at, size), out);
    at += size;
  }
  out += '"';
}

void write(const Json& value, std::string& out) {
  switch (value.kind()) {
    case Json::Kind::string: write_string(value.as_string(), out); return;
    case Json::Kind::array: {
      out += '[';
      const char* separator = "";
      for (const Json& item : value.items()) {
        out += std::exchange(separator, ", ");
        write(item, out);
      }
      out += ']';
      return;
    }
    case Json::Kind::object: {
      out += '{';
      const char* separator = "";
      for (const auto& [key, member] : value.members()) {
        out += std::exchange(separator, ", ");
        write_string(key, out);
        out += ": ";
        write(member, out);
      }
      out += '}';
      return;
    }
    case Json::Kind::null:
    case Json::Kind::bool_:
    case Json::Kind::number: value.write(out); return;
  }
}

}  // namespace

std::string ascii_json(const Json& value) {
  std::string out;
  write(value, out);
  return out;
}

std::vector<std::string_view> pieces(std::string_view text, std::size_t size) {
  std::vector<std::string_view> all;
  for (std::size_t from = 0; from < text.size();) {
    std::size_t end = from;
    for (std::size_t i = 0; i < size && end < text.size(); ++i) end += character_size(text, end);
    all.push_back(text.substr(from, end - from));
    from = end;
  }
  return all;
}

}  // namespace parley::model
