// The names under which an agent offers the tools of MCP servers: `mcp__<server>__<tool>`.
//
// Both parts are made safe first: every UTF-16 code unit outside [A-Za-z0-9_-] becomes `_`, as in
// the CLI (so `é` gives one underscore and an emoji two). The way back is not unique: a server's
// name may itself hold `__`, and different names may come out equal. Who knows the servers should
// compare with mcp_tool_of(); who does not gets the CLI's reading from split_mcp_name().
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace parley {

/// The safe form of a server's or tool's name. Invalid UTF-8 gives one `_` per byte.
[[nodiscard]] std::string normalize_mcp_name(std::string_view name);

/// `mcp__<server>__`: what the names of all tools of this server begin with.
[[nodiscard]] std::string mcp_prefix(std::string_view server);

/// `mcp__<server>__<tool>`
[[nodiscard]] std::string mcp_tool_name(std::string_view server, std::string_view tool);

/// The parts of a name; they point into it.
struct McpName {
  std::string_view server;
  /// Missing in `mcp__<server>`, which stands for the whole server in permission rules. Empty, but
  /// there, in `mcp__<server>__`.
  std::optional<std::string_view> tool;

  bool operator==(const McpName&) const = default;
};

/// Splits at the first `__` after the prefix; all that follows is the tool. Nothing if the name
/// does not begin with `mcp__` or names no server.
[[nodiscard]] std::optional<McpName> split_mcp_name(std::string_view name);

/// The tool if `name` belongs to `server` (given as configured, not normalised).
[[nodiscard]] std::optional<std::string_view> mcp_tool_of(std::string_view name,
                                                          std::string_view server);

}  // namespace parley
