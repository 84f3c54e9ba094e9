// What is allowed: the mode, the rules and the folders.
#include <algorithm>
#include <filesystem>

#include "agent/control/requests.hpp"

namespace parley::agent::requests {
namespace {

control::PermissionRuleEntry entry(const Permissions::Listed& rule) {
  control::PermissionRuleEntry entry;
  entry.behavior = rule.behavior;
  entry.source = Enum<control::RuleSource>(rule.from.text());
  entry.rule = rule.rule.toolName;
  if (rule.rule.ruleContent) {
    entry.rule += "(" + *rule.rule.ruleContent + ")";
  } else {
    entry.description =
        control::PermissionRuleDescription{"Every use of ", rule.rule.toolName, "", {}};
  }
  using control::RuleEditability;
  if (rule.from == PermissionDestination::session || rule.from == PermissionDestination::cliArg) {
    entry.editability = RuleEditability::session;
  } else if (rule.from == PermissionDestination::userSettings ||
             rule.from == PermissionDestination::projectSettings ||
             rule.from == PermissionDestination::localSettings) {
    entry.editability = RuleEditability::persistent;
  } else {
    entry.editability = RuleEditability::readonly;
  }
  return entry;
}

}  // namespace

void set_permission_mode(ControlContext& context, const control::SetPermissionMode& request,
                         const Responder& responder) {
  if (auto set = context.permissions.set_mode(request.mode); !set) {
    return responder.send(set.error());
  }
  responder.send(body(Json::object({{"mode", std::string(request.mode.text())}})));
  context.status.mode(context.permissions.mode());
}

ControlReply list_permission_rules(ControlContext& context,
                                   const control::ListPermissionRules& /*request*/) {
  control::ListPermissionRulesReply reply;
  for (const Permissions::Listed& rule : context.permissions.list()) {
    reply.state.rules.push_back(entry(rule));
  }
  // As people look for them: what is allowed, what is asked, what is denied.
  std::stable_sort(
      reply.state.rules.begin(), reply.state.rules.end(),
      [](const auto& a, const auto& b) { return a.behavior.text() < b.behavior.text(); });
  reply.state.workspaceDirectories.emplace();
  for (const auto& folder : context.permissions.folders()) {
    if (folder != context.config.cwd) {
      reply.state.workspaceDirectories->push_back({folder.string(), {}, {}});
    }
  }
  reply.state.originalCwd = context.config.cwd;
  reply.state.managedOnly = false;
  return encoded(reply);
}

ControlReply register_repo_root(ControlContext& context, const control::RegisterRepoRoot& request) {
  std::error_code error;
  const auto folder = std::filesystem::canonical(
      std::filesystem::path(context.config.cwd) / request.directory, error);
  if (error || !std::filesystem::is_directory(folder, error)) {
    return refuse("register_repo_root: there is no folder " + request.directory);
  }
  AddDirectories update;
  update.directories = {folder.string()};
  update.destination = PermissionDestination::session;
  if (auto added = context.permissions.apply({std::move(update)}); !added) return added.error();
  return body(Json::object({{"directory", folder.string()}}));
}

}  // namespace parley::agent::requests
