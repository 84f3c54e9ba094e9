#include "agent/mcp/config/config_sources.hpp"

#include "support/files/io.hpp"
#include "support/text/text.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestConfig = std::size_t{16} << 20;

Error invalid_flag(const std::string& what) {
  return Error(ErrorCode::invalid, "Error: Invalid MCP configuration:\n" + what);
}

/// An object of a flag: in itself, or in the file that it names.
Result<Json> read_flag_value(const std::string& text, const fs::path& cwd) {
  if (auto json = Json::parse(text); json && json->is_object()) return json;
  const fs::path path = (cwd / text).lexically_normal();
  const auto content = read_file(path, kLongestConfig);
  if (!content) return invalid_flag("MCP config file not found: " + path.string());
  auto json = Json::parse(*content);
  if (!json || !json->is_object()) {
    return invalid_flag("MCP config is not a valid JSON: " + path.string());
  }
  return json;
}

/// A file that need not be there.
Json read_optional(const fs::path& path, McpEntries& entries) {
  const auto content = read_file(path, kLongestConfig);
  if (!content || is_blank(*content)) return {};
  auto json = Json::parse(*content);
  if (json && json->is_object()) return *std::move(json);
  InitMcpServerError problem;
  problem.name = path.filename().string();
  problem.type = "invalid_config";
  problem.message = path.string() + " is not a JSON object";
  entries.problems.push_back(std::move(problem));
  return {};
}

}  // namespace

Result<McpEntries> collect_servers(const McpConfigSources& sources) {
  McpEntries entries;
  if (!sources.strict) {
    const Json global =
        sources.user || sources.local ? read_optional(sources.global_config, entries) : Json();
    if (sources.user) {
      entries.put_over(read_servers(global["mcpServers"], "user", sources.variables));
    }
    if (sources.project) {
      const Json project = read_optional(sources.cwd / ".mcp.json", entries);
      McpEntries wanted = read_servers(project["mcpServers"], "project", sources.variables);
      for (const Json& name : sources.settings["disabledMcpjsonServers"].items()) {
        wanted.erase(std::string(name.as_string()));
      }
      entries.put_over(std::move(wanted));
    }
    if (sources.local) {
      const Json& project = global["projects"][sources.cwd.string()];
      entries.put_over(read_servers(project["mcpServers"], "local", sources.variables));
    }
  }
  for (const std::string& flag : sources.flags) {
    const auto json = read_flag_value(flag, sources.cwd);
    if (!json) return json.error();
    const Json* const servers = json->find("mcpServers");
    if (servers == nullptr || !servers->is_object()) {
      return invalid_flag("mcpServers: expected object");
    }
    entries.put_over(read_servers(*servers, "dynamic", sources.variables));
  }
  return entries;
}

}  // namespace parley::agent
