// Replies about configuration: settings and where they come from, registered hooks, permission
// rules.
#pragma once

#include "requests.hpp"

namespace parley::control {

struct ApplyFlagSettingsReply {
  Extra extra;
  bool operator==(const ApplyFlagSettingsReply&) const = default;
};

struct UpdateSettingsReply {
  Extra extra;
  bool operator==(const UpdateSettingsReply&) const = default;
};

// ---- get_settings ------------------------------------------------------------------------------

struct SettingsLayer {
  Enum<SettingsSource> source;
  RawJson settings;
  Extra extra;
  bool operator==(const SettingsLayer&) const = default;
};

/// What is in force at the moment, whatever the settings say.
struct AppliedSettings {
  std::optional<std::string> model;
  Nullable<Enum<Effort>> effort;
  std::optional<std::string> advisor;
  std::optional<bool> ultracode;
  std::optional<bool> ultracodeRequested;
  std::optional<bool> ultracodeAvailable;
  std::optional<bool> ultrathinkAvailable;
  std::optional<bool> outsideFileToolReadsBlocked;
  std::optional<bool> outsideFileToolWritesBlocked;
  std::optional<bool> outsideBlocksCountLaunchFoldersOnly;
  std::optional<bool> launchEnvLeftOwnFilesInPlace;
  Extra extra;
  bool operator==(const AppliedSettings&) const = default;
};

struct GetSettingsReply {
  RawJson effective;  ///< All layers merged.
  std::optional<std::vector<SettingsLayer>> sources;
  std::optional<AppliedSettings> applied;
  std::optional<std::vector<SettingsParseError>> errors;
  std::optional<bool> withheld;
  Extra extra;
  bool operator==(const GetSettingsReply&) const = default;
};

// ---- get_hooks_listing -------------------------------------------------------------------------

struct HookEventInfo {
  std::string name;
  std::optional<std::string> summary;
  std::optional<bool> supportsMatcher;
  std::optional<std::int64_t> hookCount;  ///< Not in the catalog of all events.
  Extra extra;
  bool operator==(const HookEventInfo&) const = default;
};

struct EditableHook {
  std::optional<std::string> matcher;
  std::optional<RawJson> config;
  std::optional<bool> headersRedacted;
  Extra extra;
  bool operator==(const EditableHook&) const = default;
};

struct ListedHook {
  std::string event;
  std::optional<std::string> matcher;
  std::optional<std::string> source;
  std::optional<std::string> sourceLabel;
  std::optional<std::string> pluginName;
  std::optional<std::string> type;
  std::optional<std::string> displayText;
  std::optional<std::string> commandText;
  std::optional<std::string> contentLabel;
  std::optional<std::string> condition;
  std::optional<double> timeout;  ///< Seconds.
  std::optional<std::string> statusMessage;
  std::optional<bool> runsOnce;
  std::optional<bool> runsInBackground;
  std::optional<bool> disabled;
  std::optional<EditableHook> editable;
  Extra extra;
  bool operator==(const ListedHook&) const = default;
};

struct HooksPolicy {
  std::optional<bool> disabledByPolicy;
  std::optional<bool> managedOnly;
  std::optional<bool> pluginOnly;
  std::optional<bool> allDisabled;
  std::optional<std::int64_t> policyHookCount;
  std::optional<bool> policyUnreadable;
  Extra extra;
  bool operator==(const HooksPolicy&) const = default;
};

struct HooksSafeMode {
  std::optional<bool> managedHooksStillApply;
  std::optional<std::string> exitHint;
  Extra extra;
  bool operator==(const HooksSafeMode&) const = default;
};

struct HooksBareMode {
  std::optional<std::string> exitHint;
  Extra extra;
  bool operator==(const HooksBareMode&) const = default;
};

struct GetHooksListingReply {
  std::vector<HookEventInfo> events;  ///< Those with hooks.
  std::vector<ListedHook> hooks;
  std::optional<std::vector<HookEventInfo>> eventCatalog;  ///< Every event there is.
  std::optional<HooksPolicy> policy;
  std::optional<HooksSafeMode> safeMode;
  std::optional<HooksBareMode> bareMode;
  std::optional<std::vector<SettingsParseError>> errors;
  Extra extra;
  bool operator==(const GetHooksListingReply&) const = default;
};

// ---- list_permission_rules ---------------------------------------------------------------------

PARLEY_ENUM(RuleSource, userSettings, projectSettings, localSettings, flagSettings, policySettings,
            cliArg, command, session, mcpMount, toolsNarrowing, mcpServerPolicy, hostCredential)
PARLEY_ENUM(RuleEditability, persistent, session, readonly)

struct PermissionRuleDescription {
  std::optional<std::string> prefix;
  std::optional<std::string> emphasis;
  std::optional<std::string> suffix;
  Extra extra;
  bool operator==(const PermissionRuleDescription&) const = default;
};

struct PermissionRuleEntry {
  Enum<PermissionBehavior> behavior;
  std::optional<Enum<RuleSource>> source;
  std::string rule;  ///< As written in a settings file, e.g. `Bash(npm:*)`.
  std::optional<PermissionRuleDescription> description;
  std::optional<Enum<RuleEditability>> editability;
  std::optional<bool> notInEffect;
  Extra extra;
  bool operator==(const PermissionRuleEntry&) const = default;
};

struct WorkspaceDirectory {
  std::string path;
  std::optional<std::string> source;
  Extra extra;
  bool operator==(const WorkspaceDirectory&) const = default;
};

struct PermissionRulesState {
  std::vector<PermissionRuleEntry> rules;
  std::optional<std::vector<WorkspaceDirectory>> workspaceDirectories;
  std::optional<std::string> originalCwd;
  std::optional<bool> managedOnly;
  std::optional<std::vector<SettingsParseError>> errors;
  std::optional<bool> withheld;
  Extra extra;
  bool operator==(const PermissionRulesState&) const = default;
};

struct ListPermissionRulesReply {
  PermissionRulesState state;
  Extra extra;
  bool operator==(const ListPermissionRulesReply&) const = default;
};

}  // namespace parley::control

namespace parley {

PARLEY_CODEC(control::ListPermissionRulesReply)
PARLEY_CODEC(control::ApplyFlagSettingsReply)
PARLEY_CODEC(control::UpdateSettingsReply)
PARLEY_CODEC(control::GetSettingsReply)
PARLEY_CODEC(control::GetHooksListingReply)

}  // namespace parley
