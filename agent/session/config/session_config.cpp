#include "agent/session/config/session_config.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "agent/hooks/matcher.hpp"
#include "agent/mcp/config/config_sources.hpp"
#include "agent/session/config/debug_log.hpp"
#include "agent/session/earlier_run.hpp"
#include "agent/tools/structured_output.hpp"
#include "support/random.hpp"
#include "wire/ids.hpp"

namespace parley::agent {

namespace fs = std::filesystem;

std::string variable(const Environment& environment, const std::string& name,
                     const std::string& fallback) {
  const auto found = environment.find(name);
  return found == environment.end() || found->second.empty() ? fallback : found->second;
}

SessionConfig::SessionConfig(Flags given_flags, Environment given_environment,
                             std::string given_cwd)
    : flags(std::move(given_flags)),
      environment(std::move(given_environment)),
      variables(environment),
      cwd(std::move(given_cwd)) {
  home = variable(environment, "HOME", "/");
  config_folder = variable(environment, "CLAUDE_CONFIG_DIR", home + "/.claude");
  entrypoint = variable(environment, "CLAUDE_CODE_ENTRYPOINT", "sdk-cli");
  session_id = flags.session_id.value_or(make_uuid());
}

Result<void> SessionConfig::load() {
  if (auto loaded = load_settings(); !loaded) return loaded;
  notes = read_notes(config_folder, cwd, setting_sources.user, setting_sources.project, note_files);
  if (auto loaded = load_mcp_servers(); !loaded) return loaded;
  output_style = find_output_style(setting_sources, settings.output_style.value_or("default"));
  if (flags.json_schema) {
    const auto schema = RawJson::parse(*flags.json_schema);
    if (!schema) {
      return Error(ErrorCode::invalid,
                   "Error: --json-schema is not valid JSON: " + std::string(schema.error().what()));
    }
    auto json = schema->json();
    if (!json) return json.error();
    auto made = make_structured_output(*std::move(json));
    if (!made) return made.error();
    structured_output = *std::move(made);
  }
  auto earlier = find_earlier_session();
  if (!earlier) return earlier.error();
  resumed_id = *std::move(earlier);
  if (resumed_id && !flags.fork_session) session_id = *resumed_id;
  return {};
}

Result<void> SessionConfig::load_settings() {
  const auto wants = [this](const char* source) {
    return !flags.setting_sources ||
           std::find(flags.setting_sources->begin(), flags.setting_sources->end(), source) !=
               flags.setting_sources->end();
  };
  Settings::Sources& sources = setting_sources;
  sources.config_folder = config_folder;
  sources.start_folder = cwd;
  sources.user = wants("user");
  sources.project = wants("project");
  sources.local = wants("local");
  sources.flag = flags.settings;
  sources.project_trusted = Settings::is_trusted(fs::path(home) / ".claude.json", cwd);
  auto loaded = Settings::load(sources);
  if (!loaded) return loaded.error();
  settings = *std::move(loaded);
  for (const auto& [name, value] : settings.environment) variables[name] = value;
  if (may_bypass() && ::geteuid() == 0 && variable(environment, "IS_SANDBOX") != "1") {
    return Error(ErrorCode::permission,
                 "--dangerously-skip-permissions cannot be used with root/sudo privileges for "
                 "security reasons");
  }
  for (const std::string& problem : settings.problems) complain("Settings: " + problem);
  for (const HookCommand& hook : settings.hooks) {
    const Matcher matcher(hook.matcher);
    if (matcher.problem().empty()) continue;
    complain("Settings: hooks." + hook.event + ": the matcher " + hook.matcher +
             " matches nothing: " + matcher.problem());
  }
  const DebugLog debug(flags.debug, flags.debug_file);
  for (const std::string& flag : flags.without_effect) debug.write(flag + " has no effect yet");
  return {};
}

Result<void> SessionConfig::load_mcp_servers() {
  McpConfigSources sources;
  sources.cwd = cwd;
  const std::string own_folder = variable(environment, "CLAUDE_CONFIG_DIR");
  sources.global_config = fs::path(own_folder.empty() ? home : own_folder) / ".claude.json";
  sources.flags = flags.mcp_configs;
  sources.strict = flags.strict_mcp_config;
  sources.user = setting_sources.user;
  sources.project = setting_sources.project;
  sources.local = setting_sources.local;
  sources.settings = settings.merged;
  sources.variables = variables;
  auto collected = collect_servers(sources);
  if (!collected) return collected.error();
  mcp_servers = *std::move(collected);
  return {};
}

/// The one that the flags want to go on with, if any.
Result<std::optional<std::string>> SessionConfig::find_earlier_session() const {
  if (flags.continue_latest) return latest_session(config_folder, cwd);
  if (!flags.resume || is_session_id(*flags.resume)) return flags.resume;
  std::optional<std::string> id = session_of_title(config_folder, cwd, *flags.resume);
  if (!id) {
    return Error(ErrorCode::not_found,
                 "Error: --resume requires a valid session ID or session title when used with "
                 "--print. Usage: claude -p --resume <session-id|title>. Provided value \"" +
                     *flags.resume + "\" is not a UUID and does not match any session title.");
  }
  return id;
}

bool SessionConfig::is_switched_on(const std::string& name) const {
  const std::string value = variable(environment, name);
  return value == "1" || value == "true" || value == "yes" || value == "on";
}

std::optional<std::int64_t> SessionConfig::number_in(const std::string& name) const {
  const std::string text = variable(environment, name);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value <= 0) return std::nullopt;
  return value;
}

Enum<PermissionMode> SessionConfig::first_mode() const {
  if (flags.skip_permissions) return PermissionMode::bypassPermissions;
  return flags.permission_mode.value_or(
      settings.default_mode.value_or(Enum<PermissionMode>(PermissionMode::default_)));
}

bool SessionConfig::may_bypass() const {
  return flags.allow_skip_permissions || first_mode() == PermissionMode::bypassPermissions;
}

fs::path SessionConfig::results_folder() const {
  return fs::path(config_folder) / "projects" / project_folder_name(cwd) / session_id /
         "tool-results";
}

fs::path SessionConfig::plan_file() const {
  return fs::path(config_folder) / "plans" / (session_id + ".md");
}

fs::path SessionConfig::scratch_folder() const {
  return fs::temp_directory_path() / ("parley-agent-" + session_id);
}

}  // namespace parley::agent
