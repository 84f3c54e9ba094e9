// Field tables of wire/control/settings.hpp.
#pragma once

#include "../control/settings.hpp"
#include "catalog.hpp"

namespace parley {

PARLEY_FIELDS(control::ApplyFlagSettingsReply)
PARLEY_FIELDS(control::UpdateSettingsReply)

PARLEY_FIELDS(control::SettingsLayer, source, settings)
PARLEY_FIELDS(control::AppliedSettings, model, effort, advisor, ultracode, ultracodeRequested,
              ultracodeAvailable, ultrathinkAvailable, outsideFileToolReadsBlocked,
              outsideFileToolWritesBlocked, outsideBlocksCountLaunchFoldersOnly,
              launchEnvLeftOwnFilesInPlace)
PARLEY_FIELDS(control::GetSettingsReply, effective, sources, applied, errors, withheld)

PARLEY_FIELDS(control::HookEventInfo, name, summary, supportsMatcher, hookCount)
PARLEY_FIELDS(control::EditableHook, matcher, config, headersRedacted)
PARLEY_FIELDS(control::ListedHook, event, matcher, source, sourceLabel, pluginName, type,
              displayText, commandText, contentLabel, condition, timeout, statusMessage, runsOnce,
              runsInBackground, disabled, editable)
PARLEY_FIELDS(control::HooksPolicy, disabledByPolicy, managedOnly, pluginOnly, allDisabled,
              policyHookCount, policyUnreadable)
PARLEY_FIELDS(control::HooksSafeMode, managedHooksStillApply, exitHint)
PARLEY_FIELDS(control::HooksBareMode, exitHint)
PARLEY_FIELDS(control::GetHooksListingReply, events, hooks, eventCatalog, policy, safeMode,
              bareMode, errors)

PARLEY_FIELDS(control::PermissionRuleDescription, prefix, emphasis, suffix)
PARLEY_FIELDS(control::PermissionRuleEntry, behavior, source, rule, description, editability,
              notInEffect)
PARLEY_FIELDS(control::WorkspaceDirectory, path, source)
PARLEY_FIELDS(control::PermissionRulesState, rules, workspaceDirectories, originalCwd, managedOnly,
              errors, withheld)
PARLEY_FIELDS(control::ListPermissionRulesReply, state)

}  // namespace parley
