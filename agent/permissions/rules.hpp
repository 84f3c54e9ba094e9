// Rules as people write them, "Bash(git:*)", "Edit(src/**)", "WebFetch(domain:example.com)", and
// what they match.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "../../wire/control/permissions.hpp"
#include "paths.hpp"

namespace parley::agent {

struct Rule {
  PermissionRule rule;
  Enum<PermissionBehavior> behavior;
  Enum<PermissionDestination> from;

  /// Speaks of the tool as such, not of some of its calls.
  [[nodiscard]] bool whole_tool() const { return !rule.ruleContent; }
  [[nodiscard]] std::string_view content() const;
  /// Whether it speaks of the tool. "*" means every tool, but for rules that allow: nobody should
  /// allow more than they can name.
  [[nodiscard]] bool names(std::string_view tool) const;
};

/// "Tool" or "Tool(content)". Brackets in the content may be written \( and \). "Tool()", "Tool(*)"
/// and "Tool( * )" are the whole tool.
[[nodiscard]] PermissionRule parse_rule(std::string_view text);
[[nodiscard]] std::string format_rule(const PermissionRule& rule);

/// Whether a rule's tool name covers a tool: the same name, or the MCP server of the tool
/// ("mcp__server", "mcp__server__*").
[[nodiscard]] bool names_tool(std::string_view rule_tool, std::string_view tool);

/// The content of a Bash rule against the words of one command, joined with single blanks:
/// "git:*" and "git *" match what starts with the word git, other stars match anything, without a
/// star all must be equal.
[[nodiscard]] bool matches_command(std::string_view content, std::string_view command);
/// Whether the content holds a star that can match.
[[nodiscard]] bool is_exact(std::string_view content);

/// Where the relative patterns of path rules start.
struct RuleRoots {
  std::filesystem::path start;   ///< "src/**", "./x"; also "/x" but in user settings.
  std::filesystem::path config;  ///< "/x" in user settings.
  std::filesystem::path home;    ///< "~/x"
};
/// The content of a path rule ("//abs/**", "~/x", "/x", "src/**", "*.c") against a place. A deny
/// rule is met by either spelling of the place, an allow rule only by where it really is.
[[nodiscard]] bool matches_path(const Rule& rule, const Place& place, const RuleRoots& roots);

/// "domain:example.com" or "domain:*.example.com" against the host of a WebAddress.
[[nodiscard]] bool matches_domain(std::string_view content, std::string_view host);

}  // namespace parley::agent
