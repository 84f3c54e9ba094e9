#include "agent/settings/settings.hpp"

#include <algorithm>
#include <utility>

#include "agent/permissions/settings_file.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

/// One file or flag.
struct Source {
  Enum<PermissionDestination> from;
  std::string name;  ///< For problems.
  Json content;
  bool trusted = true;
};

class Reader {
 public:
  Reader(Settings& settings, const Source& source) : out_(settings), source_(source) {}

  void read() {
    const auto& json = source_.content;
    read_permissions(json["permissions"]);
    read_hooks(json["hooks"]);
    read_environment(json["env"]);
    read_text(json, "model", out_.model);
    read_text(json, "outputStyle", out_.output_style);
    if (const auto* helper = json.find("apiKeyHelper"); helper && is_opened("apiKeyHelper")) {
      read_text(json, "apiKeyHelper", out_.api_key_helper);
    }
    if (const auto* off = json.find("disableAllHooks")) out_.hooks_disabled = off->as_bool();
    if (const auto* sandbox = json["sandbox"].find("enabled")) out_.sandbox = sandbox->as_bool();
  }

 private:
  void problem(const std::string& what) { out_.problems.push_back(source_.name + ": " + what); }

  /// Whether the source may open something up; says so if not.
  bool is_opened(const std::string& what) {
    if (source_.trusted) return true;
    problem(what + " has no effect, because the project is not trusted");
    return false;
  }

  void read_text(const Json& json, const char* key, std::optional<std::string>& to) {
    const auto* found = json.find(key);
    if (!found) return;
    if (found->is_string()) {
      to = std::string(found->as_string());
    } else {
      problem(std::string(key) + " is not a string");
    }
  }

  std::vector<std::string> texts(const Json& json, const char* key) {
    std::vector<std::string> out;
    const auto* found = json.find(key);
    if (!found) return out;
    if (!found->is_array()) problem("permissions." + std::string(key) + " is not a list");
    for (const auto& item : found->items()) {
      if (item.is_string() && !item.as_string().empty()) {
        out.emplace_back(item.as_string());
      } else {
        problem("permissions." + std::string(key) + " holds something that is not a rule");
      }
    }
    return out;
  }

  void read_permissions(const Json& json) {
    if (json.is_null()) return;
    if (!json.is_object()) return problem("permissions is not an object");
    Permissions::Setup::Rules rules;
    rules.from = source_.from;
    rules.deny = texts(json, "deny");
    rules.ask = texts(json, "ask");
    rules.allow = texts(json, "allow");
    rules.folders = texts(json, "additionalDirectories");
    if (!rules.allow.empty() && !is_opened("permissions.allow")) rules.allow.clear();
    if (!rules.folders.empty() && !is_opened("permissions.additionalDirectories"))
      rules.folders.clear();
    out_.rules.push_back(std::move(rules));
    if (const auto* mode = json.find("defaultMode")) read_mode(mode->as_string());
  }

  void read_mode(std::string_view text) {
    const Enum<PermissionMode> mode(text);
    const bool open = mode == PermissionMode::acceptEdits ||
                      mode == PermissionMode::bypassPermissions || mode == PermissionMode::auto_;
    if (!mode.known() || mode == PermissionMode::delegate) {
      problem("permissions.defaultMode is not a mode: " + std::string(text));
    } else if (!open || is_opened("permissions.defaultMode")) {
      out_.default_mode = mode;
    }
  }

  void read_hooks(const Json& json) {
    if (json.is_null()) return;
    if (!json.is_object()) return problem("hooks is not an object");
    for (const auto& [event, matchers] : json.members()) {
      if (!matchers.is_array()) problem("hooks." + event + " is not a list");
      for (const auto& matcher : matchers.items()) {
        if (!matcher["hooks"].is_array()) problem("hooks." + event + " has an entry without hooks");
        for (const auto& hook : matcher["hooks"].items()) read_hook(event, matcher, hook);
      }
    }
  }

