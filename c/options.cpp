#include "c/options.hpp"

#include "c/values.hpp"
#include "wire/codec/codec.hpp"
#include "wire/control/requests.hpp"
#include "wire/tables/catalog.hpp"

namespace parley::c {
namespace {

/// Managed settings: an object, or a text as the CLI takes it.
Result<void> read_managed(JsonValue value, std::string& out) {
  if (!value.json.is_object()) return read(value, out);
  out = value.json.dump();
  return {};
}

/// What the CLI defines is read as it reads it: members that are not known here are passed on.
template <class T>
Result<void> read_described(JsonValue value, T& out) {
  const auto done = decode_into(out, value.json.dump());
  if (done) return {};
  return Error(ErrorCode::invalid, done.error().message(), done.error().context());
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
      member<&Limits::max_turns>("max_turns"),
      member<&Limits::max_budget_usd>("max_budget_usd"),
      member<&Limits::task_budget>("task_budget"),
  };
  return read_members(value, kMembers, "limit", out);
}

static Result<void> read(JsonValue value, Buffers& out) {
  static constexpr std::array kMembers = {
      member<&Buffers::line_bytes>("line_bytes"),
      member<&Buffers::queue_bytes>("queue_bytes"),
      member<&Buffers::queue_messages>("queue_messages"),
      member<&Buffers::unsent_bytes>("unsent_bytes"),
  };
  return read_members(value, kMembers, "buffer", out);
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
    out = Thinking::Mode::default_;
  } else if (text == "adaptive") {
    out = Thinking::Mode::adaptive;
  } else if (text == "enabled") {
    out = Thinking::Mode::enabled;
  } else if (text == "disabled") {
    out = Thinking::Mode::disabled;
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
      return Error(ErrorCode::invalid, "is no name of a variable", name);
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

// The groups. Left out: handlers, hooks, servers in this program, stores, loops and observers,
// which are code, and what has a meaning only beside them (delivery.strip_ansi, limits.handlers,
// deadlines.store).

static Result<void> read(JsonValue value, ProcessOptions& out) {
  static constexpr std::array kMembers = {
      member<&ProcessOptions::environment>("environment"),
      member<&ProcessOptions::replace_environment>("replace_environment"),
      member<&ProcessOptions::user>("user"),
      member<&ProcessOptions::extra_flags>("extra_flags"),
      member<&ProcessOptions::require_version>("require_version"),
      member<&ProcessOptions::client_app>("client_app"),
      member<&ProcessOptions::debug>("debug"),
      member<&ProcessOptions::debug_file>("debug_file"),
  };
  return read_members(value, kMembers, "option", out);
}

static Result<void> read(JsonValue value, PermissionOptions& out) {
  static constexpr std::array kMembers = {
      member<&PermissionOptions::mode>("mode"),
      member<&PermissionOptions::allow_bypass>("allow_bypass"),
      member<&PermissionOptions::prompt_tool>("prompt_tool"),
      member<&PermissionOptions::prompts>("prompts"),
      member<&PermissionOptions::additional_directories>("additional_directories"),
      member<&PermissionOptions::plan_instructions>("plan_instructions"),
      member<&PermissionOptions::question_preview>("question_preview"),
  };
  return read_members(value, kMembers, "option", out);
}

static Result<void> read(JsonValue value, ToolOptions& out) {
  static constexpr std::array kMembers = {
      member<&ToolOptions::built_in>("built_in"),
      member<&ToolOptions::allowed>("allowed"),
      member<&ToolOptions::disallowed>("disallowed"),
      member<&ToolOptions::aliases>("aliases"),
      member<&ToolOptions::mcp_servers>("mcp_servers"),
      member<&ToolOptions::strict_mcp_config>("strict_mcp_config"),
  };
  return read_members(value, kMembers, "option", out);
}

static Result<void> read(JsonValue value, AgentOptions& out) {
  static constexpr std::array kMembers = {
      member<&AgentOptions::types>("types"),
      member<&AgentOptions::main>("main"),
  };
  return read_members(value, kMembers, "option", out);
}

static Result<void> read(JsonValue value, SettingsOptions& out) {
  static constexpr std::array kMembers = {
      member<&SettingsOptions::file>("file"),
      member<&SettingsOptions::json>("json"),
      member<&SettingsOptions::sandbox>("sandbox"),
      member<&SettingsOptions::sources>("sources"),
      member<&SettingsOptions::project_config_root>("project_config_root"),
      member<&SettingsOptions::plugins>("plugins"),
      member<&SettingsOptions::skills>("skills"),
      Member<SettingsOptions>{
          "managed",
          [](JsonValue given, SettingsOptions& o) { return read_managed(given, o.managed); }},
  };
  return read_members(value, kMembers, "option", out);
}

static Result<void> read(JsonValue value, ResumeOptions& out) {
  static constexpr std::array kMembers = {
      member<&ResumeOptions::id>("id"),
      member<&ResumeOptions::latest>("latest"),
      member<&ResumeOptions::fork>("fork"),
      member<&ResumeOptions::at>("at"),
      member<&ResumeOptions::drops_turn>("drops_turn"),
  };
  return read_members(value, kMembers, "option", out);
}

static Result<void> read(JsonValue value, TranscriptOptions& out) {
  static constexpr std::array kMembers = {
      member<&TranscriptOptions::session_id>("session_id"),
      member<&TranscriptOptions::title>("title"),
      member<&TranscriptOptions::persist>("persist"),
      member<&TranscriptOptions::file_checkpoints>("file_checkpoints"),
      member<&TranscriptOptions::mirror>("mirror"),
  };
  return read_members(value, kMembers, "option", out);
}

static Result<void> read(JsonValue value, DeliveryOptions& out) {
  static constexpr std::array kMembers = {
      member<&DeliveryOptions::partial_messages>("partial_messages"),
      member<&DeliveryOptions::hook_events>("hook_events"),
      member<&DeliveryOptions::replay_user_messages>("replay_user_messages"),
      member<&DeliveryOptions::forward_subagent_text>("forward_subagent_text"),
      member<&DeliveryOptions::prompt_suggestions>("prompt_suggestions"),
      member<&DeliveryOptions::agent_progress_summaries>("agent_progress_summaries"),
      member<&DeliveryOptions::per_task_stop>("per_task_stop"),
      member<&DeliveryOptions::verbatim_prompts>("verbatim_prompts"),
  };
  return read_members(value, kMembers, "option", out);
}

static Result<void> read(JsonValue value, Options& out) {
  static constexpr std::array kMembers = {
      member<&Options::cli>("cli"),
      member<&Options::cwd>("cwd"),
      member<&Options::model>("model"),
      member<&Options::fallback_model>("fallback_model"),
      member<&Options::effort>("effort"),
      member<&Options::thinking>("thinking"),
      member<&Options::system_prompt>("system_prompt"),
      member<&Options::output_schema>("output_schema"),
      member<&Options::betas>("betas"),
      member<&Options::dialog_kinds>("dialog_kinds"),
      member<&Options::process>("process"),
      member<&Options::permissions>("permissions"),
      member<&Options::tools>("tools"),
      member<&Options::agents>("agents"),
      member<&Options::settings>("settings"),
      member<&Options::resume>("resume"),
      member<&Options::transcript>("transcript"),
      member<&Options::delivery>("delivery"),
      member<&Options::limits>("limits"),
      member<&Options::buffers>("buffers"),
      member<&Options::deadlines>("deadlines"),
  };
  return read_members(value, kMembers, "option", out);
}

Result<Options> read_options(std::string_view json) {
  const auto parsed = Json::parse(json);
  if (!parsed) return inside("options", parsed.error());
  if (!parsed->is_object()) return inside("options", expected("an object"));
  Options options;
  if (const auto done = read(JsonValue{*parsed}, options); !done) return done.error();
  options.delivery.line_stream = true;
  return options;
}

}  // namespace parley::c
