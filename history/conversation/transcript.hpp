// Reads conversations: all of one, or a page from either end.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "../../wire/codec/fields.hpp"
#include "../listing/roots.hpp"
#include "stored_results.hpp"
#include "subagents.hpp"

namespace parley::history {

/// Tells a client that a tool result stands for a call that did not run.
struct ToolResultNote {
  std::string id;
  std::string non_execution_kind;

  bool operator==(const ToolResultNote&) const = default;
};

/// One message of a conversation. A value; members are spelled as in the official SDK.
struct Message {
  std::string type;  ///< "user", "assistant" or "system".
  std::string uuid;
  std::optional<std::string> session_id;
  std::optional<RawJson> message;  ///< As the API knows it; system lines have none.
  Nullable<std::string> parent_tool_use_id;
  Nullable<std::string> parent_agent_id;
  std::optional<bool> interruptedByShutdown;
  std::optional<std::string> toolDenialUnanswered;
  std::optional<std::vector<ToolResultNote>> tool_result_meta;
  std::optional<bool> isCompactSummary;
  std::optional<bool> is_meta;
  std::optional<bool> isQueuedCommand;
  std::optional<bool> isCompletedLocalCommand;
  std::optional<std::string> timestamp;
  std::optional<RawJson> origin;

  bool operator==(const Message&) const = default;
};

struct ReadOptions {
  std::size_t offset = 0;       ///< Messages to leave out, counted from the end that is read from.
  std::size_t limit = 0;        ///< 0 for all.
  bool from_end = false;        ///< The last page first: cheap for files of any size.
  bool include_system = false;  ///< Also system lines: compaction, notices, errors.
  std::stop_token stop = {};
};

struct Page {
  std::vector<Message> messages;  ///< In the order of the conversation.
  /// How many there are in all; no value when a page from the end did not need to know.
  std::optional<std::size_t> total;
  Report report;
};

/// Takes the next message; an error ends the reading.
using MessageSink = std::function<Result<void>(Message message)>;

/// The conversation as it stands, message by message, so that a long one need not fit into memory:
/// dead branches and meta lines left out, each uuid once. Says what was skipped.
[[nodiscard]] Result<Report> for_each_message(const SessionPlace& place, const MessageSink& sink,
                                              std::stop_token stop = {});

/// The same all at once, or a page of it.
[[nodiscard]] Result<Page> read_messages(const SessionPlace& place,
                                         const ReadOptions& options = {});

/// The same for a subagent; `not_found` if the session has none of this id.
[[nodiscard]] Result<Page> read_subagent_messages(const SessionPlace& place,
                                                  std::string_view agent_id,
                                                  const ReadOptions& options = {});

/// A line of a transcript in the tree that `uuid` and `parentUuid` make.
struct TreeNode {
  std::string uuid;
  std::string parent;  ///< Empty for a root.
  std::string type;    ///< "user", "assistant", "system", "attachment", "progress".
  std::string timestamp;
  std::uint64_t offset = 0;  ///< In the file.
  std::uint64_t length = 0;
  bool alive = false;  ///< Part of the conversation.
};

struct Tree {
  std::vector<TreeNode> nodes;  ///< In the order of the file.
  Report report;
};

[[nodiscard]] Result<Tree> read_tree(const SessionPlace& place, std::stop_token stop = {});

}  // namespace parley::history

namespace parley {
PARLEY_CODEC(history::Message)
}
