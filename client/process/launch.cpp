// From options to what the CLI understands: flags, variables, and the `initialize` request.
#include "client/process/launch.hpp"

#include <algorithm>

#include "client/version.hpp"
#include "support/text/text.hpp"
#include "wire/codec/codec.hpp"
#include "wire/ids.hpp"
#include "wire/tables/catalog.hpp"

namespace parley {
namespace {

/// Texts beyond this go through `initialize`: one argument of a program ends at 128 KiB on Linux.
constexpr std::size_t kLongestArgument = 64 * 1024;
constexpr std::size_t kArgumentLimit = 128 * 1024;

/// Not passed on from this process: they change how a CLI runs.
constexpr std::string_view kNotInherited[] = {"CLAUDECODE", "NODE_OPTIONS", "DEBUG"};

Error invalid(std::string message, std::string option) {
  return {ErrorCode::kInvalid, std::move(message), std::move(option)};
}

class Planner {
 public:
  explicit Planner(const Options& options) : o_(options) {}

  Result<LaunchPlan> plan(const std::vector<std::pair<std::string, std::string>>& inherited) {
    for (const auto& step :
         {&Planner::check, &Planner::model, &Planner::permissions, &Planner::prompts,
          &Planner::servers, &Planner::settings, &Planner::session, &Planner::delivery,
          &Planner::hooks, &Planner::extras}) {
      if (auto done = (this->*step)(); !done) return done.error();
    }
    environment(inherited);
    warnings();
    for (const std::string& argument : plan_.arguments) {
      if (argument.size() >= kArgumentLimit) {
        return invalid("this option is too long for a command line (" +
                           std::to_string(argument.size()) + " bytes)",
                       argument.substr(0, argument.find('=')).substr(0, 80));
      }
      if (argument.find('\0') != std::string::npos) {
        return invalid("holds a NUL byte", argument.substr(0, argument.find('=')));
      }
    }
    return std::move(plan_);
  }

 private:
  void flag(std::string_view name) { plan_.arguments.push_back("--" + std::string(name)); }
  void flag(std::string_view name, std::string_view value) {
    plan_.arguments.push_back("--" + std::string(name) + "=" + std::string(value));
  }
  /// For flags that older CLIs take as two words only; '=' where the value would read as a flag.
  void two_words(std::string_view name, const std::string& value) {
    if (value.starts_with('-')) return flag(name, value);
    flag(name);
    plan_.arguments.push_back(value);
  }

  Result<void> check() {
    if (!o_.session_id.empty() && !is_session_id(o_.session_id)) {
      return invalid("must be a UUID, as make_uuid() gives one", "session_id");
    }
    if (!o_.resume.empty() && o_.continue_conversation) {
      return invalid("resume one session, or continue the newest, not both", "resume");
    }
    const bool goes_on = !o_.resume.empty() || o_.continue_conversation;
    if (o_.fork_session && !goes_on) {
      return invalid("needs a session to fork: set resume or continue_conversation",
                     "fork_session");
    }
    if (!o_.session_id.empty() && goes_on && !o_.fork_session) {
      return invalid("a resumed session keeps its id, unless it is forked", "session_id");
    }
    if (!o_.resume_at.empty() && o_.resume.empty()) {
      return invalid("needs resume: which session is it in?", "resume_at");
    }
    if (o_.on_message && o_.on_ready) {
      return invalid("messages go to on_message, or are taken when they are ready, not both",
                     "on_ready");
    }
    const bool asks =
        o_.on_permission || o_.on_question || o_.on_plan || o_.on_elicitation || o_.on_dialog;
    if (o_.line_stream && (o_.on_message || asks)) {
      return invalid("messages and requests are taken line by line, or go to handlers, not both",
                     "line_stream");
    }
    if (o_.on_permission && !o_.permission_prompt_tool.empty()) {
      return invalid("either a handler decides or a tool, not both", "permission_prompt_tool");
    }
    if (!o_.model.empty() && o_.model == o_.fallback_model) {
      return invalid("is the same as model, so it would not help", "fallback_model");
    }
    if (o_.limits.handlers == 0) {
      return invalid("must be at least 1, or no handler could ever run", "limits.handlers");
    }
    if (o_.limits.line_bytes == 0) {
      return invalid("must be at least 1, or no message could ever come", "limits.line_bytes");
    }
    if (o_.on_dialog && o_.dialog_kinds.empty()) {
      return invalid("is never asked without dialog_kinds", "on_dialog");
    }
    if (!o_.persist && (o_.file_checkpoints || o_.session_mirror || o_.session_store)) {
      return invalid("file_checkpoints, session_mirror and session_store need what is not kept",
                     "persist");
    }
    if (o_.session_store && o_.continue_conversation) {
      return invalid("does not know which session is the newest: name it in resume",
                     "session_store");
    }
    for (std::size_t i = 0; i < o_.servers.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (o_.servers[i].name() == o_.servers[k].name()) {
          return invalid("two servers are called \"" + o_.servers[i].name() + "\"", "servers");
        }
      }
      if (o_.mcp_servers.find(o_.servers[i].name()) != nullptr) {
        return invalid("\"" + o_.servers[i].name() + "\" is also in mcp_servers", "servers");
      }
    }
    plan_.arguments = {"--output-format", "stream-json", "--verbose", "--input-format",
                       "stream-json"};
    return {};
  }

