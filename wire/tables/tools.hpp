// Field tables of wire/tools/tools.hpp.
#pragma once

#include "tool_inputs.hpp"
#include "tool_results.hpp"
