// Who may run which tool: modes, rules, working folders, and the verdict on one call. What is not
// understood is asked, never allowed.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../../wire/control/permissions.hpp"
#include "../tools/tool.hpp"

namespace parley::agent {

/// What was decided about one call, and what a person who is asked should know.
struct Verdict {
  enum class Kind { allow, ask, deny };
  Kind kind = Kind::ask;
  /// Of `deny`: what the model reads. Of `ask` without anybody to ask: the same.
  std::string message;
  /// Why, as a permission request and `permission_denied` say it ("rule", "mode", "workingDir",
  /// ...) with a text for people; both may be empty.
  std::string reason_type, reason;
  /// Of a verdict by a rule on the whole call: where the rule is from.
  std::optional<Enum<PermissionDestination>> rule_source;
  /// Of `ask`. An empty list says that no rule could cover the call; without a list nothing is said
  /// (a permission request leaves the member out).
  std::optional<std::vector<PermissionUpdate>> suggestions;
  std::optional<std::string> blocked_path;  ///< Of `ask`.
  /// Of `ask`: what `server_policy_ask_only` says, if it says anything.
  std::optional<bool> policy_ask_only;
  /// Of `ask`, as the request members of the same names; left out without a value.
  std::optional<bool> classifier_approvable, suppress_always_allow_rule;
};

/// What the tool calls of a conversation ask before they run. The session's is Permissions; a
/// subagent may have one that allows less. Implementations are thread-safe.
class PermissionPolicy {
 public:
  virtual ~PermissionPolicy() = default;
  [[nodiscard]] virtual Enum<PermissionMode> mode() const = 0;
  /// The verdict on a call, without asking anybody. `cwd` is where commands run now.
  [[nodiscard]] virtual Verdict judge(std::string_view tool, const RawJson& input,
                                      const Intent& intent,
                                      const std::filesystem::path& cwd) const = 0;
  /// Tells which files a search by `tool` must pass over, because a deny rule keeps them from being
  /// read; by the rules as they are now. Empty if there is no such rule.
  [[nodiscard]] virtual std::function<bool(const std::filesystem::path&)> hidden_from(
      std::string_view tool) const = 0;
  /// Makes the changes, all or none: in memory, and in the settings file that each names. The mode
  /// it set, if one of them was that.
  virtual Result<std::optional<Enum<PermissionMode>>> apply(
      const std::vector<PermissionUpdate>& updates) = 0;
};

/// Thread-safe.
class Permissions final : public PermissionPolicy {
 public:
  struct Setup {
    std::filesystem::path start_folder;
    std::filesystem::path config_folder;  ///< `~/.claude` or CLAUDE_CONFIG_DIR.
    std::filesystem::path home;
    Enum<PermissionMode> mode = PermissionMode::default_;
    bool bypass_available = false;  ///< Started so that bypassPermissions may be switched on.
    std::vector<std::filesystem::path> extra_folders;  ///< --add-dir.
    /// Folders of the agent's own (tool results, scratch files): read unasked, not edited.
    std::vector<std::filesystem::path> readable_folders;
    /// The plan of the session: read and edited unasked, in every mode, unless a rule speaks of it.
    std::filesystem::path plan_file;
    /// Rules as they are written in flags and settings ("Bash(git:*)"), with where they are from.
    struct Rules {
      Enum<PermissionDestination> from = PermissionDestination::session;
      std::vector<std::string> allow, deny, ask;
      std::vector<std::string> folders;
    };
    std::vector<Rules> rules;
  };
  explicit Permissions(Setup setup);
  ~Permissions() override;
  Permissions(const Permissions&) = delete;
  Permissions& operator=(const Permissions&) = delete;

  [[nodiscard]] Enum<PermissionMode> mode() const override;
  /// Errors: `invalid` with context "invalid_mode" or "bypass_not_launched".
  Result<void> set_mode(const Enum<PermissionMode>& mode);

  [[nodiscard]] Verdict judge(std::string_view tool, const RawJson& input, const Intent& intent,
                              const std::filesystem::path& cwd) const override;
  /// The same in another mode than that of the session.
  [[nodiscard]] Verdict judge_in_mode(const Enum<PermissionMode>& mode, std::string_view tool,
                                      const Intent& intent, const std::filesystem::path& cwd) const;
  /// Whether set_mode() would accept the mode.
  [[nodiscard]] bool accepts_mode(const Enum<PermissionMode>& mode) const;
  /// Whether a deny rule takes the whole tool away (it is then not offered to the model).
  [[nodiscard]] bool removed(std::string_view tool) const;
  [[nodiscard]] std::function<bool(const std::filesystem::path&)> hidden_from(
      std::string_view tool) const override;

  Result<std::optional<Enum<PermissionMode>>> apply(
      const std::vector<PermissionUpdate>& updates) override;
  /// All rules with their source, for list_permission_rules.
  struct Listed {
    PermissionRule rule;
    Enum<PermissionBehavior> behavior;
    Enum<PermissionDestination> from;
  };
  [[nodiscard]] std::vector<Listed> list() const;
  [[nodiscard]] std::vector<std::filesystem::path> folders() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace parley::agent
