// One line of the agent, as parley.h gives it.
#pragma once

#include <string>

#include "c/parley.h"
#include "client/received_line.hpp"

struct parley_line {
  parley_kind kind = PARLEY_LINE_NONE;
  std::string json;
  std::string type;
  std::string request_id;
  std::string problem;
};

namespace parley::c {

[[nodiscard]] parley_line to_line(const ReceivedLine& received);

}  // namespace parley::c
