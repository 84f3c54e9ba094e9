// Settings: what they are, and changes to files and to flags.
#include <filesystem>

#include "agent/api/models.hpp"
#include "agent/control/requests.hpp"
#include "agent/permissions/settings_file.hpp"

namespace parley::agent::requests {
namespace {

/// The file of a source; none if it is not one that clients change.
std::optional<std::filesystem::path> file_of(const SessionConfig& config,
                                             const Enum<control::SettingsSource>& source) {
  namespace fs = std::filesystem;
  if (source == control::SettingsSource::userSettings) {
    return fs::path(config.config_folder) / "settings.json";
  }
  if (source == control::SettingsSource::projectSettings) {
    return fs::path(config.cwd) / ".claude" / "settings.json";
  }
  if (source == control::SettingsSource::localSettings) {
    return fs::path(config.cwd) / ".claude" / "settings.local.json";
  }
  return std::nullopt;
}

}  // namespace

ControlReply get_settings(ControlContext& context, const control::GetSettings& /*request*/) {
  auto now = Settings::load(context.config.setting_sources);
  if (!now) return now.error();
  const SessionOverrides overrides = context.overrides.copy();
  control::GetSettingsReply reply;
  reply.sources.emplace();
  if (!overrides.flag_settings.is_null()) {
    merge_settings(now->merged, overrides.flag_settings);
    if (now->layers.empty() || now->layers.back().from.text() != "flagSettings") {
      now->layers.push_back({Enum<PermissionDestination>("flagSettings"), Json::object()});
    }
    merge_settings(now->layers.back().content, overrides.flag_settings);
  }
  for (const Settings::Layer& layer : now->layers) {
    if (layer.content.members().empty()) continue;
    reply.sources->push_back(
        {Enum<control::SettingsSource>(layer.from.text()), RawJson(layer.content.dump()), {}});
  }
  reply.effective = RawJson(now->merged.dump());
  control::AppliedSettings applied;
  applied.model = resolve_model(overrides.model);
  const std::string effort =
      context.config.flags.effort.value_or(std::string(model_info(*applied.model).effort));
  if (!effort.empty()) applied.effort = Enum<Effort>(effort);
  reply.applied = std::move(applied);
  return encoded(reply);
}

ControlReply update_settings(ControlContext& context, const control::UpdateSettings& request) {
  const auto file = file_of(context.config, request.source);
  if (!file) {
    return refuse("update_settings: " + std::string(request.source.text()) + " is no file");
  }
  auto content = read_settings_file(*file);
  if (!content) return content.error();
  const auto changes = request.settings.json();
  if (!changes || !changes->is_object()) return refuse("update_settings: settings is no object");
  for (const auto& [key, value] : changes->members()) {
    if (value.is_null()) {
      content->erase(key);
    } else {
      content->set(key, value);
    }
  }
  if (auto written = write_settings_file(*file, *content); !written) return written.error();
  return body(Json::object());
}

ControlReply apply_flag_settings(ControlContext& context,
                                 const control::ApplyFlagSettings& request) {
  const auto changes = request.settings.json();
  if (!changes || !changes->is_object()) {
    return refuse("apply_flag_settings: settings is no object");
  }
  context.overrides.change([&](SessionOverrides& overrides) {
    if (overrides.flag_settings.is_null()) overrides.flag_settings = Json::object();
    merge_settings(overrides.flag_settings, *changes);
    if ((*changes)["model"].is_string()) {
      overrides.model = resolve_model((*changes)["model"].as_string());
    }
  });
  return no_body();
}

ControlReply reload_output_styles(ControlContext& context,
                                  const control::ReloadOutputStyles& /*request*/) {
  Json names = Json::array();
  for (const std::string& name : output_style_names(context.config.setting_sources)) {
    names.push(name);
  }
  return body(Json::object({{"available_output_styles", std::move(names)}}));
}

}  // namespace parley::agent::requests
