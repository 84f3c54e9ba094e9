#include "agent/permissions/permissions.hpp"

#include <cstdlib>
#include <map>
#include <mutex>

#include "agent/permissions/commands/command_judge.hpp"
#include "agent/permissions/commands/command_verdicts.hpp"
#include "agent/permissions/settings_file.hpp"
#include "agent/permissions/updates.hpp"
#include "agent/web/web_address.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

Verdict deny(std::string type, std::string message) {
  Verdict verdict;
  verdict.kind = Verdict::Kind::deny;
  verdict.reason_type = std::move(type);
  verdict.message = std::move(message);
  return verdict;
}

/// What becomes of a question in a mode in which nobody is asked.
Verdict deny_unasked(std::string_view tool) {
  return deny("mode",
              "Permission to use " + std::string(tool) +
                  " has been denied because Claude Code is running in don't ask mode. "
                  "Another tool that is allowed may reach the same end if that is what it "
                  "is for; do not look for a way around the refusal. If the task cannot be "
                  "done without this, stop and tell the user what you wanted to do and why.");
}

bool is_bypassed(const Scope& scope) { return scope.mode == PermissionMode::bypassPermissions; }

Verdict judge_read(const Scope& scope, std::string_view tool, const Place& place) {
  const auto access = scope.read_access(place, tool);
  if (access.kind == FileAccess::Kind::denied) {
    return deny("rule", "File is in a directory that is denied by your permission settings.");
  }
  if (access.kind == FileAccess::Kind::ask_rule) return ask_by_rule(tool, *access.rule);
  if (access.kind == FileAccess::Kind::allowed || is_bypassed(scope)) return allow();
  Verdict verdict;
  verdict.message = not_granted("read from " + place.named.string());
  verdict.reason_type = "workingDir";
  verdict.reason = "Path is outside allowed working directories";
  verdict.suggestions.emplace().push_back(suggest_rule(
      "Read", "/" + (folder_for(place.named) / "**").string(), PermissionDestination::session));
  verdict.policy_ask_only = true;
  return verdict;
}

Verdict judge_edit(const Scope& scope, std::string_view tool, const Place& place) {
  const auto access = scope.edit_access(place, tool);
  if (access.kind == FileAccess::Kind::denied) {
    return deny("rule", "File is in a directory that is denied by your permission settings.");
  }
  if (access.kind == FileAccess::Kind::ask_rule) return ask_by_rule(tool, *access.rule);
  if (access.kind == FileAccess::Kind::allowed || is_bypassed(scope)) return allow();
  // A link in its place leads elsewhere, and is not the plan.
  if (scope.plan_file && place.named == scope.plan_file->named &&
      place.real == scope.plan_file->real) {
    return allow();
  }
  const bool outside = !is_within(place, scope.folders);
  Verdict verdict;
  verdict.message = not_granted("write to " + place.named.string());
  if (scope.mode == PermissionMode::plan) {
    verdict.reason_type = "mode";
    return verdict;
  }
  verdict.suggestions.emplace();
  if (scope.mode != PermissionMode::acceptEdits)
    verdict.suggestions->push_back(suggest_accept_edits());
  if (outside) verdict.suggestions->push_back(suggest_folder(place.named.parent_path()));
  if (access.kind == FileAccess::Kind::protected_) {
    verdict.reason_type = "safetyCheck";
    verdict.reason = verdict.message = protection_text(place, access.protection);
    verdict.classifier_approvable = true;
    return verdict;
  }
  if (outside) {
    verdict.reason_type = "workingDir";
    verdict.reason = "Path is outside allowed working directories";
  }
  if (tool != "NotebookEdit") verdict.policy_ask_only = true;
  return verdict;
}

Verdict judge_file(const Scope& scope, std::string_view tool, const Intent& intent) {
  const auto place = locate(intent.path);
  if (place) {
    return intent.kind == Intent::Kind::read_file ? judge_read(scope, tool, *place)
                                                  : judge_edit(scope, tool, *place);
  }
  // Where it leads cannot be told, so that no rule can have been meant for it.
  Verdict verdict;
  verdict.message = not_granted("use " + intent.path.string());
  verdict.reason_type = "workingDir";
  verdict.reason = "Path cannot be resolved";
  verdict.suggestions.emplace();
  return verdict;
}

