#include "agent/agents/subagent_parts.hpp"

#include <algorithm>
#include <array>

#include "agent/api/models.hpp"
#include "agent/session/system_prompt.hpp"
#include "wire/tools/registry.hpp"

namespace parley::agent {
namespace {

/// They speak with the user, or belong to the session as a whole.
constexpr std::array<std::string_view, 5> kOfTheSession{"AskUserQuestion", "EnterPlanMode",
                                                        "ExitPlanMode", "TaskOutput", "TaskStop"};

/// "Bash(git:*)" names Bash.
std::string_view without_rule(std::string_view name) { return name.substr(0, name.find('(')); }

/// Whether one of the names means the tool, by its name or an older one.
bool names_tool(const std::vector<std::string>& names, std::string_view tool) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const std::string_view bare = without_rule(name);
    const tools::ToolInfo* const info = tools::find_tool(bare);
    return bare == "*" || bare == tool || (info != nullptr && info->name == tool);
  });
}

}  // namespace

std::string SubagentRequests::model() const {
  return identity_.model.empty() ? host_.session.requests.model() : identity_.model;
}

ApiRequest SubagentRequests::request(const std::string& model) const {
  ApiRequest request = host_.session.requests.request(model);
  const AgentDefinition& definition = identity_.kind.definition;
  request.system = agent_system_prompt(host_.config, host_.overrides.copy(), host_.permissions,
                                       definition.prompt, !definition.omitClaudeMd.value_or(false));
  if (std::string notes = notes_.copy(); !notes.empty()) request.system.push_back(notes);
  return request;
}

void SubagentRequests::add_note(const std::string& text) {
  notes_.change([&](std::string& notes) {
    notes += (notes.empty() ? "" : "\n") + ("A hook at the start of your work says: " + text);
  });
}

SubagentTools::SubagentTools(const ToolSet& session, const SubagentIdentity& identity,
                             std::vector<SharedTool> own)
    : session_(session),
      identity_(identity),
      own_(std::move(own)),
      state_(session.state().for_agent(identity.id)) {}

bool SubagentTools::wants(const Tool& tool) const {
  const std::string_view name = tool.name();
  if (std::find(kOfTheSession.begin(), kOfTheSession.end(), name) != kOfTheSession.end()) {
    return false;
  }
  const AgentDefinition& definition = identity_.kind.definition;
  if (definition.disallowedTools && names_tool(*definition.disallowedTools, name)) return false;
  return !definition.tools || names_tool(*definition.tools, name);
}

std::vector<SharedTool> SubagentTools::offered() const {
  const SharedTool structured = session_.structured_output();
  std::vector<SharedTool> list;
  for (SharedTool& tool : session_.offered()) {
    if (tool == structured || !wants(*tool)) continue;
    const auto own = std::find_if(own_.begin(), own_.end(), [&](const SharedTool& one) {
      return one->name() == tool->name();
    });
    if (own != own_.end()) {
      list.push_back(*own);
    } else if (tool->name() != "Agent") {
      list.push_back(std::move(tool));
    }
  }
  return list;
}

SharedTool SubagentTools::known(std::string_view name) const {
  SharedTool tool = session_.known(name);
  if (tool == nullptr) return nullptr;
  for (const SharedTool& own : own_) {
    if (own->name() == tool->name()) return own;
  }
  return tool;
}

/// A kind of agent may ask for less freedom than the session has. For more it may ask only where
/// the user decides by each call, and only if it was not a file of the folder that says so.
Enum<PermissionMode> SubagentPermissions::mode() const {
  const Enum<PermissionMode> of_session = session_.mode();
  const auto& wanted = identity_.kind.definition.permissionMode;
  if (!wanted || of_session == PermissionMode::bypassPermissions ||
      of_session == PermissionMode::acceptEdits || !session_.accepts_mode(*wanted)) {
    return of_session;
  }
  if (*wanted == PermissionMode::plan || *wanted == PermissionMode::dontAsk) return *wanted;
  return of_session == PermissionMode::default_ && !identity_.kind.of_project ? *wanted
                                                                              : of_session;
}

Verdict SubagentPermissions::judge(std::string_view tool, const RawJson& /*input*/,
                                   const Intent& intent, const std::filesystem::path& cwd) const {
  return session_.judge_in_mode(mode(), tool, intent, cwd);
}

std::function<bool(const std::filesystem::path&)> SubagentPermissions::hidden_from(
    std::string_view tool) const {
  return session_.hidden_from(tool);
}

Result<std::optional<Enum<PermissionMode>>> SubagentPermissions::apply(
    const std::vector<PermissionUpdate>& updates) {
  return session_.apply(updates);
}

}  // namespace parley::agent
