#include "support/text/line_diff.hpp"

#include <algorithm>
#include <cstdint>

#include "support/text/text.hpp"

namespace parley {
namespace {

/// The table of the longest common subsequence has this many cells at most.
constexpr std::size_t kMostCells = std::size_t{4} << 20;

}  // namespace

std::vector<DiffLine> line_diff(std::string_view before, std::string_view after) {
  const std::vector<std::string_view> a = split_lines(before), b = split_lines(after);
  std::size_t head = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head]) ++head;
  std::size_t tail = 0;
  while (tail < a.size() - head && tail < b.size() - head &&
         a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) {
    ++tail;
  }
  const std::size_t m = a.size() - head - tail, n = b.size() - head - tail;
  std::vector<DiffLine> out;
  for (std::size_t i = 0; i < head; ++i) out.push_back({' ', a[i]});

  std::size_t i = 0, j = 0;
  if (m > 0 && n > 0 && m <= kMostCells / n) {
    // common[i][j]: the length of the longest common subsequence of what comes from i and j on.
    const std::size_t width = n + 1;
    std::vector<std::uint32_t> common((m + 1) * width);
    for (std::size_t x = m; x-- > 0;) {
      for (std::size_t y = n; y-- > 0;) {
        common[x * width + y] = a[head + x] == b[head + y] ? common[(x + 1) * width + y + 1] + 1
                                                           : std::max(common[(x + 1) * width + y],
                                                                      common[x * width + y + 1]);
      }
    }
    while (i < m && j < n) {
      if (a[head + i] == b[head + j]) {
        out.push_back({' ', a[head + i]});
        ++i, ++j;
      } else if (common[(i + 1) * width + j] >= common[i * width + j + 1]) {
        out.push_back({'-', a[head + i++]});
      } else {
        out.push_back({'+', b[head + j++]});
      }
    }
  }
  for (; i < m; ++i) out.push_back({'-', a[head + i]});
  for (; j < n; ++j) out.push_back({'+', b[head + j]});
  for (std::size_t k = a.size() - tail; k < a.size(); ++k) out.push_back({' ', a[k]});
  return out;
}

}  // namespace parley
