// Field tables of wire/tools.hpp.
#pragma once

#include "tool_inputs.hpp"
#include "tool_results.hpp"
