// What a command line tool owes its terminal: no control characters from strangers, colours only
// where they are seen, tables that fit, progress that goes away, and an end on Ctrl-C.
#pragma once

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "support/text/unprintable.hpp"

namespace parley::app {

/// At most `columns` characters, the last one an ellipsis if something was cut.
[[nodiscard]] std::string fitted(std::string_view text, std::size_t columns);
[[nodiscard]] std::size_t columns_of(std::string_view text);

[[nodiscard]] std::size_t terminal_width();
[[nodiscard]] bool output_is_terminal();
/// Numbers of "select graphic rendition".
inline constexpr int kBold = 1, kDim = 2;
inline constexpr int kRed = 31, kGreen = 32, kYellow = 33, kBlue = 34, kCyan = 36;
/// `text` in one of these if standard output shows colours.
[[nodiscard]] std::string coloured(std::string_view text, int sgr);

[[nodiscard]] std::string shown_size(std::uint64_t bytes);   ///< "1.2 MB"
[[nodiscard]] std::string shown_count(std::int64_t number);  ///< "1,234,567"
[[nodiscard]] std::string shown_money(double dollars);       ///< "$12.34"
[[nodiscard]] std::string shown_age(std::int64_t time_ms);   ///< "5 min ago"
[[nodiscard]] std::string shown_time(std::int64_t time_ms);  ///< "2026-11-15 09:05", local

/// Rows of cells; numbers to the right.
class Table {
 public:
  struct Column {
    std::string title;
    bool to_the_right = false;
    bool stretches = false;  ///< Takes what is left of the width, and is cut if need be.
  };
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  [[nodiscard]] std::string text(std::size_t width) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// A line on standard error that says how far the work is; only on a terminal, and only if it takes
/// long enough to wonder. Gone when the object is. One thread at a time.
class ProgressLine {
 public:
  explicit ProgressLine(std::string what);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::uint64_t done, std::uint64_t total);

 private:
  std::string what_;
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point begun_, last_;
};

/// While it lives, Ctrl-C asks the token to stop instead of ending the process. A second one ends
/// it with 130, as SIGTERM and SIGHUP do with 128 and their number; the terminal is put back first.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::jthread waiter_;
};

}  // namespace parley::app
