// Who may run which tool: modes, rules, the changes to both that travel with a permission answer,
// and the answers themselves.
#pragma once

#include "../codec/values.hpp"

namespace parley {

/// Only 2.1.325 knows `auto`, only 2.1.38 knows `delegate`.
PARLEY_ENUM(PermissionMode, default_, acceptEdits, plan, bypassPermissions, dontAsk, auto_,
            delegate)
PARLEY_ENUM(PermissionBehavior, allow, deny, ask)
/// Where a change is kept. `session` lives in the process; the settings are files on disk.
PARLEY_ENUM(PermissionDestination, userSettings, projectSettings, localSettings, session, cliArg)
/// Whether the user decided for this call or for good.
PARLEY_ENUM(PermissionClassification, user_temporary, user_permanent, user_reject)

/// The configured MCP server that a tool belongs to, and where its configuration came from.
struct McpServerProvenance {
  std::string name;
  std::optional<std::string> source;
  Extra extra;
  bool operator==(const McpServerProvenance&) const = default;
};

// ---- changes -----------------------------------------------------------------------------------
// The CLI takes a list of changes whole or not at all: one malformed entry, and it silently drops
// the list while the answer that carried it still counts.

struct PermissionRule {
  std::string toolName;
  /// What is matched inside the tool's input, e.g. `touch:*`. A rule for the whole tool leaves it
  /// out; null would make the rule malformed.
  std::optional<std::string> ruleContent;
  Extra extra;
  bool operator==(const PermissionRule&) const = default;
};

struct AddRules {
  std::vector<PermissionRule> rules;
  Enum<PermissionBehavior> behavior;
  Enum<PermissionDestination> destination = PermissionDestination::session;
  Extra extra;
  bool operator==(const AddRules&) const = default;
};
struct ReplaceRules {
  std::vector<PermissionRule> rules;
  Enum<PermissionBehavior> behavior;
  Enum<PermissionDestination> destination = PermissionDestination::session;
  Extra extra;
  bool operator==(const ReplaceRules&) const = default;
};
struct RemoveRules {
  std::vector<PermissionRule> rules;
  Enum<PermissionBehavior> behavior;
  Enum<PermissionDestination> destination = PermissionDestination::session;
  Extra extra;
  bool operator==(const RemoveRules&) const = default;
};
struct SetMode {
  Enum<PermissionMode> mode;
  Enum<PermissionDestination> destination = PermissionDestination::session;
  Extra extra;
  bool operator==(const SetMode&) const = default;
};
struct AddDirectories {
  std::vector<std::string> directories;
  Enum<PermissionDestination> destination = PermissionDestination::session;
  Extra extra;
  bool operator==(const AddDirectories&) const = default;
};
struct RemoveDirectories {
  std::vector<std::string> directories;
  Enum<PermissionDestination> destination = PermissionDestination::session;
  Extra extra;
  bool operator==(const RemoveDirectories&) const = default;
};

/// What the CLI suggests with a request, and what an answer may send back unchanged.
struct PermissionUpdate : std::variant<AddRules, ReplaceRules, RemoveRules, SetMode, AddDirectories,
                                       RemoveDirectories, Unknown> {
  PARLEY_UNION(PermissionUpdate)
};

// ---- answers to can_use_tool -------------------------------------------------------------------

struct PermissionAllow {
  /// What the tool runs with. 2.1.38 refuses an answer without it, so send the input back even if
  /// it is unchanged.
  std::optional<RawJson> updatedInput;
  Optional<std::vector<PermissionUpdate>> updatedPermissions;
  std::optional<std::string> toolUseID;
  Optional<Enum<PermissionClassification>> decisionClassification;
  Extra extra;
  bool operator==(const PermissionAllow&) const = default;
};

struct PermissionDeny {
  std::string message;  ///< The model reads it as the tool's result.
  std::optional<bool> interrupt;
  std::optional<std::string> toolUseID;
  Optional<Enum<PermissionClassification>> decisionClassification;
  Extra extra;
  bool operator==(const PermissionDeny&) const = default;
};

/// A value that nobody filled in denies.
struct PermissionResult : std::variant<PermissionDeny, PermissionAllow, Unknown> {
  PARLEY_UNION(PermissionResult)
};

/// A refused call, as the result message of a turn lists it.
struct PermissionDenial {
  std::string tool_name;
  std::string tool_use_id;
  RawJson tool_input;
  Extra extra;
  bool operator==(const PermissionDenial&) const = default;
};

PARLEY_CODEC(PermissionUpdate)
PARLEY_CODEC(PermissionResult)
PARLEY_CODEC(PermissionDenial)

}  // namespace parley