Verdict judge_fetch(const Scope& scope, std::string_view tool, const std::string& url) {
  // As the request will be made; an address that cannot be requested has no host.
  const auto address = WebAddress::parse(url);
  const auto host = address.ok() ? address->host : std::string();
  const auto find = [&](PermissionBehavior behavior) -> const Rule* {
    // A name and password in front of the host are a way to show one host and ask another.
    if (behavior == PermissionBehavior::allow && address.ok() && address->names_user)
      return nullptr;
    for (const auto& rule : scope.rules) {
      if (rule.behavior != behavior || rule.rule.toolName != tool) continue;
      if (rule.whole_tool() || matches_domain(rule.content(), host) || rule.content() == url)
        return &rule;
    }
    return nullptr;
  };
  const auto domain = "domain:" + host;
  if (find(PermissionBehavior::deny)) {
    return deny("rule", std::string(tool) + " denied access to " + domain + ".");
  }
  if (const auto* rule = find(PermissionBehavior::ask)) return ask_by_rule(tool, *rule);
  if (is_bypassed(scope) || find(PermissionBehavior::allow)) return allow();
  Verdict verdict;
  verdict.message = not_granted("use " + std::string(tool));
  verdict.suggestions.emplace();
  if (!host.empty() && !address->names_user) {
    verdict.suggestions->push_back(
        suggest_rule(std::string(tool), domain, PermissionDestination::localSettings));
  }
  return verdict;
}

/// Tools of MCP servers: nothing is known of what they do.
Verdict judge_foreign(const Scope& scope, std::string_view tool) {
  if (is_bypassed(scope) || scope.whole_tool_rule(PermissionBehavior::allow, tool)) return allow();
  Verdict verdict;
  verdict.message = not_granted("use " + std::string(tool));
  verdict.suggestions.emplace().push_back(
      suggest_rule(std::string(tool), std::nullopt, PermissionDestination::localSettings));
  verdict.policy_ask_only = true;
  return verdict;
}

Verdict judge_in(const Scope& scope, std::string_view tool, const Intent& intent,
                 const fs::path& cwd) {
  if (scope.whole_tool_rule(PermissionBehavior::deny, tool)) {
    return deny("rule", "Permission to use " + std::string(tool) + " has been denied.");
  }
  if (const auto* rule = scope.whole_tool_rule(PermissionBehavior::ask, tool))
    return ask_by_rule(tool, *rule);
  if (tool.starts_with("mcp__")) return judge_foreign(scope, tool);
  switch (intent.kind) {
    case Intent::Kind::harmless: return allow();
    case Intent::Kind::read_file:
    case Intent::Kind::edit_file: return judge_file(scope, tool, intent);
    case Intent::Kind::command: return judge_command(scope, intent.command, cwd);
    case Intent::Kind::fetch: return judge_fetch(scope, tool, intent.url);
    case Intent::Kind::foreign: return judge_foreign(scope, tool);
    case Intent::Kind::ask_user: break;
  }
  Verdict question;
  question.message = not_granted("use " + std::string(tool));
  return question;
}

}  // namespace

struct Permissions::Impl {
  explicit Impl(Setup given) : setup(std::move(given)) {
    state.mode = setup.mode;
    for (const auto& rules : setup.rules) {
      const auto add = [&](const std::vector<std::string>& texts, PermissionBehavior behavior) {
        for (const auto& text : texts)
          state.rules.push_back({parse_rule(text), behavior, rules.from});
      };
      add(rules.allow, PermissionBehavior::allow);
      add(rules.deny, PermissionBehavior::deny);
      add(rules.ask, PermissionBehavior::ask);
      for (const auto& folder : rules.folders) {
        state.folders.push_back(
            {absolute_path(folder, setup.start_folder, setup.home), rules.from});
      }
    }
    for (const auto& folder : setup.extra_folders) {
      state.folders.push_back(
          {(setup.start_folder / folder).lexically_normal(), PermissionDestination::cliArg});
    }
  }

  /// The file of a destination; empty for those that live in the process.
  [[nodiscard]] fs::path file_of(const Enum<PermissionDestination>& destination) const {
    if (destination == PermissionDestination::userSettings)
      return setup.config_folder / "settings.json";
    if (destination == PermissionDestination::projectSettings) {
      return setup.start_folder / ".claude" / "settings.json";
    }
    if (destination == PermissionDestination::localSettings) {
      return setup.start_folder / ".claude" / "settings.local.json";
    }
    return {};
  }

  [[nodiscard]] Result<void> check_mode(const Enum<PermissionMode>& mode) const {
    if (!mode.known() || mode == PermissionMode::delegate || mode == PermissionMode::auto_) {
      return Error(
          ErrorCode::invalid,
          "Cannot set permission mode: must be one of acceptEdits, auto, bypassPermissions, "
          "default, dontAsk, plan",
          "invalid_mode");
    }
    if (mode == PermissionMode::bypassPermissions && !setup.bypass_available &&
        setup.mode != PermissionMode::bypassPermissions) {
      return Error(ErrorCode::invalid,
                   "Cannot set permission mode to bypassPermissions because the session was not "
                   "launched with --dangerously-skip-permissions",
                   "bypass_not_launched");
    }
    return {};
  }