  Result<void> model() {
    if (!o_.model.empty()) flag("model", o_.model);
    if (!o_.fallback_model.empty()) flag("fallback-model", o_.fallback_model);
    switch (o_.thinking.mode) {
      case Thinking::Mode::kDefault: break;
      case Thinking::Mode::kAdaptive: flag("thinking", "adaptive"); break;
      case Thinking::Mode::kDisabled: flag("thinking", "disabled"); break;
      case Thinking::Mode::kEnabled:
        if (o_.thinking.budget_tokens) {
          flag("max-thinking-tokens", std::to_string(*o_.thinking.budget_tokens));
        } else {
          flag("thinking", "adaptive");
        }
        break;
    }
    if (o_.thinking.display) {
      flag("thinking-display", Enum<control::ThinkingDisplay>(*o_.thinking.display).text());
    }
    if (o_.effort) flag("effort", Enum<Effort>(*o_.effort).text());
    if (!o_.betas.empty()) flag("betas", join(o_.betas, ","));
    if (o_.max_turns) flag("max-turns", std::to_string(*o_.max_turns));
    if (o_.max_budget_usd) flag("max-budget-usd", encode(*o_.max_budget_usd));
    if (o_.task_budget) flag("task-budget", std::to_string(*o_.task_budget));
    if (o_.output_schema) {
      if (auto json = o_.output_schema->json(); !json || !json->is_object()) {
        return invalid("is no JSON object", "output_schema");
      }
      if (o_.output_schema->text.size() < kLongestArgument) {
        flag("json-schema", o_.output_schema->text);
      }
      plan_.initialize.jsonSchema = *o_.output_schema;
    }
    return {};
  }

  Result<void> permissions() {
    if (o_.tools) flag("tools", join(*o_.tools, ","));
    std::vector<std::string> allowed = o_.allowed_tools;
    if (o_.skills) {
      const bool all = *o_.skills == std::vector<std::string>{"all"};
      if (all) allowed.emplace_back("Skill");
      if (!all) {
        for (const std::string& skill : *o_.skills) {
          if (skill.empty() || skill.find_first_of("(),*\\") != std::string::npos ||
              skill.front() == '/') {
            return invalid("\"" + skill + "\" is no name of a skill", "skills");
          }
          allowed.push_back("Skill(" + skill + ")");
        }
        plan_.initialize.skills = *o_.skills;
      }
    }
    if (!allowed.empty()) flag("allowedTools", join(allowed, ","));
    if (!o_.disallowed_tools.empty()) flag("disallowedTools", join(o_.disallowed_tools, ","));
    if (!o_.tool_aliases.empty()) plan_.initialize.toolAliases = o_.tool_aliases;
    if (!o_.permission_prompt_tool.empty()) {
      flag("permission-prompt-tool", o_.permission_prompt_tool);
    } else if (o_.on_permission || o_.on_question || o_.on_plan || o_.line_stream) {
      flag("permission-prompt-tool", "stdio");
    }
    if (o_.permission_prompts) {
      flag("permission-prompts", Enum<PermissionPrompts>(*o_.permission_prompts).text());
    }
    if (o_.permission_mode) {
      flag("permission-mode", Enum<PermissionMode>(*o_.permission_mode).text());
    }
    if (o_.allow_dangerously_skip_permissions) flag("allow-dangerously-skip-permissions");
    for (const auto& folder : o_.additional_directories) two_words("add-dir", folder.string());
    if (!o_.plan_mode_instructions.empty()) {
      plan_.initialize.planModeInstructions = o_.plan_mode_instructions;
    }
    if (!o_.dialog_kinds.empty()) plan_.initialize.supportedDialogKinds = o_.dialog_kinds;
    return {};
  }

