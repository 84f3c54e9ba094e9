// The subagents of a session: their transcripts lie in <session>/subagents/agent-<id>.jsonl, each
// with a small note beside it that says where it came from (agent-<id>.meta.json).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../listing/roots.hpp"

namespace parley::history {

struct Subagent {
  std::string agent_id;
  std::string path;                            ///< Of its transcript.
  std::optional<std::string> tool_use_id;      ///< Of the call that started it.
  std::optional<std::string> parent_agent_id;  ///< If a subagent started it.
  std::optional<std::string> agent_type;

  bool operator==(const Subagent&) const = default;
};

/// The subagents of a session, by id. None is no error; what cannot be listed goes to `report`.
[[nodiscard]] Result<std::vector<Subagent>> list_subagents(const SessionPlace& place,
                                                           Report& report);

struct OpenSubagent {
  Subagent agent;
  File transcript;
};
/// `not_found` if the session has no such subagent.
[[nodiscard]] Result<OpenSubagent> open_subagent(const SessionPlace& place,
                                                 std::string_view agent_id, Report& report);

/// Letters, digits, '-' and '_', at most 128: what names a subagent.
[[nodiscard]] bool is_subagent_id(std::string_view id);
/// "agent-<id>.jsonl"
[[nodiscard]] std::string subagent_file_name(std::string_view agent_id);

/// Writes the note of a subagent, a JSON object: agentType, description, toolUseId, parentAgentId
/// and whatever else the agent keeps. The old one or the new one is there after a crash. The
/// subagent's transcript must have been opened (see AppenderOptions).
[[nodiscard]] Result<void> write_subagent_note(const SessionPlace& place, std::string_view agent_id,
                                               std::string_view object);

}  // namespace parley::history