  [[nodiscard]] Scope scope() const {
    Scope out{setup.start_folder, setup.config_folder, setup.home, state.mode, state.rules, {}, {}};
    const auto add = [](std::vector<Place>& to, const fs::path& folder) {
      if (auto place = locate(folder)) to.push_back(std::move(*place));
    };
    add(out.folders, setup.start_folder);
    for (const auto& folder : state.folders) add(out.folders, folder.path);
    for (const auto& folder : setup.readable_folders) add(out.readable, folder);
    if (plan_file) {
      out.plan_file = plan_file;
      out.readable.push_back(*plan_file);
    }
    if (const char* path = std::getenv("PATH")) out.note_programs(path);
    return out;
  }

  const Setup setup;
  /// As it was at the start, so that nothing can be put in its way later.
  const std::optional<Place> plan_file =
      setup.plan_file.empty() ? std::nullopt : locate(setup.plan_file);
  mutable std::mutex mutex;  ///< Guards `state`.
  PermissionState state;
};

Permissions::Permissions(Setup setup) : impl_(std::make_unique<Impl>(std::move(setup))) {}
Permissions::~Permissions() = default;

Enum<PermissionMode> Permissions::mode() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->state.mode;
}

Result<void> Permissions::set_mode(const Enum<PermissionMode>& mode) {
  if (auto checked = impl_->check_mode(mode); !checked.ok()) return checked;
  const std::lock_guard lock(impl_->mutex);
  impl_->state.mode = mode;
  return {};
}

bool Permissions::accepts_mode(const Enum<PermissionMode>& mode) const {
  return impl_->check_mode(mode).ok();
}

Verdict Permissions::judge(std::string_view tool, const RawJson& /*input*/, const Intent& intent,
                           const fs::path& cwd) const {
  return judge_in_mode(mode(), tool, intent, cwd);
}

Verdict Permissions::judge_in_mode(const Enum<PermissionMode>& mode, std::string_view tool,
                                   const Intent& intent, const fs::path& cwd) const {
  auto scope = [&] {
    const std::lock_guard lock(impl_->mutex);
    return impl_->scope();
  }();
  scope.mode = mode;
  auto verdict = judge_in(scope, tool, intent, cwd);
  if (verdict.kind == Verdict::Kind::ask && scope.mode == PermissionMode::dontAsk) {
    return deny_unasked(tool);
  }
  return verdict;
}

bool Permissions::removed(std::string_view tool) const {
  const std::lock_guard lock(impl_->mutex);
  for (const auto& rule : impl_->state.rules) {
    if (rule.behavior == PermissionBehavior::deny && rule.whole_tool() && rule.names(tool)) {
      return true;
    }
  }
  return false;
}

std::function<bool(const fs::path&)> Permissions::hidden_from(std::string_view tool) const {
  auto scope = [&] {
    const std::lock_guard lock(impl_->mutex);
    return impl_->scope();
  }();
  std::erase_if(scope.rules, [&](const Rule& rule) {
    return rule.behavior != PermissionBehavior::deny ||
           (rule.rule.toolName != "Read" && rule.rule.toolName != tool);
  });
  if (scope.rules.empty()) return {};
  return [scope = std::move(scope), tool = std::string(tool)](const fs::path& file) {
    const auto place = locate(file);
    // Where it leads cannot be told: it may be one of them.
    return !place || scope.read_access(*place, tool).kind == FileAccess::Kind::denied;
  };
}

Result<std::optional<Enum<PermissionMode>>> Permissions::apply(
    const std::vector<PermissionUpdate>& updates) {
  const std::lock_guard lock(impl_->mutex);
  auto state = impl_->state;
  std::optional<Enum<PermissionMode>> mode;
  std::map<fs::path, Json> files;
  for (const auto& update : updates) {
    if (auto checked = check_update(update); !checked.ok()) return checked.error();
    if (const auto* set = std::get_if<SetMode>(&update)) {
      if (auto checked = impl_->check_mode(set->mode); !checked.ok()) return checked.error();
      mode = set->mode;
    }
    update_state(state, update, impl_->setup.start_folder);
    const auto file = impl_->file_of(destination_of(update));
    if (file.empty()) continue;
    if (!files.contains(file)) {
      auto content = read_settings_file(file);
      if (!content.ok()) return content.error();
      files.emplace(file, std::move(*content));
    }
    if (auto done = update_settings(files[file], update); !done.ok()) {
      return Error(done.error().code(), done.error().what(), file.string());
    }
  }
  for (const auto& [file, content] : files) {
    if (auto written = write_settings_file(file, content); !written.ok()) return written.error();
  }
  impl_->state = std::move(state);
  return mode;
}

std::vector<Permissions::Listed> Permissions::list() const {
  const std::lock_guard lock(impl_->mutex);
  std::vector<Listed> out;
  for (const auto& rule : impl_->state.rules) out.push_back({rule.rule, rule.behavior, rule.from});
  return out;
}

std::vector<fs::path> Permissions::folders() const {
  const std::lock_guard lock(impl_->mutex);
  std::vector<fs::path> out{impl_->setup.start_folder};
  for (const auto& folder : impl_->state.folders) out.push_back(folder.path);
  return out;
}

}  // namespace parley::agent
