// Commands in bubblewrap: the file system is there to be read, only the places of the session can
// be written, and there is no network unless the settings give it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "../tool_state.hpp"

namespace parley::agent {

/// The command line that runs `argv` in `folder` inside the sandbox.
[[nodiscard]] std::vector<std::string> sandboxed(const std::filesystem::path& bwrap,
                                                 const SandboxSetup& setup,
                                                 const std::filesystem::path& start_folder,
                                                 const std::filesystem::path& scratch_folder,
                                                 const std::filesystem::path& folder,
                                                 const std::vector<std::string>& argv);

}  // namespace parley::agent
