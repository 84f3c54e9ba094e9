// Which MCP servers a session has from its start: flags, the user's own, the project's.
#pragma once

#include <filesystem>

#include "server_entry.hpp"

namespace parley::agent {

struct McpConfigSources {
  std::filesystem::path cwd;
  std::filesystem::path global_config;  ///< `.claude.json` of the user.
  std::vector<std::string> flags;       ///< --mcp-config: each a file name or a JSON object.
  bool strict = false;                  ///< Nothing but the flags counts.
  bool user = true, project = true, local = true;  ///< --setting-sources.
  Json settings;  ///< All of them together: which servers of the project are not wanted.
  McpVariables variables;
};

/// Later ones win: user, project, local, flags. An error only for flags: it ends the program, and
/// is what it says. A broken file of the user or the project is a problem of that file.
[[nodiscard]] Result<McpEntries> collect_servers(const McpConfigSources& sources);

}  // namespace parley::agent
