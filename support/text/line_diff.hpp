// The difference of two texts, line by line. Internal to Parley.
#pragma once

#include <string_view>
#include <vector>

namespace parley {

struct DiffLine {
  char mark;  ///< ' ' in both, '-' only before, '+' only after.
  std::string_view text;
};

/// The lines are views into the two texts. Texts whose middle parts are very long are shown as
/// removed and added as a whole.
[[nodiscard]] std::vector<DiffLine> line_diff(std::string_view before, std::string_view after);

}  // namespace parley
