// Which hooks there are, for clients that show them.
#include <algorithm>

#include "agent/control/requests.hpp"
#include "wire/control/control.hpp"

namespace parley::agent::requests {
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
    {"SubagentStart", "A subagent begins", true},
    {"SubagentStop", "A subagent is about to end", true},
    {"TaskCreated", "An entry of the list of work is made", false},
    {"TaskCompleted", "An entry of the list of work is done", false},
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

}  // namespace

ControlReply get_hooks_listing(ControlContext& context,
                               const control::GetHooksListing& /*request*/) {
  control::GetHooksListingReply reply;
  for (const Settings::Layer& layer : context.config.settings.layers) {
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
  policy.allDisabled = context.config.settings.hooks_disabled;
  policy.policyHookCount = 0;
  reply.policy = std::move(policy);
  return encoded(reply);
}

}  // namespace parley::agent::requests
