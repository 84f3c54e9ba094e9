// Values of a session that change while it runs and that several threads use: each is kept in a
// Guarded of its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "../../wire/json/json.hpp"
#include "../../wire/messages/messages.hpp"

namespace parley::agent {

/// What `initialize` and later control requests set in place of flags and settings.
struct SessionOverrides {
  std::optional<std::string> system_prompt, append_system_prompt;
  std::string model;
  std::optional<std::int64_t> max_thinking_tokens;
  bool prompt_suggestions = false;
  bool stops_tasks_itself = false;     ///< The client has a way to stop each task.
  bool forward_subagent_text = false;  ///< The client wants to see what subagents say.
  Json flag_settings;                  ///< Of apply_flag_settings; null without any.
  std::string hook_notes;  ///< What hooks said at the start of the session, for the model.
};

struct ChangedLines {
  std::int64_t added = 0, removed = 0;
};

/// How many subagents there were. A value.
struct AgentCounts {
  std::int64_t background = 0, foreground = 0, unset = 0;  ///< By what their calls asked for.
  std::int64_t started_in_background = 0;
  std::int64_t made_by_agents = 0;
  std::int64_t deepest = 0;
  std::int64_t completed = 0, failed = 0;
  std::int64_t killed = 0, killed_with_turn = 0;
  std::map<std::string, std::int64_t> by_type;

  [[nodiscard]] std::int64_t made() const { return background + foreground + unset; }
};

/// What a session has come to so far.
struct SessionTotals {
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  std::chrono::milliseconds in_api{0};
  ChangedLines lines;
  std::optional<Usage> last_usage;              ///< Of the last response of the API.
  std::vector<PermissionDenial> agent_denials;  ///< Of subagents, not reported yet.
  AgentCounts agents;
  std::int64_t results = 0;  ///< So many turns have ended.
};

}  // namespace parley::agent
