// What the answer to tools/call becomes: content for the model, a result for displays, and files
// for what is too large or no text.
#pragma once

#include <filesystem>
#include <string>

#include "../../wire/mcp/mcp.hpp"
#include "../tools/tool.hpp"

namespace parley::agent {

struct McpCallSite {
  std::string server;                    ///< As configured.
  std::string tool;                      ///< The server's own name for it.
  std::string tool_name;                 ///< The full name.
  std::filesystem::path results_folder;  ///< Made when needed.
  /// So many characters are shown to the model; more are put into a file.
  std::size_t most_characters = 100'000;
};

/// `result` as the server gave it. What cannot be understood is an error that the model can read.
[[nodiscard]] ToolOutput output_of(const RawJson& result, const McpCallSite& site);

/// Keeps bytes in a file of the folder; its path, or why that failed.
[[nodiscard]] Result<std::filesystem::path> store_bytes(const std::filesystem::path& folder,
                                                        const std::string& prefix,
                                                        const std::string& media_type,
                                                        const std::string& bytes);

}  // namespace parley::agent
