// Finds the conversation in the lines of a transcript: which branch is alive, what a compaction
// kept, and which lines of parallel tool calls belong to it although no chain leads to them.
#pragma once

#include <cstddef>
#include <vector>

#include "node.hpp"

namespace parley::history {

/// One entry of the conversation, by its index in the nodes it was made from.
struct Step {
  std::size_t node;
  bool from_queue = false;         ///< A queued prompt that was delivered: shown as a user message.
  bool completed_command = false;  ///< Part of a slash command that ran locally.
};

struct Conversation {
  std::vector<Step> steps;  ///< In order; system lines and attachments included.
  /// A compaction kept messages that are not among the nodes: more of the file is needed to know
  /// the order of those that are.
  bool kept_unknown = false;
};

/// `nodes` are all lines of a main transcript, or of its end, in the order of the file. Of equal
/// uuids the last line counts.
[[nodiscard]] Conversation find_conversation(const std::vector<Node>& nodes);

/// The same for the transcript of a subagent, which knows neither branches nor compaction: the
/// chain that leads to its last message.
[[nodiscard]] Conversation find_subagent_conversation(const std::vector<Node>& nodes);

}  // namespace parley::history
