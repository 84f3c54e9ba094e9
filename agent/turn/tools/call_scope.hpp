// What the steps of one tool call share: the check, the hooks, the permission, the tool itself.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "../turn_context.hpp"

namespace parley::agent {

/// What the calls of one response mean for the turn. Thread-safe.
class CallNotes {
 public:
  /// A value.
  struct Summary {
    bool interrupted = false;
    bool stopped_by_hook = false;
    std::vector<PermissionDenial> denials;
    std::vector<std::string> contexts;         ///< What hooks want the model to know.
    std::optional<RawJson> structured_output;  ///< The input of the call that gave it.
  };

  void interrupted();
  void stopped_by_hook();
  void denied(const ToolUseBlock& call, const RawJson& input);
  void add_context(std::string context);
  void structured_output(RawJson input);
  [[nodiscard]] Summary summary() const { return summary_.copy(); }

 private:
  Guarded<Summary> summary_;
};

/// References, valid for as long as the call runs.
struct CallScope {
  TurnContext& context;
  CallNotes& notes;
  std::stop_source& stop;  ///< Of all calls of the response.
  const std::string& prompt_id;
  const ToolUseBlock& call;
  const std::string& source_uuid;  ///< Of the assistant message that made the call.
  /// Called when the call waits for somebody or does its work: the next one may begin its checks.
  std::function<void()> on_settled;
  /// The same for a call that has something to show before it runs: returns when that is shown,
  /// which is when the response has gone on.
  std::function<void(std::function<void()> show)> on_opened;

  [[nodiscard]] bool stopped() const { return stop.stop_requested(); }
};

}  // namespace parley::agent
