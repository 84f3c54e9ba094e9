#include "history/conversation/node.hpp"

#include <algorithm>
#include <iterator>

#include "history/scan/object_scan.hpp"

namespace parley::history {
namespace {

NodeType type_named(std::string_view name) {
  if (name == "user") return NodeType::user;
  if (name == "assistant") return NodeType::assistant;
  if (name == "system") return NodeType::system;
  if (name == "attachment") return NodeType::attachment;
  if (name == "progress") return NodeType::progress;
  if (name == "queue-operation") return NodeType::queue_operation;
  return NodeType::other;
}

CommandText command_text_of(std::string_view text) {
  if (text.starts_with("<command-name>")) return CommandText::record;
  if (text.starts_with("<local-command-stdout>")) return CommandText::output;
  if (text.starts_with("<local-command-stderr>")) return CommandText::output;
  if (text.starts_with("<local-command-caveat>")) return CommandText::caveat;
  return CommandText::none;
}

/// Beginnings of the texts with which the agent ends a turn or call that did not finish.
constexpr std::string_view kInterruptions[] = {
    "[Request interrupted by user]",
    "[Request interrupted by user for tool use]",
    "[Request interrupted: the session ended before",
    "[Agent call interrupted: the process running",
    "[Tool call did not complete: the turn was ended",
    "[Tool call interrupted: the session ended before",
    "[Tool call result not in this copy: this session",
    "[Tool call skipped: the turn was stopped before",
    "[Tool call skipped: the turn ended to deliver",
    "The user doesn't want to take this action right now. STOP",
};

bool is_interruption(std::string_view text) {
  return std::any_of(std::begin(kInterruptions), std::end(kInterruptions),
                     [&](std::string_view begin) { return text.starts_with(begin); });
}

/// Reads the members of one line; the cursor and what was found so far are its state.
class NodeScan {
 public:
  NodeScan(std::string_view line, Node& node) : reader_(line), node_(node) {}

  bool run() {
    const bool read = each_member(reader_, [this](std::string_view key) { return member(key); });
    if (!read || !reader_.at_end()) return false;
    finish();
    return true;
  }

 private:
  bool member(std::string_view key) {
    if (key == "type") return string_or_skip(reader_, type_);
    if (key == "uuid") return string_or_skip(reader_, node_.uuid);
    if (key == "parentUuid") return string_or_skip(reader_, node_.parent);
    if (key == "timestamp") return string_or_skip(reader_, node_.timestamp);
    if (key == "message") return reader_.peek() == '{' ? message() : skip_value(reader_);
    if (key == "isSidechain") return boolean_or_skip(reader_, node_.sidechain);
    if (key == "isMeta") return boolean_or_skip(reader_, node_.meta);
    if (key == "isCompactSummary") return boolean_or_skip(reader_, node_.compact_summary);
    if (key == "subtype") return string_or_skip(reader_, subtype_);
    if (key == "attachment") return reader_.peek() == '{' ? attachment() : skip_value(reader_);
    if (key == "compactMetadata") {
      return reader_.peek() == '{' ? compact_metadata() : skip_value(reader_);
    }
    if (key == "sourceToolAssistantUUID") return rare_string(&RareNode::source_assistant);
    if (key == "agentId") return rare_string(&RareNode::agent_id);
    if (key == "origin") return reader_.peek() == '{' ? origin() : skip_value(reader_);
    if (key == "teamName") return team_name();
    if (key == "promptSource") {
      node_.has_prompt_source = true;
      return skip_value(reader_);
    }
    if (key == "operation") return string_or_skip(reader_, operation_);
    if (key == "reason") return string_or_skip(reader_, reason_);
    if (key == "deliveryId") return string_or_skip(reader_, delivery_);
    if (key == "commandUuid") return string_or_skip(reader_, command_);
    return skip_value(reader_);
  }

  bool rare_string(std::string RareNode::*to) {
    if (reader_.peek() != '"') return skip_value(reader_);
    return reader_.string(node_.make_rare().*to);
  }

  bool team_name() {
    std::string name;
    if (!string_or_skip(reader_, name)) return false;
    node_.in_team = !name.empty();
    return true;
  }

  bool origin() {
    return each_member(reader_, [this](std::string_view key) {
      return key == "kind" ? string_or_skip(reader_, origin_kind_) : skip_value(reader_);
    });
  }

  bool message() {
    return each_member(reader_, [this](std::string_view key) {
      if (key == "id") return string_or_skip(reader_, message_id_);
      if (key != "content") return skip_value(reader_);
      if (reader_.peek() == '"') {
        whole_text_ = true;
        return beginning(last_text_);
      }
      if (reader_.peek() != '[') return skip_value(reader_);
      return each_item(reader_, [this] {
        ++blocks_;
        return reader_.peek() == '{' ? block() : skip_value(reader_);
      });
    });
  }

