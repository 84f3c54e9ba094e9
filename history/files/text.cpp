#include "history/files/text.hpp"

#include <sys/random.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <random>

#include "wire/json/utf8.hpp"

namespace parley::history {
namespace {

/// Length of the white space character at the beginning of `text`, 0 if there is none.
std::size_t space_at(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  if (byte(0) == ' ' || (byte(0) >= '\t' && byte(0) <= '\r')) return 1;
  if (byte(0) == 0xC2) return byte(1) == 0xA0 ? 2 : 0;
  const unsigned code = (byte(0) & 0x0FU) << 12 | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU);
  if ((byte(0) & 0xF0U) != 0xE0 || text.size() < 3) return 0;
  const bool space = code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 ||
                     code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000 ||
                     code == 0xFEFF;
  return space ? 3 : 0;
}

std::size_t character_length(std::string_view text) {
  const int length = detail::utf8_length(text.data(), text.data() + text.size());
  return length == 0 ? 1 : static_cast<std::size_t>(length);
}

/// Reads exactly `digits` digits at `at`.
std::optional<int> number_at(std::string_view text, std::size_t at, std::size_t digits) {
  if (text.size() < at + digits) return std::nullopt;
  int value = 0;
  for (const char c : text.substr(at, digits)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (const std::size_t length = space_at(text)) text.remove_prefix(length);
  for (bool again = true; again && !text.empty();) {
    again = false;
    for (std::size_t length = 1; length <= 3 && length <= text.size(); ++length) {
      if (space_at(text.substr(text.size() - length)) != length) continue;
      text.remove_suffix(length);
      again = true;
      break;
    }
  }
  return text;
}

std::string_view first_units(std::string_view text, std::size_t units) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = character_length(text.substr(at));
    const std::size_t cost = length == 4 ? 2 : 1;
    if (cost > units) break;
    units -= cost;
    at += length;
  }
  return text.substr(0, at);
}

std::size_t length_in_units(std::string_view text) {
  std::size_t units = 0;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    units += length == 4 ? 2 : 1;
    text.remove_prefix(length);
  }
  return units;
}

std::optional<std::int64_t> parse_time(std::string_view text) {
  using namespace std::chrono;
  const auto y = number_at(text, 0, 4);
  const auto mo = number_at(text, 5, 2);
  const auto d = number_at(text, 8, 2);
  if (!y || !mo || !d || text[4] != '-' || text[7] != '-') return std::nullopt;
  const year_month_day date{year(*y), month(static_cast<unsigned>(*mo)),
                            day(static_cast<unsigned>(*d))};
  if (!date.ok()) return std::nullopt;
  std::int64_t ms = duration_cast<milliseconds>(sys_days(date).time_since_epoch()).count();
  if (text.size() == 10) return ms;
  const auto h = number_at(text, 11, 2);
  const auto mi = number_at(text, 14, 2);
  if (text[10] != 'T' || !h || !mi || text[13] != ':' || *h > 24 || *mi > 59) return std::nullopt;
  ms += (*h * 60LL + *mi) * 60000;
  std::size_t at = 16;
  if (at < text.size() && text[at] == ':') {
    const auto s = number_at(text, 17, 2);
    if (!s || *s > 59) return std::nullopt;
    ms += *s * 1000LL;
    at = 19;
    if (at < text.size() && text[at] == '.') {
      std::int64_t unit = 100;
      for (++at; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, unit /= 10) {
        ms += unit * (text[at] - '0');
      }
    }
  }
  const std::string_view zone = text.substr(at);
  if (zone == "Z") return ms;
  const auto zh = number_at(zone, 1, 2);
  const auto zm = number_at(zone, 4, 2);
  if (zone.size() != 6 || !zh || !zm || zone[3] != ':') return std::nullopt;
  const std::int64_t shift = (*zh * 60LL + *zm) * 60000;
  if (zone[0] == '+') return ms - shift;
  if (zone[0] == '-') return ms + shift;
  return std::nullopt;
}

std::string format_time(std::int64_t milliseconds) {
  using namespace std::chrono;
  const sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds(milliseconds)};
  const auto days = floor<std::chrono::days>(time);
  const year_month_day date(days);
  const hh_mm_ss clock(time - days);
  std::array<char, 64> text{};
  const int length = std::snprintf(
      text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ",
      static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
      static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
      static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()),
      static_cast<int>(clock.subseconds().count()));
  return std::string(text.data(), static_cast<std::size_t>(length));
}

std::int64_t now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

std::string new_uuid() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    std::random_device device;
    for (auto& byte : bytes) byte = static_cast<unsigned char>(device());
  }
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0FU) | 0x40U);
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3FU) | 0x80U);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 0x0FU];
  }
  return text;
}

}  // namespace parley::history
