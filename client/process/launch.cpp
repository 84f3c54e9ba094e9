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
  return {ErrorCode::invalid, std::move(message), std::move(option)};
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
    if (!o_.transcript.session_id.empty() && !is_session_id(o_.transcript.session_id)) {
      return invalid("must be a UUID, as make_uuid() gives one", "transcript.session_id");
    }
    if (!o_.resume.id.empty() && o_.resume.latest) {
      return invalid("resume one session, or continue the newest, not both", "resume.id");
    }
    const bool goes_on = !o_.resume.id.empty() || o_.resume.latest;
    if (o_.resume.fork && !goes_on) {
      return invalid("needs a session to fork: set resume.id or resume.latest", "resume.fork");
    }
    if (!o_.transcript.session_id.empty() && goes_on && !o_.resume.fork) {
      return invalid("a resumed session keeps its id, unless it is forked",
                     "transcript.session_id");
    }
    if (!o_.resume.at.empty() && o_.resume.id.empty()) {
      return invalid("needs resume.id: which session is it in?", "resume.at");
    }
    if (o_.delivery.on_message && o_.delivery.on_ready) {
      return invalid("messages go to on_message, or are taken when they are ready, not both",
                     "delivery.on_ready");
    }
    const bool asks =
        o_.on_permission || o_.on_question || o_.on_plan || o_.on_elicitation || o_.on_dialog;
    if (o_.delivery.line_stream && (o_.delivery.on_message || asks)) {
      return invalid("messages and requests are taken line by line, or go to handlers, not both",
                     "delivery.line_stream");
    }
    if (o_.on_permission && !o_.permissions.prompt_tool.empty()) {
      return invalid("either a handler decides or a tool, not both", "permissions.prompt_tool");
    }
    if (!o_.model.empty() && o_.model == o_.fallback_model) {
      return invalid("is the same as model, so it would not help", "fallback_model");
    }
    if (o_.limits.handlers == 0) {
      return invalid("must be at least 1, or no handler could ever run", "limits.handlers");
    }
    if (o_.buffers.line_bytes == 0) {
      return invalid("must be at least 1, or no message could ever come", "buffers.line_bytes");
    }
    if (o_.on_dialog && o_.dialog_kinds.empty()) {
      return invalid("is never asked without dialog_kinds", "on_dialog");
    }
    if (!o_.transcript.persist &&
        (o_.transcript.file_checkpoints || o_.transcript.mirror || o_.transcript.store)) {
      return invalid("file_checkpoints, mirror and store need what is not kept",
                     "transcript.persist");
    }
    if (o_.transcript.store && o_.resume.latest) {
      return invalid("does not know which session is the newest: name it in resume.id",
                     "transcript.store");
    }
    for (std::size_t i = 0; i < o_.tools.in_process.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (o_.tools.in_process[i].name() == o_.tools.in_process[k].name()) {
          return invalid("two servers are called \"" + o_.tools.in_process[i].name() + "\"",
                         "tools.in_process");
        }
      }
      if (o_.tools.mcp_servers.find(o_.tools.in_process[i].name()) != nullptr) {
        return invalid("\"" + o_.tools.in_process[i].name() + "\" is also in tools.mcp_servers",
                       "tools.in_process");
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
      case Thinking::Mode::default_: break;
      case Thinking::Mode::adaptive: flag("thinking", "adaptive"); break;
      case Thinking::Mode::disabled: flag("thinking", "disabled"); break;
      case Thinking::Mode::enabled:
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
    if (o_.limits.max_turns) flag("max-turns", std::to_string(*o_.limits.max_turns));
    if (o_.limits.max_budget_usd) flag("max-budget-usd", encode(*o_.limits.max_budget_usd));
    if (o_.limits.task_budget) flag("task-budget", std::to_string(*o_.limits.task_budget));
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
    if (o_.tools.built_in) flag("tools", join(*o_.tools.built_in, ","));
    std::vector<std::string> allowed = o_.tools.allowed;
    if (o_.settings.skills) {
      const bool all = *o_.settings.skills == std::vector<std::string>{"all"};
      if (all) allowed.emplace_back("Skill");
      if (!all) {
        for (const std::string& skill : *o_.settings.skills) {
          if (skill.empty() || skill.find_first_of("(),*\\") != std::string::npos ||
              skill.front() == '/') {
            return invalid("\"" + skill + "\" is no name of a skill", "settings.skills");
          }
          allowed.push_back("Skill(" + skill + ")");
        }
        plan_.initialize.skills = *o_.settings.skills;
      }
    }
    if (!allowed.empty()) flag("allowedTools", join(allowed, ","));
    if (!o_.tools.disallowed.empty()) flag("disallowedTools", join(o_.tools.disallowed, ","));
    if (!o_.tools.aliases.empty()) plan_.initialize.toolAliases = o_.tools.aliases;
    if (!o_.permissions.prompt_tool.empty()) {
      flag("permission-prompt-tool", o_.permissions.prompt_tool);
    } else if (o_.on_permission || o_.on_question || o_.on_plan || o_.delivery.line_stream) {
      flag("permission-prompt-tool", "stdio");
    }
    if (o_.permissions.prompts) {
      flag("permission-prompts", Enum<PermissionPrompts>(*o_.permissions.prompts).text());
    }
    if (o_.permissions.mode) {
      flag("permission-mode", Enum<PermissionMode>(*o_.permissions.mode).text());
    }
    if (o_.permissions.allow_bypass) flag("allow-dangerously-skip-permissions");
    for (const auto& folder : o_.permissions.additional_directories)
      two_words("add-dir", folder.string());
    if (!o_.permissions.plan_instructions.empty()) {
      plan_.initialize.planModeInstructions = o_.permissions.plan_instructions;
    }
    if (!o_.dialog_kinds.empty()) plan_.initialize.supportedDialogKinds = o_.dialog_kinds;
    return {};
  }

  Result<void> prompts() {
    if (o_.system_prompt.text && !o_.system_prompt.file.empty()) {
      return invalid("give the text or the file, not both", "system_prompt");
    }
    if (o_.system_prompt.text) {
      if (o_.system_prompt.text->size() < kLongestArgument) {
        two_words("system-prompt", *o_.system_prompt.text);
      } else {
        plan_.initialize.systemPrompt = control::SystemPrompt(std::vector{*o_.system_prompt.text});
      }
    }
    if (!o_.system_prompt.file.empty())
      two_words("system-prompt-file", o_.system_prompt.file.string());
    if (!o_.system_prompt.append.empty()) {
      if (o_.system_prompt.append.size() < kLongestArgument) {
        two_words("append-system-prompt", o_.system_prompt.append);
      } else {
        plan_.initialize.appendSystemPrompt = o_.system_prompt.append;
      }
    }
    if (o_.system_prompt.exclude_dynamic_sections) plan_.initialize.excludeDynamicSections = true;
    plan_.initialize.systemPromptSnapshot = o_.system_prompt.snapshot;
    return {};
  }

  Result<void> servers() {
    if (!o_.tools.mcp_servers.empty()) {
      two_words("mcp-config", R"({"mcpServers":)" + encode(o_.tools.mcp_servers) + "}");
    }
    if (o_.tools.strict_mcp_config) flag("strict-mcp-config");
    if (!o_.tools.in_process.empty()) {
      std::vector<std::string> names;
      for (const McpServer& server : o_.tools.in_process) names.push_back(server.name());
      plan_.initialize.sdkMcpServers = std::move(names);
    }
    if (!o_.agents.types.empty()) plan_.initialize.agents = o_.agents.types;
    if (!o_.agents.main.empty()) flag("agent", o_.agents.main);
    for (const PluginConfig& plugin : o_.settings.plugins) {
      flag(plugin.skipMcpDiscovery.value_or(false) ? "plugin-dir-no-mcp" : "plugin-dir",
           plugin.path);
    }
    return {};
  }

  Result<void> settings() {
    if (o_.settings.json && !o_.settings.file.empty()) {
      return invalid("give the settings as a file or as JSON, not both", "settings.json");
    }
    if (o_.settings.sandbox && !o_.settings.file.empty()) {
      return invalid("cannot be merged into a settings file; give the settings as JSON",
                     "settings.sandbox");
    }
    std::string text = o_.settings.file.string();
    if (o_.settings.json || o_.settings.sandbox) {
      auto merged = o_.settings.json ? o_.settings.json->json() : Json::object();
      if (!merged) return invalid(merged.error().what(), "settings.json");
      if (!merged->is_object()) return invalid("is no JSON object", "settings.json");
      if (o_.settings.json) text = o_.settings.json->text;
      if (o_.settings.sandbox) {
        const auto sandbox = o_.settings.sandbox->json();
        if (!sandbox) return invalid(sandbox.error().what(), "settings.sandbox");
        merged->set("sandbox", *sandbox);
        text = merged->dump();
      }
    }
    if (!text.empty()) two_words("settings", text);
    if (!o_.settings.managed.empty()) two_words("managed-settings", o_.settings.managed);
    if (o_.settings.sources) {
      std::vector<std::string> names;
      for (const SettingScope scope : *o_.settings.sources) {
        names.emplace_back(Enum<SettingScope>(scope).text());
      }
      flag("setting-sources", join(names, ","));
    }
    if (!o_.settings.project_config_root.empty()) {
      flag("project-config-root", o_.settings.project_config_root.string());
    }
    return {};
  }

  Result<void> session() {
    if (o_.resume.latest) flag("continue");
    if (!o_.resume.id.empty()) flag("resume", o_.resume.id);
    if (o_.resume.fork) flag("fork-session");
    if (!o_.transcript.session_id.empty()) flag("session-id", o_.transcript.session_id);
    if (!o_.resume.at.empty()) flag("resume-session-at", o_.resume.at);
    if (o_.resume.drops_turn) flag("resume-drops-turn", *o_.resume.drops_turn);
    if (!o_.transcript.persist) flag("no-session-persistence");
    if (!o_.transcript.title.empty()) plan_.initialize.title = o_.transcript.title;
    if (o_.transcript.mirror || o_.transcript.store) flag("session-mirror");
    return {};
  }

  Result<void> delivery() {
    if (o_.delivery.partial_messages) flag("include-partial-messages");
    if (o_.delivery.hook_events) flag("include-hook-events");
    if (o_.delivery.replay_user_messages) flag("replay-user-messages");
    if (o_.delivery.forward_subagent_text) plan_.initialize.forwardSubagentText = true;
    if (o_.delivery.prompt_suggestions) plan_.initialize.promptSuggestions = true;
    if (o_.delivery.agent_progress_summaries) plan_.initialize.agentProgressSummaries = true;
    if (o_.delivery.per_task_stop) plan_.initialize.perTaskStopAffordance = true;
    if (o_.process.debug) flag("debug");
    if (!o_.process.debug_file.empty()) flag("debug-file", o_.process.debug_file.string());
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
    for (const auto& [name, value] : o_.process.extra_flags) {
      if (name.empty() || name.starts_with('-')) {
        return invalid("write the flag without its dashes: \"" + name + "\"",
                       "process.extra_flags");
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
    if (!o_.process.replace_environment) {
      for (const auto& variable : inherited) {
        if (std::find(std::begin(kNotInherited), std::end(kNotInherited), variable.first) ==
            std::end(kNotInherited)) {
          all.push_back(variable);
        }
      }
    }
    for (const auto& [name, value] : o_.process.environment) set(name, value, true);
    set("CLAUDE_CODE_ENTRYPOINT", "sdk-cpp", false);
    set("CLAUDE_AGENT_SDK_VERSION", std::string(kVersion), false);
    if (!o_.process.client_app.empty())
      set("CLAUDE_AGENT_SDK_CLIENT_APP", o_.process.client_app, true);
    if (o_.transcript.file_checkpoints)
      set("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING", "true", true);
    if (o_.permissions.question_preview) {
      set("CLAUDE_CODE_QUESTION_PREVIEW_FORMAT",
          std::string(Enum<QuestionPreview>(*o_.permissions.question_preview).text()), true);
    }
  }

  void warnings() {
    if (!o_.on_permission) return;
    if (o_.permissions.mode == PermissionMode::bypassPermissions ||
        o_.permissions.mode == PermissionMode::dontAsk) {
      plan_.warnings.emplace_back(
          "on_permission is hardly ever asked in this permission mode; a PreToolUse hook sees "
          "every call");
    }
    for (const std::string& tool : o_.tools.allowed) {
      if (tool.find('(') == std::string::npos) {
        plan_.warnings.push_back("on_permission is not asked about " + tool +
                                 ", which tools.allowed lists as a whole");
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
