// Where the text of a plan is: agents of different versions leave it in different places. Internal
// to client/.
#pragma once

#include <cstddef>
#include <string>

#include "../../wire/json/raw_json.hpp"

namespace parley::detail {

struct PlanText {
  std::string plan;
  std::string file;   ///< The one that the agent names, if it does.
  std::string error;  ///< Why `plan` is empty, if it is.
};

/// A file with more bytes is not read.
inline constexpr std::size_t kLongestPlan = std::size_t{1} << 20;

/// The plan of a permission request for ExitPlanMode: what its input says, else the file that it
/// names, else what the model's own call said. `called` is the input of that call, `{}` if it was
/// not seen. Reads files, so not for the loop's thread.
[[nodiscard]] PlanText find_plan(const RawJson& asked, const RawJson& called);

}  // namespace parley::detail
