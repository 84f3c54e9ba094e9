// How Options become a command line, an environment and the request that opens the session.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "../../wire/control/requests.hpp"
#include "../options.hpp"

namespace parley {

/// Options as the CLI gets them. A value, made without side effects: what tests and `doctor` show.
struct LaunchPlan {
  std::vector<std::string> arguments;  ///< After the program and its leading arguments.
  std::vector<std::pair<std::string, std::string>> environment;  ///< The whole of it.
  control::Initialize initialize;
  /// Not wrong, but probably not meant: e.g. a handler that a mode keeps from being asked.
  std::vector<std::string> warnings;
};
/// An error (`invalid`, the option as context) if options contradict each other.
/// `inherited` is the environment of this process.
[[nodiscard]] Result<LaunchPlan> plan_launch(
    const Options& options, const std::vector<std::pair<std::string, std::string>>& inherited);

}  // namespace parley
