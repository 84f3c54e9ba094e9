// Objects read into a list of members: a key that comes again takes the place of the first, as in
// JSON.parse. One pass after reading, because looking for each key while reading would cost the
// square of the size of a hostile object.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace parley::detail {

template <class T>
bool has_repeated_keys(const std::vector<std::pair<std::string, T>>& members) {
  for (std::size_t i = 1; i < members.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (members[i].first == members[k].first) return true;
    }
  }
  return false;
}

/// The last of several equal keys counts and keeps the place of the first.
template <class T>
void fold_repeated_keys(std::vector<std::pair<std::string, T>>& members) {
  constexpr std::size_t kFew = 12;
  if (members.size() <= kFew && !has_repeated_keys(members)) return;
  std::vector<std::size_t> order(members.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const int c = members[a].first.compare(members[b].first);
    return c < 0 || (c == 0 && a < b);
  });
  std::vector<bool> drop(members.size());
  bool any = false;
  for (std::size_t i = 0; i < order.size();) {
    std::size_t last = i;
    while (last + 1 < order.size() && members[order[last + 1]].first == members[order[i]].first) {
      drop[order[++last]] = any = true;
    }
    if (last > i) std::swap(members[order[i]].second, members[order[last]].second);
    i = last + 1;
  }
  if (!any) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (drop[i]) continue;
    if (kept != i) members[kept] = std::move(members[i]);
    ++kept;
  }
  members.erase(members.begin() + static_cast<std::ptrdiff_t>(kept), members.end());
}

}  // namespace parley::detail
