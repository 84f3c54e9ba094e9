#include "names.hpp"

#include <algorithm>

#include "../../support/text/utf8.hpp"

namespace parley {

namespace {

constexpr std::string_view kStart = "mcp__";
constexpr std::string_view kSeparator = "__";
// Connectors of the vendor's account carry this in their names; the CLI shortens what becomes of
// their spaces and dots.
constexpr std::string_view kConnectorStart = "claude.ai ";

bool is_safe(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

}  // namespace

std::string normalize_mcp_name(std::string_view name) {
  std::string out;
  out.reserve(name.size());
  const char* p = name.data();
  const char* const end = p + name.size();
  while (p < end) {
    const int length = std::max(detail::utf8_length(p, end), 1);
    if (length == 1) {
      out += is_safe(*p) ? *p : '_';
    } else {
      out.append(length == 4 ? 2 : 1, '_');
    }
    p += length;
  }
  if (name.starts_with(kConnectorStart)) {
    const auto repeated = [](char a, char b) { return a == '_' && b == '_'; };
    out.erase(std::unique(out.begin(), out.end(), repeated), out.end());
    if (out.ends_with('_')) out.pop_back();
  }
  return out;
}

std::string mcp_prefix(std::string_view server) {
  std::string out(kStart);
  out += normalize_mcp_name(server);
  out += kSeparator;
  return out;
}

std::string mcp_tool_name(std::string_view server, std::string_view tool) {
  return mcp_prefix(server) + normalize_mcp_name(tool);
}

std::optional<McpName> split_mcp_name(std::string_view name) {
  if (!name.starts_with(kStart)) return std::nullopt;
  name.remove_prefix(kStart.size());
  const std::size_t at = name.find(kSeparator);
  McpName parts{name.substr(0, at), std::nullopt};
  if (parts.server.empty()) return std::nullopt;
  if (at != std::string_view::npos) parts.tool = name.substr(at + kSeparator.size());
  return parts;
}

std::optional<std::string_view> mcp_tool_of(std::string_view name, std::string_view server) {
  const std::string prefix = mcp_prefix(server);
  if (!name.starts_with(prefix)) return std::nullopt;
  return name.substr(prefix.size());
}

}  // namespace parley
