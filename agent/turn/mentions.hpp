// Files, folders and resources of MCP servers that a prompt names with "@path" or "@server:uri":
// the model is told what is in them.
#pragma once

#include <string>
#include <vector>

#include "turn_context.hpp"

namespace parley::agent {

/// The paths in the order in which they are named, each once: "@src/a.cpp", "@/abs/file", "@\"with
/// spaces\"". A mail address is none.
[[nodiscard]] std::vector<std::string> find_mentions(const std::string& prompt);

/// What the mentioned files and folders hold, as far as they may be read without asking; files that
/// are not there, or no text, are left out. So with resources.
[[nodiscard]] std::vector<std::string> read_mentions(const TurnContext& context,
                                                     const std::string& prompt,
                                                     const std::stop_token& stop = {});

}  // namespace parley::agent
