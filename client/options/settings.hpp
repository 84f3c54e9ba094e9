// Options::settings: where the CLI's settings come from.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "../../wire/messages/catalog.hpp"

namespace parley {

/// Where settings are read from: user, project, local.
PARLEY_ENUM(SettingScope, user, project, local)

/// Settings of the CLI, and what it loads because of them. Session::settings() shows what came of
/// them, and changes them later.
struct SettingsOptions {
  /// A settings file for this session (`--settings`), which wins over those of user and project.
  /// Not together with `json`.
  std::filesystem::path file;

  /// The same as a JSON object (`--settings`).
  std::optional<RawJson> json;

  /// How commands are caged: the member "sandbox" of the settings, as a JSON object. It is merged
  /// into `json`, and replaces a "sandbox" there; not together with `file`.
  std::optional<RawJson> sandbox;

  /// Settings that nobody below can change, as an administrator would set them
  /// (`--managed-settings`): JSON text, or what else the CLI takes there.
  std::string managed;

  /// Which files are read (`--setting-sources`). Nothing: all; an empty list: none, so that a
  /// session does not depend on whose machine it runs on.
  std::optional<std::vector<SettingScope>> sources;

  /// The folder whose project settings count, if it is not the working folder
  /// (`--project-config-root`). Only newer CLIs know it.
  std::filesystem::path project_config_root;

  /// Plugins to load from folders (`--plugin-dir`), for this session only.
  std::vector<PluginConfig> plugins;

  /// The skills that the model may use without asking. Nothing: as the CLI likes; {"all"}: every
  /// one; else those named, and no others. They are added to ToolOptions::allowed as rules.
  std::optional<std::vector<std::string>> skills;
};

}  // namespace parley
