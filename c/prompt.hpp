// A prompt that is more than text, out of JSON.
#pragma once

#include <string_view>

#include "client/prompt.hpp"

namespace parley::c {

/// An array of content blocks, or an object that has them as `content`; see parley_send_json().
[[nodiscard]] Result<Prompt> read_prompt(std::string_view json);

}  // namespace parley::c
