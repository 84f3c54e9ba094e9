#include "support/time.hpp"

#include <array>
#include <chrono>
#include <cstdio>

namespace parley {
namespace {

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

std::string timestamp() { return format_time(now_ms()); }

}  // namespace parley
