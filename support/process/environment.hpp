// Environments of processes.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace parley {

/// A variable of this process; empty if it is not set.
[[nodiscard]] std::string environment_variable(const char* name);

/// The environment of this process.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> current_environment();

}  // namespace parley
