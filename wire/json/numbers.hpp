// From the text of a JSON number to a C++ one. JSON puts no limit on numbers and JavaScript reads
// all of them, so nothing here fails: what does not fit is clamped, and the caller is told.
#pragma once

#include <cstdint>
#include <string_view>

namespace parley::detail {

struct Integer {
  std::int64_t value = 0;
  bool exact = true;  ///< False if writing the value would not give the text back.
};

/// Fractions are cut, values beyond 64 bits clamped.
[[nodiscard]] Integer to_int64(std::string_view text);
/// Beyond the range of a double: infinity or zero, as in JavaScript.
[[nodiscard]] double to_double(std::string_view text);

}  // namespace parley::detail
