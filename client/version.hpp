// The version of this library.
#pragma once

#include <string_view>

namespace parley {

/// As in CMakeLists.txt; a test holds them equal.
inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace parley
