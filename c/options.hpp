// The options of a session, out of JSON.
#pragma once

#include <string_view>

#include "client/options.hpp"

namespace parley::c {

/// One object with every option that can be said in JSON, by the name of its member. The session
/// is one of lines (DeliveryOptions::line_stream).
[[nodiscard]] Result<Options> read_options(std::string_view json);

}  // namespace parley::c
