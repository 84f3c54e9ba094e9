// A table on stdout: the first column to the left, figures to the right.
#pragma once

#include <string>
#include <vector>

namespace parley::bench {

class Table {
 public:
  explicit Table(std::vector<std::string> heads) : rows_{std::move(heads)} {}

  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  void print() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// "12.34"; "-" for what could not be measured (0 or less).
std::string fixed(double value, int digits);
/// "1,234,567"
std::string grouped(std::size_t value);

}  // namespace parley::bench
