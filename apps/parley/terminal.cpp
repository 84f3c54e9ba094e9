#include "apps/parley/terminal.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "apps/parley/run/keyboard.hpp"

namespace parley::app {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::milliseconds(400);
constexpr auto kRefresh = std::chrono::milliseconds(100);

std::string decimal(double value, int digits) {
  std::array<char, 64> text{};
  const int length = std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return std::string(text.data(), static_cast<std::size_t>(std::max(length, 0)));
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80;
  }));
}

std::string fitted(std::string_view text, std::size_t columns) {
  if (columns_of(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  std::size_t at = 0, left = columns - 1;
  while (at < text.size()) {
    const bool begins = (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80;
    if (begins && left-- == 0) break;
    ++at;
  }
  return std::string(text.substr(0, at)) + "…";
}

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 120;
}

bool output_is_terminal() { return ::isatty(STDOUT_FILENO) == 1; }

std::string coloured(std::string_view text, int sgr) {
  static const bool colours = output_is_terminal() && std::getenv("NO_COLOR") == nullptr;
  if (!colours) return std::string(text);
  return "\x1b[" + std::to_string(sgr) + "m" + std::string(text) + "\x1b[0m";
}

std::string shown_size(std::uint64_t bytes) {
  constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 999.5 && unit < 4) value /= 1000, ++unit;
  return decimal(value, unit == 0 || value >= 99.5 ? 0 : 1) + " " + kUnits[unit];
}

std::string shown_count(std::int64_t number) {
  const std::string digits = std::to_string(number);
  std::string shown;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::size_t left = digits.size() - i;
    if (left % 3 == 0 && i > (number < 0 ? 1U : 0U)) shown += ',';
    shown += digits[i];
  }
  return shown;
}

std::string shown_money(double dollars) {
  return "$" + decimal(dollars, dollars != 0 && dollars < 0.01 ? 4 : 2);
}

std::string shown_age(std::int64_t time_ms) {
  const std::int64_t seconds = std::time(nullptr) - time_ms / 1000;
  if (seconds < 0) return shown_time(time_ms);  // a clock was wrong
  if (seconds < 60) return "just now";
  if (seconds < 3600) return std::to_string(seconds / 60) + " min ago";
  if (seconds < 86400) return std::to_string(seconds / 3600) + " h ago";
  if (seconds < 86400 * 14) return std::to_string(seconds / 86400) + " d ago";
  return shown_time(time_ms).substr(0, 10);
}

std::string shown_time(std::int64_t time_ms) {
  const std::time_t seconds = time_ms / 1000;
  std::tm local{};
  std::array<char, 32> text{};
  if (::localtime_r(&seconds, &local) == nullptr) return "?";
  return std::string(text.data(),
                     std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &local));
}

std::string Table::text(std::size_t width) const {
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) widths.push_back(columns_of(column.title));
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], columns_of(row[i]));
    }
  }
  std::size_t taken = 2 * (columns_.size() - 1), stretching = columns_.size();
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].stretches) {
      stretching = i;
    } else {
      taken += widths[i];
    }
  }
  if (stretching < columns_.size()) {
    const std::size_t left = width > taken ? width - taken : 0;
    widths[stretching] = std::min(widths[stretching], std::max<std::size_t>(left, 10));
  }
  std::string out;
  const auto put = [&](const std::vector<std::string>& cells, int sgr) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string cell = fitted(cells[i], widths[i]);
      const std::string space(widths[i] - columns_of(cell), ' ');
      line += (i == 0 ? "" : "  ") + (columns_[i].to_the_right ? space + cell : cell + space);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += (sgr == 0 ? line : coloured(line, sgr)) + "\n";
  };
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  put(titles, 1);
  for (const auto& row : rows_) put(row, 0);
  return out;
}

ProgressLine::ProgressLine(std::string what)
    : what_(std::move(what)),
      terminal_(::isatty(STDERR_FILENO) == 1),
      begun_(Clock::now()),
      last_(begun_) {}

ProgressLine::~ProgressLine() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
}

void ProgressLine::show(std::uint64_t done, std::uint64_t total) {
  if (!terminal_ || total == 0) return;
  const auto now = Clock::now();
  if (now - begun_ < kPatience || now - last_ < kRefresh) return;
  last_ = now;
  shown_ = true;
  std::fprintf(stderr, "\r\x1b[K%s: %d%% of %s", what_.c_str(),
               static_cast<int>(done * 100 / total), shown_size(total).c_str());
  std::fflush(stderr);
}

Interrupt::Interrupt() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  waiter_ = std::jthread([this, signals](const std::stop_token& over) {
    for (int signal = 0; !over.stop_requested() && sigwait(&signals, &signal) == 0;) {
      if (signal == SIGUSR1 || over.stop_requested()) continue;
      if (signal == SIGINT && !source_.stop_requested()) {
        source_.request_stop();
        continue;
      }
      Keyboard::release_terminal();
      std::_Exit(128 + signal);
    }
  });
}

Interrupt::~Interrupt() {
  waiter_.request_stop();
  pthread_kill(waiter_.native_handle(), SIGUSR1);  // wakes it
}

}  // namespace parley::app