  Result<void> prompts() {
    const SystemPrompt& prompt = o_.system_prompt;
    if (prompt.text && !prompt.file.empty()) {
      return invalid("give the text or the file, not both", "system_prompt");
    }
    if (prompt.text) {
      if (prompt.text->size() < kLongestArgument) {
        two_words("system-prompt", *prompt.text);
      } else {
        plan_.initialize.systemPrompt = control::SystemPrompt(std::vector{*prompt.text});
      }
    }
    if (!prompt.file.empty()) two_words("system-prompt-file", prompt.file.string());
    if (!prompt.append.empty()) {
      if (prompt.append.size() < kLongestArgument) {
        two_words("append-system-prompt", prompt.append);
      } else {
        plan_.initialize.appendSystemPrompt = prompt.append;
      }
    }
    if (prompt.exclude_dynamic_sections) plan_.initialize.excludeDynamicSections = true;
    plan_.initialize.systemPromptSnapshot = prompt.snapshot;
    return {};
  }

  Result<void> servers() {
    if (!o_.mcp_servers.empty()) {
      two_words("mcp-config", R"({"mcpServers":)" + encode(o_.mcp_servers) + "}");
    }
    if (o_.strict_mcp_config) flag("strict-mcp-config");
    if (!o_.servers.empty()) {
      std::vector<std::string> names;
      for (const McpServer& server : o_.servers) names.push_back(server.name());
      plan_.initialize.sdkMcpServers = std::move(names);
    }
    if (!o_.agents.empty()) plan_.initialize.agents = o_.agents;
    if (!o_.agent.empty()) flag("agent", o_.agent);
    for (const PluginConfig& plugin : o_.plugins) {
      flag(plugin.skipMcpDiscovery.value_or(false) ? "plugin-dir-no-mcp" : "plugin-dir",
           plugin.path);
    }
    return {};
  }

  Result<void> settings() {
    std::string text = o_.settings;
    if (o_.sandbox) {
      if (!text.empty() && !text.starts_with('{')) {
        return invalid("cannot be merged into a settings file; give the settings as JSON",
                       "sandbox");
      }
      auto merged = Json::parse(text.empty() ? "{}" : text);
      if (!merged) return invalid(merged.error().what(), "settings");
      const auto sandbox = o_.sandbox->json();
      if (!sandbox) return invalid(sandbox.error().what(), "sandbox");
      merged->set("sandbox", *sandbox);
      text = merged->dump();
    } else if (text.starts_with('{')) {
      if (auto json = Json::parse(text); !json) return invalid(json.error().what(), "settings");
    }
    if (!text.empty()) two_words("settings", text);
    if (!o_.managed_settings.empty()) two_words("managed-settings", o_.managed_settings);
    if (o_.setting_sources) {
      std::vector<std::string> names;
      for (const SettingScope scope : *o_.setting_sources) {
        names.emplace_back(Enum<SettingScope>(scope).text());
      }
      flag("setting-sources", join(names, ","));
    }
    if (!o_.project_config_root.empty()) {
      flag("project-config-root", o_.project_config_root.string());
    }
    return {};
  }

  Result<void> session() {
    if (o_.continue_conversation) flag("continue");
    if (!o_.resume.empty()) flag("resume", o_.resume);
    if (o_.fork_session) flag("fork-session");
    if (!o_.session_id.empty()) flag("session-id", o_.session_id);
    if (!o_.resume_at.empty()) flag("resume-session-at", o_.resume_at);
    if (o_.resume_drops_turn) flag("resume-drops-turn", *o_.resume_drops_turn);
    if (!o_.persist) flag("no-session-persistence");
    if (!o_.title.empty()) plan_.initialize.title = o_.title;
    if (o_.session_mirror || o_.session_store) flag("session-mirror");
    return {};
  }

