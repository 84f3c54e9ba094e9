#include "agent/agents/agent_catalog.hpp"

#include <algorithm>
#include <charconv>

#include "agent/session/config/debug_log.hpp"
#include "agent/session/config/front_matter.hpp"
#include "agent/session/config/text_file.hpp"
#include "wire/codec/codec.hpp"
#include "wire/control/control.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

std::string small_letters(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// All agents of a folder and of those below it, in the order of their paths.
std::vector<KnownAgent> agents_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (auto it = fs::recursive_directory_iterator(folder, error);
       !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
    if (it->path().extension() == ".md" && is_plain_file(it->path())) files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  std::vector<KnownAgent> agents;
  for (const fs::path& file : files) {
    if (auto agent = read_agent_file(file)) agents.push_back(*std::move(agent));
  }
  return agents;
}

std::optional<std::vector<std::string>> tools_of(const FrontMatter& head, const std::string& key) {
  std::vector<std::string> tools = head.list(key);
  if (tools.empty() || tools == std::vector<std::string>{"*"}) return std::nullopt;
  return tools;
}

}  // namespace

std::optional<KnownAgent> read_agent_file(const fs::path& file) {
  const FrontMatter head = read_front_matter(read_text_file(file));
  KnownAgent agent;
  agent.name = head.text("name");
  AgentDefinition& definition = agent.definition;
  definition.description = head.text("description");
  if (!head.found || agent.name.empty() || definition.description.empty()) return std::nullopt;
  definition.prompt = head.body;
  definition.tools = tools_of(head, "tools");
  definition.disallowedTools = tools_of(head, "disallowedTools");
  if (const std::string model = head.text("model"); !model.empty()) definition.model = model;
  if (const std::string mode = head.text("permissionMode"); !mode.empty()) {
    definition.permissionMode = Enum<PermissionMode>(mode);
  }
  const std::string turns = head.text("maxTurns");
  std::int64_t most = 0;
  std::from_chars(turns.data(), turns.data() + turns.size(), most);
  if (most > 0) definition.maxTurns = most;
  if (head.text("background") == "true") definition.background = true;
  if (head.text("omitClaudeMd") == "true") definition.omitClaudeMd = true;
  return agent;
}

Result<std::vector<KnownAgent>> read_agents(const std::string& json) {
  const auto object = Json::parse(json);
  if (!object) return object.error();
  if (!object->is_object()) return Error(ErrorCode::invalid, "not an object of agents by name");
  // A client says the same in its first request.
  const Json request = Json::object({{"subtype", "initialize"}, {"agents", *object}});
  const auto body = RawJson(request.dump()).as<ControlBody>();
  if (!body) return body.error();
  std::vector<KnownAgent> list;
  for (const auto& [name, definition] : *std::get<control::Initialize>(*body).agents) {
    list.push_back({name, definition});
  }
  return list;
}

AgentCatalog::AgentCatalog(const SessionConfig& config) {
  put(built_in_agents());
  if (config.setting_sources.user) put(agents_in(fs::path(config.config_folder) / "agents"));
  if (config.setting_sources.project) {
    std::vector<KnownAgent> agents = agents_in(fs::path(config.cwd) / ".claude" / "agents");
    for (KnownAgent& agent : agents) agent.of_project = true;
    put(std::move(agents));
  }
  if (!config.flags.agents) return;
  auto by_flag = read_agents(*config.flags.agents);
  if (by_flag) {
    put(*std::move(by_flag));
  } else {
    complain("--agents is not used: " + std::string(by_flag.error().what()));
  }
}

void AgentCatalog::put(std::vector<KnownAgent> agents) {
  agents_.change([&](Agents& all) {
    for (KnownAgent& agent : agents) {
      const std::pair key(small_letters(agent.name), agent.name);
      all.insert_or_assign(key, std::move(agent));
    }
  });
}

void AgentCatalog::add(const Map<AgentDefinition>& agents) {
  std::vector<KnownAgent> list;
  for (const auto& [name, definition] : agents) list.push_back({name, definition});
  put(std::move(list));
}

std::optional<KnownAgent> AgentCatalog::find(const std::string& name) const {
  const Agents all = agents_.copy();
  const auto found = all.find({small_letters(name), name});
  if (found == all.end()) return std::nullopt;
  return found->second;
}

std::vector<KnownAgent> AgentCatalog::list() const {
  std::vector<KnownAgent> list;
  for (auto& [key, agent] : agents_.copy()) list.push_back(agent);
  return list;
}

std::string AgentCatalog::names() const {
  std::string names;
  for (const KnownAgent& agent : list()) names += (names.empty() ? "" : ", ") + agent.name;
  return names;
}

std::vector<AgentInfo> AgentCatalog::infos() const {
  std::vector<AgentInfo> infos;
  for (const KnownAgent& agent : list()) {
    AgentInfo info;
    info.name = agent.name;
    info.description = agent.definition.description;
    info.model = agent.definition.model;
    infos.push_back(std::move(info));
  }
  return infos;
}

}  // namespace parley::agent
