// The settings files of a user and a project, read once at the start and merged.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "../../wire/json/json.hpp"
#include "../permissions/permissions.hpp"

namespace parley::agent {

/// One command that runs at an event.
struct HookCommand {
  std::string event;    ///< "PreToolUse" and the like.
  std::string matcher;  ///< Empty matches all.
  std::string command;
  std::optional<double> timeout_seconds;
};

struct Settings {
  std::vector<Permissions::Setup::Rules> rules;
  std::optional<Enum<PermissionMode>> default_mode;
  std::vector<HookCommand> hooks;
  bool hooks_disabled = false;
  std::map<std::string, std::string> environment;
  std::optional<std::string> model;
  std::optional<std::string> output_style;
  std::optional<std::string> api_key_helper;
  bool sandbox = false;  ///< Bash runs in bubblewrap, or not at all.
  /// One source as it is written.
  struct Layer {
    Enum<PermissionDestination> from;
    Json content;
  };
  std::vector<Layer> layers;          ///< Earlier ones give way to later ones.
  Json merged;                        ///< All of them together.
  std::vector<std::string> problems;  ///< Files that could not be used, with the reason.

  struct Sources {
    std::filesystem::path config_folder;  ///< User settings: settings.json in it.
    std::filesystem::path start_folder;   ///< Project and local settings: .claude/ in it.
    bool user = true, project = true, local = true;  ///< --setting-sources.
    std::optional<std::string> flag;                 ///< --settings: a file name or a JSON object.
    /// Whether the user has said that the project is trusted. If not, what its shared settings
    /// open up (allow rules, folders, permissive modes, variables, the key helper) has no effect
    /// and is reported; what they forbid and their hooks count all the same, as in the real CLI.
    bool project_trusted = false;
  };
  /// Whether `.claude.json` (`global_config`) says that the folder, or one above it, is trusted.
  static bool is_trusted(const std::filesystem::path& global_config,
                         const std::filesystem::path& folder);
  /// Errors only for --settings; a broken file is a problem, not an error.
  static Result<Settings> load(const Sources& sources);
};

/// Puts settings over others: objects member by member, lists one after the other without doubles.
void merge_settings(Json& into, const Json& from);

}  // namespace parley::agent