  void read_hook(const std::string& event, const Json& matcher, const Json& hook) {
    if (hook["type"].as_string() != "command" || hook["command"].as_string().empty()) {
      return problem("hooks." + event + " has an entry that is not a command");
    }
    HookCommand out;
    out.event = event;
    out.matcher = matcher["matcher"].as_string();
    out.command = hook["command"].as_string();
    if (const auto* timeout = hook.find("timeout")) {
      if (timeout->is_number() && timeout->as_double() > 0) {
        out.timeout_seconds = timeout->as_double();
      } else {
        problem("hooks." + event + " has a timeout that is not a number of seconds");
      }
    }
    out_.hooks.push_back(std::move(out));
  }

  void read_environment(const Json& json) {
    if (json.is_null()) return;
    if (!json.is_object()) return problem("env is not an object");
    if (json.members().empty() || !is_opened("env")) return;
    for (const auto& [name, value] : json.members()) {
      const bool usable = !name.empty() &&
                          name.find_first_of(std::string_view("=\0", 2)) == std::string::npos &&
                          value.as_string().find('\0') == std::string_view::npos;
      if (usable && value.is_string()) {
        out_.environment[name] = value.as_string();
      } else if (usable && (value.is_number() || value.is_bool())) {
        out_.environment[name] = value.dump();
      } else {
        problem("env." + name + " cannot be a variable");
      }
    }
  }

  Settings& out_;
  const Source& source_;
};

Result<Json> read_flag(const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") != std::string::npos &&
      text[text.find_first_not_of(" \t\r\n")] == '{') {
    auto json = Json::parse(text);
    if (!json.ok())
      return Error(ErrorCode::invalid, "Invalid JSON provided to --settings", "--settings");
    return json;
  }
  std::error_code error;
  if (!fs::exists(text, error)) {
    return Error(ErrorCode::not_found, "Settings file not found: " + text, "--settings");
  }
  auto json = read_settings_file(text);
  if (!json.ok()) return Error(ErrorCode::invalid, json.error().what(), "--settings");
  return json;
}

}  // namespace

void merge_settings(Json& into, const Json& from) {
  if (into.is_object() && from.is_object()) {
    for (const auto& [key, value] : from.members()) {
      if (auto* found = into.find(key)) {
        merge_settings(*found, value);
      } else {
        into.set(key, value);
      }
    }
  } else if (into.is_array() && from.is_array()) {
    for (const auto& item : from.items()) {
      const auto& have = std::as_const(into).items();
      if (std::find(have.begin(), have.end(), item) == have.end()) into.push(item);
    }
  } else {
    into = from;
  }
}

Result<Settings> Settings::load(const Sources& sources) {
  Settings out;
  out.merged = Json::object();
  std::vector<Source> all;
  const auto add = [&](PermissionDestination from, const fs::path& file, bool trusted) {
    auto content = read_settings_file(file);
    if (content.ok()) {
      all.push_back({from, file.string(), std::move(*content), trusted});
    } else {
      out.problems.emplace_back(content.error().what());
    }
  };
  const auto project = sources.start_folder / ".claude";
  if (sources.user)
    add(PermissionDestination::userSettings, sources.config_folder / "settings.json", true);
  if (sources.project) {
    add(PermissionDestination::projectSettings, project / "settings.json", sources.project_trusted);
  }
  if (sources.local)
    add(PermissionDestination::localSettings, project / "settings.local.json", true);
  if (sources.flag) {
    auto content = read_flag(*sources.flag);
    if (!content.ok()) return content.error();
    all.push_back(
        {Enum<PermissionDestination>("flagSettings"), "--settings", std::move(*content), true});
  }
  for (const auto& source : all) {
    Reader(out, source).read();
    merge_settings(out.merged, source.content);
    out.layers.push_back({source.from, source.content});
  }
  return out;
}

bool Settings::is_trusted(const fs::path& global_config, const fs::path& folder) {
  const auto config = read_settings_file(global_config);
  if (!config.ok()) return false;
  for (auto path = folder.lexically_normal();; path = path.parent_path()) {
    const auto& project = (*config)["projects"][path.string()];
    if (project["hasTrustDialogAccepted"].as_bool()) return true;
    if (path == path.parent_path()) return false;
  }
}

}  // namespace parley::agent
