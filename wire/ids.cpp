#include "ids.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../support/text/utf8.hpp"

namespace parley {

namespace {

constexpr std::size_t kLongestFolderName = 200;

bool is_letter_or_digit(unsigned c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// The UTF-16 units of a text; a byte that is not UTF-8 counts as one unit, U+FFFD.
std::vector<std::uint16_t> utf16_units(std::string_view text) {
  std::vector<std::uint16_t> units;
  units.reserve(text.size());
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p < end) {
    const int length = detail::utf8_length(p, end);
    const unsigned code = length == 0 ? 0xFFFD : detail::utf8_code_point(p, length);
    if (code >= 0x10000) {
      units.push_back(static_cast<std::uint16_t>(0xD800 + ((code - 0x10000) >> 10)));
      units.push_back(static_cast<std::uint16_t>(0xDC00 + ((code - 0x10000) & 0x3FF)));
    } else {
      units.push_back(static_cast<std::uint16_t>(code));
    }
    p += std::max(length, 1);
  }
  return units;
}

std::string base36(std::uint32_t value) {
  std::string digits;
  do {
    digits += "0123456789abcdefghijklmnopqrstuvwxyz"[value % 36];
    value /= 36;
  } while (value != 0);
  return {digits.rbegin(), digits.rend()};
}

}  // namespace

std::string project_folder_name(std::string_view working_folder) {
  const std::vector<std::uint16_t> units = utf16_units(working_folder);
  std::string name;
  for (const std::uint16_t unit : units) {
    name += is_letter_or_digit(unit) ? static_cast<char>(unit) : '-';
  }
  if (name.size() <= kLongestFolderName) return name;
  // The hash is that of the CLI: h = h * 31 + unit in 32 bits, its absolute value in base 36.
  std::uint32_t hash = 0;
  for (const std::uint16_t unit : units) hash = hash * 31 + unit;
  const std::uint32_t size = hash > 0x7FFFFFFFu ? 0u - hash : hash;
  return name.substr(0, kLongestFolderName) + "-" + base36(size);
}

bool is_session_id(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    const bool hex = (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'f');
    if (dash ? c != '-' : !hex) return false;
  }
  return true;
}

std::string composite_id(std::string_view parent, std::string_view child) {
  if (parent.empty()) return std::string(child);
  return std::string(parent).append(1, ':').append(child);
}

std::pair<std::optional<std::string_view>, std::string_view> split_composite_id(
    std::string_view id) {
  const std::size_t colon = id.rfind(':');
  if (colon == std::string_view::npos) return {std::nullopt, id};
  return {id.substr(0, colon), id.substr(colon + 1)};
}

}  // namespace parley
