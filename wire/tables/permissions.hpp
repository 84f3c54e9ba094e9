// Field tables of wire/control/permissions.hpp.
#pragma once

#include "../codec/codec.hpp"
#include "../control/permissions.hpp"

namespace parley {

PARLEY_FIELDS(McpServerProvenance, name, source)

PARLEY_FIELDS(PermissionRule, toolName, ruleContent)
PARLEY_FIELDS(AddRules, rules, behavior, destination)
PARLEY_FIELDS(ReplaceRules, rules, behavior, destination)
PARLEY_FIELDS(RemoveRules, rules, behavior, destination)
PARLEY_FIELDS(SetMode, mode, destination)
PARLEY_FIELDS(AddDirectories, directories, destination)
PARLEY_FIELDS(RemoveDirectories, directories, destination)
constexpr auto parley_cases(Tag<PermissionUpdate>) {
  return make_cases<PermissionUpdate>(
      "PermissionUpdate", "type", "", on<AddRules>("addRules"), on<ReplaceRules>("replaceRules"),
      on<RemoveRules>("removeRules"), on<SetMode>("setMode"), on<AddDirectories>("addDirectories"),
      on<RemoveDirectories>("removeDirectories"));
}

PARLEY_FIELDS(PermissionAllow, updatedInput, updatedPermissions, toolUseID, decisionClassification)
PARLEY_FIELDS(PermissionDeny, message, interrupt, toolUseID, decisionClassification)
constexpr auto parley_cases(Tag<PermissionResult>) {
  return make_cases<PermissionResult>("PermissionResult", "behavior", "",
                                      on<PermissionDeny>("deny"), on<PermissionAllow>("allow"));
}

PARLEY_FIELDS(PermissionDenial, tool_name, tool_use_id, tool_input)

}  // namespace parley
