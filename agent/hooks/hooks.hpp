// Hooks: what settings files and the client want to be told or asked about, and what their answers
// come to. Callbacks of the client are asked over the wire; commands run in a shell.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "../../wire/control/hook_outputs.hpp"
#include "../../wire/control/hooks.hpp"
#include "../settings/settings.hpp"

namespace parley::agent {

/// What all hooks of one event together came to. A value.
struct HookVerdict {
  /// The later one of two counts. `defer` leaves the call to who resumes the session.
  enum class Permission { none, allow, ask, defer, deny };
  Permission permission = Permission::none;  ///< PreToolUse, PermissionRequest, PreModelSwitch.
  std::string permission_reason;
  std::optional<RawJson> updated_input;               ///< PreToolUse, PermissionRequest.
  std::vector<PermissionUpdate> updated_permissions;  ///< PermissionRequest, if it allows.
  bool interrupt = false;  ///< PermissionRequest denies, and wants the turn to end.

  bool blocked = false;      ///< `decision: "block"`, exit code 2, a denial by PreToolUse.
  std::string block_reason;  ///< Ready to be shown; of a command "[command]: what it said".
  bool stop = false;         ///< `continue: false`.
  std::string stop_reason;

  std::vector<std::string> contexts;  ///< For the model.
  /// For the user, with who says it: "PreToolUse:Bash says: ...".
  std::vector<std::string> system_messages;
  std::optional<RawJson> updated_output;     ///< PostToolUse.
  std::optional<std::string> session_title;  ///< UserPromptSubmit, SessionStart.
  std::optional<std::string> first_prompt;   ///< SessionStart: said in the user's place.
  bool hide_prompt = false;                  ///< UserPromptSubmit: not to be repeated to the user.

  /// No answer in time, or one for another event, where that means no. `failure` is then what a
  /// tool call is answered with; a prompt is `blocked` as well.
  bool failed_closed = false;
  std::string failure;   ///< Callbacks failed and were taken as empty; for people.
  bool hung_up = false;  ///< The client went away while it was asked.
};

/// Asks the client: sends `hook_callback` and waits for the answer, the deadline or the stop.
/// nullopt: no answer in time, or stopped. An error of kind `closed`: the client has gone; others:
/// it answered with an error. `asked` is called once the request is on its way.
using AskHook = std::function<std::optional<Result<RawJson>>(
    const std::string& callback_id, const HookInput& input,
    const std::optional<std::string>& tool_use_id, std::optional<std::chrono::milliseconds> timeout,
    std::stop_token stop, const std::function<void()>& asked)>;

/// What is shown of a settings-file hook with --include-hook-events (and always of SessionStart).
struct HookRun {
  std::string id, name, event;
  std::string output, stdout_text, stderr_text;
  std::optional<int> exit_code;
  std::string outcome;   ///< "success", "error", "cancelled".
  bool started = false;  ///< True: it begins now, the rest is empty.
};

/// In the environment of every hook's command: what a hook leaves running is the user's business,
/// and not ended with the session.
inline constexpr const char* kHookVariable = "PARLEY_HOOK";

/// Thread-safe. Destroyed only when nothing runs.
class Hooks {
 public:
  struct Setup {
    std::vector<HookCommand> commands;
    std::filesystem::path cwd;
    std::map<std::string, std::string> environment;
    AskHook ask;                               ///< Called from several threads at once.
    std::function<void(const HookRun&)> show;  ///< Called from several threads, one at a time.
    std::function<std::string()> make_id;      ///< For HookRun::id; a UUID.
  };
  explicit Hooks(Setup setup);
  ~Hooks();
  Hooks(const Hooks&) = delete;
  Hooks& operator=(const Hooks&) = delete;

  /// The callbacks of `initialize` (replaces earlier ones).
  void register_callbacks(const Map<std::vector<HookMatcher>>& callbacks);
  /// Whether anybody listens, so that inputs need not be built for nobody.
  [[nodiscard]] bool any(std::string_view event) const;
  /// Runs all hooks of the event that match (`subject`: the tool name, the source, ... by event;
  /// empty: the event has none, and matchers do not count), callbacks and commands at the same
  /// time, and merges their answers in the order of their registration. The client hears of them in
  /// that order, too. Blocks until all have answered, failed, or `stop` is requested. `asked` is
  /// called when the client knows of all of them.
  HookVerdict run(const HookInput& input, std::string_view subject,
                  const std::optional<std::string>& tool_use_id, std::stop_token stop,
                  const std::function<void()>& asked = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace parley::agent
