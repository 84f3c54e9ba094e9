// The built-in tools of the agent: what the model asks of them (`tool_use.input`, the input of a
// permission request, `tool_input` of hooks) and what they answer (`tool_use_result` of user
// messages, `tool_response` of hooks).
//
// On the wire both are opaque JSON, since anybody can bring tools; a caller that knows the tool's
// name asks for the type: `block.input.as<tools::BashInput>()`. A result is one of these objects
// only when the tool succeeded; errors are plain strings.
#pragma once

#include "inputs.hpp"
#include "results.hpp"
