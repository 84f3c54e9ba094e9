// Takes terminal control sequences out of a line. Internal to client/.
#pragma once

#include <string>
#include <string_view>

namespace parley::detail {

/// Drops ESC sequences (colours, cursor movements, window titles) and carriage returns.
[[nodiscard]] std::string strip_ansi(std::string_view text);

}  // namespace parley::detail
