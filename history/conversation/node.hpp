// One line of a transcript as far as the shape of the conversation depends on it. The text of the
// message stays in the file and is read again for the few messages that somebody asks for: the tree
// of a 600 MB session fits into some tens of megabytes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::history {

enum class NodeType : std::uint8_t {
  user,
  assistant,
  system,
  attachment,
  progress,
  queue_operation,
  other,  ///< Notes and whatever newer agents write.
};

/// Texts that the agent itself puts into user lines around a slash command.
enum class CommandText : std::uint8_t { none, caveat, record, output };

/// What a compaction kept: the messages from head to tail, or those listed, go behind the anchor.
struct Preserved {
  std::string anchor, head, tail;
  std::vector<std::string> uuids;
};

/// Members that few lines have.
struct RareNode {
  std::vector<std::string> tool_use_ids;
  std::vector<std::string> tool_result_ids;
  std::string source_assistant;  ///< sourceToolAssistantUUID.
  std::string agent_id;
  std::string delivery_id, source_uuid;           ///< Of a queued command.
  std::string queued_command;                     ///< Its raw JSON.
  std::string removed_delivery, removed_command;  ///< Of a queue operation "absorbed_mid_turn".
  std::optional<Preserved> preserved;
};

struct Node {
  std::string uuid;
  std::string parent;      ///< Empty for none.
  std::string message_id;  ///< Of an assistant's message: its blocks come on several lines.
  std::string timestamp;
  std::uint64_t offset = 0;  ///< In the file.
  std::uint64_t length = 0;
  NodeType type = NodeType::other;
  CommandText command_text = CommandText::none;
  bool sidechain = false;
  bool in_team = false;
  bool meta = false;
  bool meta_but_said = false;  ///< Meta, but words that reached the session from outside.
  bool compact_summary = false;
  bool has_tool_result = false;
  bool interruption = false;
  bool has_prompt_source = false;
  bool queued_command = false;
  bool fork_briefing = false;
  bool compact_boundary = false;
  bool absorbed_mid_turn = false;
  std::unique_ptr<RareNode> rare;

  [[nodiscard]] bool is_message() const {
    return type == NodeType::user || type == NodeType::assistant;
  }
  RareNode& make_rare() {
    if (!rare) rare = std::make_unique<RareNode>();
    return *rare;
  }
};

/// Reads one line. No value if it is not one JSON object.
[[nodiscard]] std::optional<Node> read_node(std::string_view line, std::uint64_t offset);

/// Origins whose meta lines are shown all the same: channels, peers, observers, calls.
[[nodiscard]] bool is_shown_origin(std::string_view kind);

}  // namespace parley::history
