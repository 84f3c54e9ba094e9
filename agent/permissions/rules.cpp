#include "agent/permissions/rules.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <vector>

#include "agent/web/web_address.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

/// `*` stands for anything; the rest for itself.
bool matches_stars(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, mark = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool is_prefix_of(std::string_view prefix, std::string_view command) {
  return command == prefix || (command.starts_with(prefix) && command[prefix.size()] == ' ');
}

using Parts = std::vector<std::string>;

Parts parts_of(const fs::path& path) {
  Parts parts;
  for (const auto& part : path) {
    if (!part.empty() && part != "." && part != "/") parts.push_back(part.string());
  }
  return parts;
}

/// Whether the pattern covers the path: the path itself, or a folder above it. `**` stands for any
/// number of parts. The patterns come from the user's settings and are short; the bound keeps a
/// pattern of many `**` from taking for ever.
bool covers(const Parts& pattern, std::size_t p, const Parts& path, std::size_t t, int& budget) {
  if (--budget < 0) return false;
  if (p == pattern.size()) return true;
  if (pattern[p] == "**") {
    if (p + 1 == pattern.size()) return true;
    for (std::size_t next = t; next <= path.size(); ++next) {
      if (covers(pattern, p + 1, path, next, budget)) return true;
    }
    return false;
  }
  return t < path.size() && ::fnmatch(pattern[p].c_str(), path[t].c_str(), FNM_NOESCAPE) == 0 &&
         covers(pattern, p + 1, path, t + 1, budget);
}

bool covers(const fs::path& root, const Parts& pattern, const fs::path& path) {
  if (!is_within(path, root)) return false;
  int budget = 100000;
  return covers(pattern, 0, parts_of(path.lexically_relative(root)), 0, budget);
}

}  // namespace

std::string_view Rule::content() const {
  return rule.ruleContent ? std::string_view(*rule.ruleContent) : std::string_view();
}

PermissionRule parse_rule(std::string_view text) {
  const auto open = text.find('(');
  if (open == std::string_view::npos || open == 0 || !text.ends_with(')')) {
    return {std::string(text), {}, {}};
  }
  const auto inner = text.substr(open + 1, text.size() - open - 2);
  std::string content;
  for (std::size_t i = 0; i < inner.size(); ++i) {
    const bool escaped = inner[i] == '\\' && i + 1 < inner.size() &&
                         (inner[i + 1] == '(' || inner[i + 1] == ')' || inner[i + 1] == '\\');
    if (escaped) ++i;
    content += inner[i];
  }
  PermissionRule rule{std::string(text.substr(0, open)), {}, {}};
  const auto first = content.find_first_not_of(' ');
  const bool star = first != std::string::npos && content[first] == '*' &&
                    content.find_first_not_of(' ', first + 1) == std::string::npos;
  if (!content.empty() && !star) rule.ruleContent = std::move(content);
  return rule;
}

std::string format_rule(const PermissionRule& rule) {
  if (!rule.ruleContent || rule.ruleContent->empty()) return rule.toolName;
  std::string out = rule.toolName + '(';
  for (const char c : *rule.ruleContent) {
    if (c == '(' || c == ')' || c == '\\') out += '\\';
    out += c;
  }
  return out + ')';
}

bool Rule::names(std::string_view tool) const {
  return names_tool(rule.toolName, tool) ||
         (rule.toolName == "*" && behavior != PermissionBehavior::allow);
}

bool names_tool(std::string_view rule_tool, std::string_view tool) {
  if (rule_tool == tool || (rule_tool == "Task" && tool == "Agent")) return true;
  if (!rule_tool.starts_with("mcp__") || !tool.starts_with("mcp__")) return false;
  if (rule_tool.ends_with("__*")) rule_tool.remove_suffix(3);
  return rule_tool.size() > 5 && rule_tool.find("__", 5) == std::string_view::npos &&
         tool.starts_with(rule_tool) && tool.substr(rule_tool.size()).starts_with("__");
}

bool is_exact(std::string_view content) { return content.find('*') == std::string_view::npos; }

bool matches_command(std::string_view content, std::string_view command) {
  if (is_exact(content)) return command == content;
  if (content.ends_with(":*") && is_exact(content.substr(0, content.size() - 2))) {
    content.remove_suffix(2);
    return content.empty() || is_prefix_of(content, command);
  }
  // "npm run *" covers "npm run" too.
  if (content.ends_with(" *") && matches_stars(content.substr(0, content.size() - 2), command)) {
    return true;
  }
  return matches_stars(content, command);
}

bool matches_path(const Rule& rule, const Place& place, const RuleRoots& roots) {
  std::string_view content = rule.content();
  fs::path root = roots.start;
  if (content.starts_with("//")) {
    root = "/";
    content.remove_prefix(2);
  } else if (content == "~" || content.starts_with("~/")) {
    root = roots.home;
    content.remove_prefix(std::min<std::size_t>(2, content.size()));
  } else if (content.starts_with('/')) {
    if (rule.from == PermissionDestination::userSettings) root = roots.config;
    content.remove_prefix(1);
  } else if (content.find('/') == std::string_view::npos) {
    // A name alone is meant in every folder.
    Parts anywhere{"**", std::string(content)};
    const auto real_root = locate(root);
    if (rule.behavior != PermissionBehavior::allow && covers(root, anywhere, place.named))
      return true;
    return real_root && covers(real_root->real, anywhere, place.real);
  }
  Parts pattern = parts_of(fs::path(content).lexically_normal());
  while (!pattern.empty() && pattern.front() == "..") {
    root = root.parent_path();
    pattern.erase(pattern.begin());
  }
  if (rule.behavior != PermissionBehavior::allow && covers(root, pattern, place.named)) return true;
  // The fixed beginning of the pattern may itself lead over links.
  std::size_t fixed = 0;
  while (fixed < pattern.size() && pattern[fixed].find_first_of("*?[") == std::string::npos) {
    root /= pattern[fixed++];
  }
  const auto real_root = locate(root);
  return real_root &&
         covers(real_root->real,
                Parts(pattern.begin() + static_cast<std::ptrdiff_t>(fixed), pattern.end()),
                place.real);
}

bool matches_domain(std::string_view content, std::string_view host) {
  if (!content.starts_with("domain:") || host.empty()) return false;
  content.remove_prefix(7);
  if (content == "*") return true;
  const bool below = content.starts_with("*.");
  const auto domain = plain_host(below ? content.substr(2) : content);
  if (!domain) return false;
  return below ? host.ends_with("." + *domain) : host == *domain;
}

}  // namespace parley::agent