  bool block() {
    std::string kind, id, tool_use_id, text, content;
    bool is_error = false;
    const bool read = each_member(reader_, [&](std::string_view key) {
      if (key == "type") return string_or_skip(reader_, kind);
      if (key == "id") return string_or_skip(reader_, id);
      if (key == "tool_use_id") return string_or_skip(reader_, tool_use_id);
      if (key == "text") return beginning(text);
      if (key == "content") return beginning(content);
      if (key == "is_error") return boolean_or_skip(reader_, is_error);
      return skip_value(reader_);
    });
    if (!read) return false;
    if (kind == "tool_use" && !id.empty()) node_.make_rare().tool_use_ids.push_back(std::move(id));
    if (kind == "tool_result") {
      node_.has_tool_result = true;
      if (!tool_use_id.empty()) {
        node_.make_rare().tool_result_ids.push_back(std::move(tool_use_id));
      }
      if (is_error && is_interruption(content)) ++interruptions_;
    }
    if (kind == "text") {
      if (is_interruption(text)) ++interruptions_;
      last_text_ = std::move(text);
    }
    return true;
  }

  /// The first bytes of a string, enough to tell the agent's own texts apart: those have nothing in
  /// them that JSON would escape.
  bool beginning(std::string& out) {
    constexpr std::size_t kEnough = 256;
    if (reader_.peek() != '"') return skip_value(reader_);
    std::string_view inside;
    bool escaped = false;
    if (!reader_.string_span(inside, escaped)) return false;
    out = inside.substr(0, std::min(kEnough, inside.find('\\')));
    return true;
  }

  bool attachment() {
    std::string kind, delivery, source;
    const char* from = reader_.position();
    const bool read = each_member(reader_, [&](std::string_view key) {
      if (key == "type") return string_or_skip(reader_, kind);
      if (key == "delivery_id") return string_or_skip(reader_, delivery);
      if (key == "source_uuid") return string_or_skip(reader_, source);
      return skip_value(reader_);
    });
    if (!read) return false;
    node_.fork_briefing = kind == "fork_briefing";
    if (kind == "queued_command") {
      node_.queued_command = true;
      RareNode& rare = node_.make_rare();
      rare.delivery_id = std::move(delivery);
      rare.source_uuid = std::move(source);
      rare.queued_command.assign(from, reader_.position());
    }
    return true;
  }

  bool compact_metadata() {
    return each_member(reader_, [this](std::string_view key) {
      if ((key == "preservedMessages" || key == "preservedSegment") && reader_.peek() == '{') {
        // A list of messages is more exact than a segment, whichever comes first.
        Preserved preserved;
        if (!read_preserved(preserved)) return false;
        RareNode& rare = node_.make_rare();
        if (key == "preservedMessages" || !rare.preserved) rare.preserved = std::move(preserved);
        return true;
      }
      return skip_value(reader_);
    });
  }

  bool read_preserved(Preserved& out) {
    return each_member(reader_, [&](std::string_view key) {
      if (key == "anchorUuid") return string_or_skip(reader_, out.anchor);
      if (key == "headUuid") return string_or_skip(reader_, out.head);
      if (key == "tailUuid") return string_or_skip(reader_, out.tail);
      if (key != "uuids" || reader_.peek() != '[') return skip_value(reader_);
      return each_item(reader_, [&] { return string_or_skip(reader_, out.uuids.emplace_back()); });
    });
  }

  void finish() {
    node_.type = type_named(type_);
    if (node_.type == NodeType::assistant) node_.message_id = std::move(message_id_);
    if (node_.type == NodeType::user) {
      node_.command_text = command_text_of(last_text_);
      node_.interruption =
          whole_text_ ? is_interruption(last_text_) : blocks_ > 0 && interruptions_ == blocks_;
    }
    node_.meta_but_said = node_.meta && is_shown_origin(origin_kind_);
    node_.compact_boundary = node_.type == NodeType::system && subtype_ == "compact_boundary";
    if (!node_.compact_boundary && node_.rare) node_.rare->preserved.reset();
    if (node_.type == NodeType::queue_operation && operation_ == "remove" &&
        reason_ == "absorbed_mid_turn") {
      node_.absorbed_mid_turn = true;
      RareNode& rare = node_.make_rare();
      rare.removed_delivery = std::move(delivery_);
      rare.removed_command = std::move(command_);
    }
    if (node_.type != NodeType::attachment) node_.queued_command = node_.fork_briefing = false;
  }

  JsonReader reader_;
  Node& node_;
  std::string type_, subtype_, message_id_, last_text_, origin_kind_;
  std::string operation_, reason_, delivery_, command_;
  bool whole_text_ = false;
  std::size_t blocks_ = 0, interruptions_ = 0;
};

}  // namespace

bool is_shown_origin(std::string_view kind) {
  return kind == "channel" || kind == "observer" || kind == "observer-activity" ||
         kind == "slack-ping" || kind == "voice-call" || kind == "peer";
}

std::optional<Node> read_node(std::string_view line, std::uint64_t offset) {
  Node node;
  node.offset = offset;
  node.length = line.size();
  if (!NodeScan(line, node).run()) return std::nullopt;
  return node;
}

}  // namespace parley::history
