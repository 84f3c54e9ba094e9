// Hooks: what settings files and the client want to be told or asked about, and what their answers
// come to. Callbacks of the client are asked over the wire; commands run in a shell.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "../../wire/control.hpp"
#include "../../wire/hook_outputs.hpp"
#include "../../wire/hooks.hpp"
#include "../settings/settings.hpp"

namespace parley::agent {

/// What all hooks of one event together came to.
struct HookVerdict {
  enum class Permission { kNone, kAllow, kDeny, kAsk };
  Permission permission = Permission::kNone;  ///< PreToolUse, PermissionRequest.
  std::string permission_reason;
  std::optional<RawJson> updated_input;
  bool blocked = false;  ///< `decision: "block"` or exit code 2.
  std::string block_reason;
  bool stop = false;  ///< `continue: false`.
  std::string stop_reason;
  std::vector<std::string> contexts;         ///< additionalContext, for the model.
  std::vector<std::string> system_messages;  ///< For the user.
  bool failed_closed = false;                ///< A callback timed out where that means no.
  std::string failure;                       ///< A hook failed and was taken as empty; for people.
};

/// Asks the client: sends `hook_callback` and waits for the answer, the deadline or the stop.
/// nullopt: no answer in time.
using AskHook = std::function<std::optional<Result<RawJson>>(
    const std::string& callback_id, const HookInput& input,
    const std::optional<std::string>& tool_use_id, std::optional<std::chrono::milliseconds> timeout,
    std::stop_token stop)>;

/// What is shown of a settings-file hook with --include-hook-events (and always of SessionStart).
struct HookRun {
  std::string id, name, event;
  std::string output, stdout_text, stderr_text;
  std::optional<int> exit_code;
  std::string outcome;   ///< "success", "error", "cancelled".
  bool started = false;  ///< True: it begins now, the rest is empty.
};

class Hooks {
 public:
  struct Setup {
    std::vector<HookCommand> commands;
    std::filesystem::path cwd;
    std::map<std::string, std::string> environment;
    AskHook ask;
    std::function<void(const HookRun&)> show;
  };
  explicit Hooks(Setup setup);
  ~Hooks();

  /// The callbacks of `initialize` (replaces earlier ones).
  void register_callbacks(const Map<std::vector<HookMatcher>>& callbacks);
  /// Whether anybody listens, so that inputs need not be built for nobody.
  [[nodiscard]] bool any(std::string_view event) const;
  /// Runs all hooks of the event that match (`subject`: the tool name, the source, ... by event),
  /// callbacks and commands at the same time, and merges their answers.
  HookVerdict run(const HookInput& input, std::string_view subject,
                  const std::optional<std::string>& tool_use_id, std::stop_token stop);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace parley::agent
