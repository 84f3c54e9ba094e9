#include "agent/mcp/config/server_entry.hpp"

#include <algorithm>

#include "support/text/text.hpp"
#include "wire/mcp/server_config.hpp"

namespace parley::agent {
namespace {

const char* kind_name(const Json* value) {
  if (value == nullptr) return "undefined";
  switch (value->kind()) {
    case Json::Kind::null: return "null";
    case Json::Kind::bool_: return "boolean";
    case Json::Kind::number: return "number";
    case Json::Kind::string: return "string";
    case Json::Kind::array: return "array";
    case Json::Kind::object: break;
  }
  return "object";
}

Result<void> require_text(const Json& config, const char* member) {
  const Json* const found = config.find(member);
  if (found != nullptr && found->is_string() && !found->as_string().empty()) return {};
  return Error(ErrorCode::invalid,
               std::string(member) + ": expected string, received " + kind_name(found));
}

void expand(McpServerConfig& config, const McpVariables& variables) {
  const auto expand_one = [&](std::string& text) { text = expand_variables(text, variables); };
  if (config.command) expand_one(*config.command);
  if (config.args) std::for_each(config.args->begin(), config.args->end(), expand_one);
  if (config.url) expand_one(*config.url);
  const auto expand_values = [&](auto& map) {
    if (!map) return;
    Map<std::string> expanded;
    for (const auto& [name, value] : *map) expanded[name] = expand_variables(value, variables);
    map = std::move(expanded);
  };
  expand_values(config.env);
  expand_values(config.headers);
}

bool has_null_byte(const McpServerConfig& config) {
  const auto has = [](const std::string& text) { return text.find('\0') != std::string::npos; };
  if (config.command && has(*config.command)) return true;
  if (config.args && std::any_of(config.args->begin(), config.args->end(), has)) return true;
  if (!config.env) return false;
  return std::any_of(config.env->begin(), config.env->end(), [&](const auto& variable) {
    return has(variable.first) || has(variable.second);
  });
}

}  // namespace

bool McpServerEntry::lives_in_client() const {
  return config.type && *config.type == McpTransport::sdk;
}

std::string McpServerEntry::source() const { return lives_in_client() ? "sdk" : scope; }

std::string expand_variables(const std::string& text, const McpVariables& variables) {
  std::string out;
  std::size_t at = 0;
  for (;;) {
    const std::size_t open = text.find("${", at);
    const std::size_t close = open == std::string::npos ? open : text.find('}', open);
    if (close == std::string::npos) return out + text.substr(at);
    out += text.substr(at, open - at);
    const std::string inner = text.substr(open + 2, close - open - 2);
    const std::size_t otherwise = inner.find(":-");
    const auto found = variables.find(inner.substr(0, otherwise));
    if (found != variables.end()) {
      out += found->second;
    } else if (otherwise != std::string::npos) {
      out += inner.substr(otherwise + 2);
    } else {
      out += text.substr(open, close + 1 - open);
    }
    at = close + 1;
  }
}

Result<McpServerEntry> read_server(const std::string& name, const Json& config,
                                   const std::string& scope, const McpVariables& variables) {
  if (!config.is_object()) {
    return Error(ErrorCode::invalid,
                 std::string("expected object, received ") + kind_name(&config));
  }
  const std::string type(config["type"].as_string("stdio"));
  if (type == "stdio") {
    if (auto checked = require_text(config, "command"); !checked) return checked.error();
  } else if (type == "http" || type == "sse") {
    if (auto checked = require_text(config, "url"); !checked) return checked.error();
  } else if (type != "sdk") {
    // Kinds of other programs: nobody is told that they are skipped, as by the real one.
    return Error(ErrorCode::not_found, "there is no kind of server " + type);
  }
  auto decoded = detail::decode_server_config(config.dump());
  if (!decoded) return Error(ErrorCode::invalid, decoded.error().what());
  return complete_server(name, *std::move(decoded), scope, variables);
}

Result<McpServerEntry> complete_server(const std::string& name, McpServerConfig config,
                                       const std::string& scope, const McpVariables& variables) {
  McpServerEntry entry{name, std::move(config), scope};
  if (is_blank(name)) return Error(ErrorCode::invalid, "a server needs a name");
  if (!entry.config.type) entry.config.type = McpTransport::stdio;
  const Enum<McpTransport>& type = *entry.config.type;
  const bool on_web = type == McpTransport::http || type == McpTransport::sse;
  if (type == McpTransport::stdio && !entry.config.command) {
    return Error(ErrorCode::invalid, "command: expected string, received undefined");
  }
  if (on_web && !entry.config.url) {
    return Error(ErrorCode::invalid, "url: expected string, received undefined");
  }
  if (type != McpTransport::stdio && type != McpTransport::sdk && !on_web) {
    return Error(ErrorCode::invalid, "there is no kind of server " + std::string(type.text()));
  }
  expand(entry.config, variables);
  if (has_null_byte(entry.config)) {
    return Error(ErrorCode::invalid, "a command must not contain null bytes");
  }
  return entry;
}

McpEntries read_servers(const Json& servers, const std::string& scope,
                        const McpVariables& variables) {
  McpEntries entries;
  for (const auto& [name, config] : servers.members()) {
    auto entry = read_server(name, config, scope, variables);
    if (entry) {
      entries.servers.push_back(*std::move(entry));
    } else if (entry.error().code() != ErrorCode::not_found) {
      InitMcpServerError problem;
      problem.name = name;
      problem.type = "invalid_config";
      problem.message =
          "Skipped — invalid MCP server config for \"" + name + "\": " + entry.error().message();
      entries.problems.push_back(std::move(problem));
    }
  }
  return entries;
}

void McpEntries::put_over(McpEntries other) {
  for (McpServerEntry& entry : other.servers) {
    const auto same = std::find_if(servers.begin(), servers.end(),
                                   [&](const McpServerEntry& e) { return e.name == entry.name; });
    if (same == servers.end()) {
      servers.push_back(std::move(entry));
    } else {
      *same = std::move(entry);
    }
  }
  for (auto& problem : other.problems) problems.push_back(std::move(problem));
}

void McpEntries::erase(const std::string& name) {
  std::erase_if(servers, [&](const McpServerEntry& entry) { return entry.name == name; });
}

}  // namespace parley::agent
