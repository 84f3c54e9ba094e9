#include "c/options.hpp"

#include "c/values.hpp"
#include "wire/codec/codec.hpp"
#include "wire/control/requests.hpp"
#include "wire/tables/catalog.hpp"

namespace parley::c {
namespace {

/// Settings: the name of a file, or the settings themselves, as an object or as its text.
Result<void> read_settings(JsonValue value, std::string& out) {
  if (!value.json.is_object()) return read(value, out);
  out = value.json.dump();
  return {};
}

/// What the CLI defines is read as it reads it: members that are not known here are passed on.
template <class T>
Result<void> read_described(JsonValue value, T& out) {
  const auto done = decode_into(out, value.json.dump());
  if (done) return {};
  return Error(ErrorCode::kInvalid, done.error().message(), done.error().context());
}

}  // namespace

// Not in the namespace above, because the templates of values.hpp could not see them there.

static Result<void> read(JsonValue value, Deadlines& out) {
  static constexpr std::array kMembers = {
      member<&Deadlines::initialize>("initialize"),
      member<&Deadlines::request>("request"),
      member<&Deadlines::interrupt>("interrupt"),
      member<&Deadlines::close>("close"),
      member<&Deadlines::kill>("kill"),
  };
  return read_members(value, kMembers, "deadline", out);
}

static Result<void> read(JsonValue value, Limits& out) {
  static constexpr std::array kMembers = {
      member<&Limits::line_bytes>("line_bytes"),
      member<&Limits::queue_bytes>("queue_bytes"),
      member<&Limits::queue_messages>("queue_messages"),
      member<&Limits::unsent_bytes>("unsent_bytes"),
  };
  return read_members(value, kMembers, "limit", out);
}

static Result<void> read(JsonValue value, CliSearch& out) {
  if (value.json.is_string()) return read(value, out.program);
  static constexpr std::array kMembers = {
      member<&CliSearch::program>("program"),
      member<&CliSearch::names>("names"),
      member<&CliSearch::leading_arguments>("leading_arguments"),
      member<&CliSearch::allow_npx>("allow_npx"),
      member<&CliSearch::npx_package>("npx_package"),
      member<&CliSearch::fallbacks>("fallbacks"),
      member<&CliSearch::prefer_router>("prefer_router"),
  };
  return read_members(value, kMembers, "option", out);
}

static Result<void> read(JsonValue value, CliVersion& out) {
  std::string text;
  if (auto done = read(value, text); !done) return done;
  const auto version = CliVersion::parse(text);
  if (!version) return expected("a version such as \"2.1.38\"");
  out = *version;
  return {};
}

static Result<void> read(JsonValue value, SystemPrompt& out) {
  if (value.json.is_string()) return read(value, out.text);
  static constexpr std::array kMembers = {
      member<&SystemPrompt::text>("text"),
      member<&SystemPrompt::file>("file"),
      member<&SystemPrompt::append>("append"),
      member<&SystemPrompt::exclude_dynamic_sections>("exclude_dynamic_sections"),
      member<&SystemPrompt::snapshot>("snapshot"),
  };
  return read_members(value, kMembers, "option", out);
}

static Result<void> read(JsonValue value, Thinking::Mode& out) {
  const std::string_view text = value.json.as_string();
  if (text == "default") {
    out = Thinking::Mode::kDefault;
  } else if (text == "adaptive") {
    out = Thinking::Mode::kAdaptive;
  } else if (text == "enabled") {
    out = Thinking::Mode::kEnabled;
  } else if (text == "disabled") {
    out = Thinking::Mode::kDisabled;
  } else {
    return expected("one of default, adaptive, enabled, disabled");
  }
  return {};
}

static Result<void> read(JsonValue value, Thinking& out) {
  static constexpr std::array kMembers = {
      member<&Thinking::mode>("mode"),
      member<&Thinking::budget_tokens>("budget_tokens"),
      member<&Thinking::display>("display"),
  };
  return read_members(value, kMembers, "option", out);
}

static Result<void> read(JsonValue value, McpServerConfig& out) {
  return read_described(value, out);
}
static Result<void> read(JsonValue value, AgentDefinition& out) {
  return read_described(value, out);
}
static Result<void> read(JsonValue value, PluginConfig& out) { return read_described(value, out); }

/// {"NAME": "value"}
static Result<void> read(JsonValue value, std::vector<std::pair<std::string, std::string>>& out) {
  Map<std::string> variables;
  if (auto done = read(value, variables); !done) return done;
  for (auto& [name, text] : variables.entries) {
    if (name.empty() || name.find_first_of(std::string_view("=\0", 2)) != std::string::npos) {
      return Error(ErrorCode::kInvalid, "is no name of a variable", name);
    }
  }
  out = std::move(variables.entries);
  return {};
}

/// {"flag": "value"}, or {"flag": null} for a bare one.
static Result<void> read(JsonValue value,
                         std::vector<std::pair<std::string, std::optional<std::string>>>& out) {
  if (!value.json.is_object()) return expected("an object");
  for (const auto& [flag, given] : value.json.members()) {
    std::optional<std::string> text;
    if (!given.is_null()) {
      if (auto done = read(JsonValue{given}, text); !done) return inside(flag, done.error());
    }
    out.emplace_back(flag, std::move(text));
  }
  return {};
}

// Left out: handlers, hooks, servers in this program, stores, loops and observers, which are code,
// and what has a meaning only beside them (strip_ansi, limits.handlers, deadlines.store).
static Result<void> read(JsonValue value, Options& out) {
  static constexpr std::array kMembers = {
      // the program
      member<&Options::cli>("cli"),
      member<&Options::cwd>("cwd"),
      member<&Options::environment>("environment"),
      member<&Options::replace_environment>("replace_environment"),
      member<&Options::user>("user"),
      member<&Options::extra_flags>("extra_flags"),
      member<&Options::require_version>("require_version"),
      member<&Options::client_app>("client_app"),
      member<&Options::debug>("debug"),
      member<&Options::debug_file>("debug_file"),
      member<&Options::deadlines>("deadlines"),
      member<&Options::limits>("limits"),
      // model
      member<&Options::model>("model"),
      member<&Options::fallback_model>("fallback_model"),
      member<&Options::thinking>("thinking"),
      member<&Options::effort>("effort"),
      member<&Options::betas>("betas"),
      member<&Options::system_prompt>("system_prompt"),
      member<&Options::output_schema>("output_schema"),
      member<&Options::max_turns>("max_turns"),
      member<&Options::max_budget_usd>("max_budget_usd"),
      member<&Options::task_budget>("task_budget"),
      // tools and permissions
      member<&Options::tools>("tools"),
      member<&Options::allowed_tools>("allowed_tools"),
      member<&Options::disallowed_tools>("disallowed_tools"),
      member<&Options::tool_aliases>("tool_aliases"),
      member<&Options::permission_mode>("permission_mode"),
      member<&Options::allow_dangerously_skip_permissions>("allow_dangerously_skip_permissions"),
      member<&Options::permission_prompt_tool>("permission_prompt_tool"),
      member<&Options::permission_prompts>("permission_prompts"),
      member<&Options::additional_directories>("additional_directories"),
      member<&Options::plan_mode_instructions>("plan_mode_instructions"),
      member<&Options::dialog_kinds>("dialog_kinds"),
      member<&Options::question_preview>("question_preview"),
      // MCP, agents, plugins, settings
      member<&Options::mcp_servers>("mcp_servers"),
      member<&Options::strict_mcp_config>("strict_mcp_config"),
      member<&Options::agents>("agents"),
      member<&Options::agent>("agent"),
      member<&Options::plugins>("plugins"),
      member<&Options::skills>("skills"),
      Member<Options>{"settings",
                      [](JsonValue given, Options& o) { return read_settings(given, o.settings); }},
      member<&Options::sandbox>("sandbox"),
      Member<Options>{
          "managed_settings",
          [](JsonValue given, Options& o) { return read_settings(given, o.managed_settings); }},
      member<&Options::setting_sources>("setting_sources"),
      member<&Options::project_config_root>("project_config_root"),
      // the session
      member<&Options::continue_conversation>("continue_conversation"),
      member<&Options::resume>("resume"),
      member<&Options::fork_session>("fork_session"),
      member<&Options::session_id>("session_id"),
      member<&Options::resume_at>("resume_at"),
      member<&Options::resume_drops_turn>("resume_drops_turn"),
      member<&Options::persist>("persist"),
      member<&Options::title>("title"),
      member<&Options::file_checkpoints>("file_checkpoints"),
      member<&Options::session_mirror>("session_mirror"),
      // what is delivered
      member<&Options::partial_messages>("partial_messages"),
      member<&Options::hook_events>("hook_events"),
      member<&Options::replay_user_messages>("replay_user_messages"),
      member<&Options::forward_subagent_text>("forward_subagent_text"),
      member<&Options::prompt_suggestions>("prompt_suggestions"),
      member<&Options::agent_progress_summaries>("agent_progress_summaries"),
      member<&Options::per_task_stop>("per_task_stop"),
      member<&Options::verbatim_prompts>("verbatim_prompts"),
  };
  return read_members(value, kMembers, "option", out);
}

Result<Options> read_options(std::string_view json) {
  const auto parsed = Json::parse(json);
  if (!parsed) return inside("options", parsed.error());
  if (!parsed->is_object()) return inside("options", expected("an object"));
  Options options;
  if (const auto done = read(JsonValue{*parsed}, options); !done) return done.error();
  options.line_stream = true;
  return options;
}

}  // namespace parley::c
