#include <algorithm>

#include "agent/api/models.hpp"
#include "agent/control/queries.hpp"
#include "wire/control/control.hpp"

namespace parley::agent {
namespace {

struct HookEvent {
  const char* name;
  const char* summary;
  bool takes_matcher;
};

/// Those that happen here, in the order in which people meet them.
constexpr HookEvent kHookEvents[] = {
    {"PreToolUse", "A tool is about to run", true},
    {"PostToolUse", "A tool has run", true},
    {"PostToolUseFailure", "A tool has failed", true},
    {"UserPromptSubmit", "The user has sent a prompt", false},
    {"SessionStart", "A session begins or goes on", true},
    {"Stop", "The answer is about to end", false},
    {"SessionEnd", "The session ends", true},
    {"PermissionRequest", "The user is asked for permission", true},
};

control::HookEventInfo event_info(const HookEvent& event) {
  control::HookEventInfo info;
  info.name = event.name;
  info.summary = event.summary;
  info.supportsMatcher = event.takes_matcher;
  return info;
}

std::string label_of(const Enum<PermissionDestination>& source) {
  if (source == PermissionDestination::userSettings) return "User settings (settings.json)";
  if (source == PermissionDestination::projectSettings) {
    return "Project settings (.claude/settings.json)";
  }
  if (source == PermissionDestination::localSettings) {
    return "Local settings (.claude/settings.local.json)";
  }
  return "Settings of the command line (--settings)";
}

control::ListedHook listed(const std::string& event, const std::string& matcher,
                           const Settings::Layer& layer, const Json& config) {
  control::ListedHook hook;
  hook.event = event;
  hook.matcher = matcher;
  hook.source = std::string(layer.from.text());
  hook.sourceLabel = label_of(layer.from);
  hook.type = std::string(config["type"].as_string("command"));
  const bool command = *hook.type == "command";
  const Json& text = config[command ? "command" : *hook.type == "http" ? "url" : "prompt"];
  hook.displayText = hook.commandText = std::string(text.as_string());
  hook.contentLabel = command ? "Command" : *hook.type == "http" ? "URL" : "Prompt";
  if (config["timeout"].is_number()) hook.timeout = config["timeout"].as_double();
  if (config["statusMessage"].is_string()) {
    hook.statusMessage = std::string(config["statusMessage"].as_string());
  }
  hook.editable = control::EditableHook{matcher, RawJson(config.dump()), {}, {}};
  return hook;
}

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

Result<control::GetSettingsReply> list_settings(const Session& session) {
  auto now = Settings::load(session.setting_sources);
  if (!now) return now.error();
  const Wishes wishes = session.wishes();
  control::GetSettingsReply reply;
  reply.sources.emplace();
  if (!wishes.flag_settings.is_null()) {
    merge_settings(now->merged, wishes.flag_settings);
    if (now->layers.empty() || now->layers.back().from.text() != "flagSettings") {
      now->layers.push_back({Enum<PermissionDestination>("flagSettings"), Json::object()});
    }
    merge_settings(now->layers.back().content, wishes.flag_settings);
  }
  for (const Settings::Layer& layer : now->layers) {
    if (layer.content.members().empty()) continue;
    reply.sources->push_back(
        {Enum<control::SettingsSource>(layer.from.text()), RawJson(layer.content.dump()), {}});
  }
  reply.effective = RawJson(now->merged.dump());
  control::AppliedSettings applied;
  applied.model = resolve_model(wishes.model);
  const std::string effort =
      session.flags.effort.value_or(std::string(model_info(*applied.model).effort));
  if (!effort.empty()) applied.effort = Enum<Effort>(effort);
  reply.applied = std::move(applied);
  return reply;
}

control::GetHooksListingReply list_hooks(const Session& session) {
  control::GetHooksListingReply reply;
  for (const Settings::Layer& layer : session.settings.layers) {
    for (const auto& [event, matchers] : layer.content["hooks"].members()) {
      for (const Json& matcher : matchers.items()) {
        for (const Json& config : matcher["hooks"].items()) {
          reply.hooks.push_back(
              listed(event, std::string(matcher["matcher"].as_string()), layer, config));
        }
      }
    }
  }
  reply.eventCatalog.emplace();
  for (const HookEvent& event : kHookEvents) {
    control::HookEventInfo info = event_info(event);
    reply.eventCatalog->push_back(info);
    info.hookCount =
        std::count_if(reply.hooks.begin(), reply.hooks.end(),
                      [&](const control::ListedHook& hook) { return hook.event == event.name; });
    if (*info.hookCount > 0) reply.events.push_back(std::move(info));
  }
  control::HooksPolicy policy;
  policy.disabledByPolicy = policy.managedOnly = policy.pluginOnly = false;
  policy.allDisabled = session.settings.hooks_disabled;
  policy.policyHookCount = 0;
  reply.policy = std::move(policy);
  return reply;
}

control::ListPermissionRulesReply list_rules(const Session& session) {
  control::ListPermissionRulesReply reply;
  for (const Permissions::Listed& rule : session.permissions->list()) {
    reply.state.rules.push_back(entry(rule));
  }
  // As people look for them: what is allowed, what is asked, what is denied.
  std::stable_sort(
      reply.state.rules.begin(), reply.state.rules.end(),
      [](const auto& a, const auto& b) { return a.behavior.text() < b.behavior.text(); });
  reply.state.workspaceDirectories.emplace();
  for (const auto& folder : session.permissions->folders()) {
    if (folder != session.cwd) {
      reply.state.workspaceDirectories->push_back({folder.string(), {}, {}});
    }
  }
  reply.state.originalCwd = session.cwd;
  reply.state.managedOnly = false;
  return reply;
}

}  // namespace parley::agent
