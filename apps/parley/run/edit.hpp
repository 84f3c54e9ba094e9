// Changing the input of a tool call in the user's editor.
#pragma once

#include "apps/parley/run/keyboard.hpp"
#include "wire/error.hpp"
#include "wire/json/raw_json.hpp"

namespace parley::app {

/// Opens the input in VISUAL, EDITOR or vi, and gives back what was saved. An error if the editor
/// failed or left no JSON object.
[[nodiscard]] Result<RawJson> edited(Keyboard& keyboard, const RawJson& input);

}  // namespace parley::app