  Result<void> delivery() {
    if (o_.partial_messages) flag("include-partial-messages");
    if (o_.hook_events) flag("include-hook-events");
    if (o_.replay_user_messages) flag("replay-user-messages");
    if (o_.forward_subagent_text) plan_.initialize.forwardSubagentText = true;
    if (o_.prompt_suggestions) plan_.initialize.promptSuggestions = true;
    if (o_.agent_progress_summaries) plan_.initialize.agentProgressSummaries = true;
    if (o_.per_task_stop) plan_.initialize.perTaskStopAffordance = true;
    if (o_.debug) flag("debug");
    if (!o_.debug_file.empty()) flag("debug-file", o_.debug_file.string());
    return {};
  }

  Result<void> hooks() {
    if (o_.hooks.empty()) return {};
    Map<std::vector<HookMatcher>> map;
    std::size_t number = 0;
    for (const Hooks::Entry& entry : o_.hooks.entries()) {
      HookMatcher matcher;
      if (!entry.filter.matcher.empty()) matcher.matcher = entry.filter.matcher;
      matcher.hookCallbackIds = {"hook_" + std::to_string(number++)};
      if (entry.filter.timeout) {
        matcher.timeout = std::chrono::duration<double>(*entry.filter.timeout).count();
      }
      if (entry.filter.on_failure) matcher.onFailure = *entry.filter.on_failure;
      map[entry.event].push_back(std::move(matcher));
    }
    plan_.initialize.hooks = std::move(map);
    return {};
  }

  Result<void> extras() {
    for (const auto& [name, value] : o_.extra_flags) {
      if (name.empty() || name.starts_with('-')) {
        return invalid("write the flag without its dashes: \"" + name + "\"", "extra_flags");
      }
      if (value) {
        two_words(name, *value);
      } else {
        flag(name);
      }
    }
    return {};
  }

  void environment(const std::vector<std::pair<std::string, std::string>>& inherited) {
    auto& all = plan_.environment;
    const auto set = [&all](const std::string& name, const std::string& value, bool replace) {
      const auto found =
          std::find_if(all.begin(), all.end(), [&](const auto& v) { return v.first == name; });
      if (found == all.end()) {
        all.emplace_back(name, value);
      } else if (replace) {
        found->second = value;
      }
    };
    if (!o_.replace_environment) {
      for (const auto& variable : inherited) {
        if (std::find(std::begin(kNotInherited), std::end(kNotInherited), variable.first) ==
            std::end(kNotInherited)) {
          all.push_back(variable);
        }
      }
    }
    for (const auto& [name, value] : o_.environment) set(name, value, true);
    set("CLAUDE_CODE_ENTRYPOINT", "sdk-cpp", false);
    set("CLAUDE_AGENT_SDK_VERSION", std::string(kVersion), false);
    if (!o_.client_app.empty()) set("CLAUDE_AGENT_SDK_CLIENT_APP", o_.client_app, true);
    if (o_.file_checkpoints) set("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING", "true", true);
    if (o_.question_preview) {
      set("CLAUDE_CODE_QUESTION_PREVIEW_FORMAT",
          std::string(Enum<QuestionPreview>(*o_.question_preview).text()), true);
    }
  }

  void warnings() {
    if (!o_.on_permission) return;
    if (o_.permission_mode == PermissionMode::bypassPermissions ||
        o_.permission_mode == PermissionMode::dontAsk) {
      plan_.warnings.emplace_back(
          "on_permission is hardly ever asked in this permission_mode; a PreToolUse hook sees "
          "every call");
    }
    for (const std::string& tool : o_.allowed_tools) {
      if (tool.find('(') == std::string::npos) {
        plan_.warnings.push_back("on_permission is not asked about " + tool +
                                 ", which allowed_tools lists as a whole");
      }
    }
  }

  const Options& o_;
  LaunchPlan plan_;
};

}  // namespace

Result<LaunchPlan> plan_launch(const Options& options,
                               const std::vector<std::pair<std::string, std::string>>& inherited) {
  return Planner(options).plan(inherited);
}

}  // namespace parley
