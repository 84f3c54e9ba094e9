#include "history/export/items.hpp"

#include <algorithm>

namespace parley::history {
namespace {

/// The text of a tool result, which is a string or a list of blocks.
std::string result_text(const Json& content) {
  if (content.is_string()) return std::string(content.as_string());
  std::string text;
  for (const Json& block : content.items()) {
    if (!text.empty()) text += '\n';
    if (block["type"].as_string() == "text") {
      text += block["text"].as_string();
    } else {
      text += "[" + std::string(block["type"].as_string("unknown")) + "]";
    }
  }
  return text;
}

bool only_results(const Json& content) {
  return !content.items().empty() &&
         std::all_of(content.items().begin(), content.items().end(),
                     [](const Json& block) { return block["type"].as_string() == "tool_result"; });
}

}  // namespace

void TurnMaker::add(const Message& message) {
  auto json = message.message ? message.message->json() : Result<Json>(Json());
  if (!json) return;
  const Json& content = (*json)["content"];
  const bool goes_on = !turns_.empty() && turns_.back().turn.role == "assistant" &&
                       (message.type == "assistant" || only_results(content));
  if (!goes_on) {
    turns_.push_back({{message.type, message.timestamp.value_or(""), message.uuid, {}}});
  }
  if (content.is_string()) add_text(content.as_string());
  for (const Json& block : content.items()) add_block(block);
}

std::vector<ExportTurn> TurnMaker::take_complete() {
  constexpr std::size_t kMostWaiting = 64;
  std::vector<ExportTurn> complete;
  while (turns_.size() > 1 && (turns_.front().unanswered == 0 || turns_.size() > kMostWaiting)) {
    move_first(complete);
  }
  return complete;
}

std::vector<ExportTurn> TurnMaker::take_rest() {
  std::vector<ExportTurn> rest;
  while (!turns_.empty()) move_first(rest);
  return rest;
}

void TurnMaker::move_first(std::vector<ExportTurn>& to) {
  if (turns_.front().unanswered > 0) {
    std::erase_if(calls_, [this](const auto& call) { return call.second.turn == moved_; });
  }
  if (!turns_.front().turn.blocks.empty()) to.push_back(std::move(turns_.front().turn));
  turns_.pop_front();
  ++moved_;
}

ExportBlock& TurnMaker::new_block(ExportBlock::Kind kind) {
  std::vector<ExportBlock>& blocks = turns_.back().turn.blocks;
  blocks.emplace_back().kind = kind;
  return blocks.back();
}

void TurnMaker::add_text(std::string_view text) {
  if (!text.empty()) new_block(ExportBlock::Kind::text).text = text;
}

void TurnMaker::add_block(const Json& block) {
  const std::string_view type = block["type"].as_string();
  if (type == "text") {
    add_text(block["text"].as_string());
  } else if (type == "thinking") {
    if (block["thinking"].as_string().empty()) return;
    new_block(ExportBlock::Kind::thinking).text = block["thinking"].as_string();
  } else if (type == "tool_use" || type == "server_tool_use" || type == "mcp_tool_use") {
    ExportBlock& call = new_block(ExportBlock::Kind::tool);
    call.tool = block["name"].as_string();
    call.input = block["input"];
    OpenTurn& last = turns_.back();
    ++last.unanswered;
    const Call place{moved_ + turns_.size() - 1, last.turn.blocks.size() - 1};
    const auto [known, added] = calls_.emplace(block["id"].as_string(), place);
    if (!added) {  // an id that comes twice: the result belongs to the later call
      --turns_[known->second.turn - moved_].unanswered;
      known->second = place;
    }
  } else if (type == "tool_result") {
    add_result(block);
  } else {
    new_block(ExportBlock::Kind::other).text = type;
  }
}

void TurnMaker::add_result(const Json& block) {
  const auto call = calls_.find(std::string(block["tool_use_id"].as_string()));
  if (call == calls_.end()) {
    ExportBlock& lone = new_block(ExportBlock::Kind::tool);
    lone.tool = "result";
    lone.result = result_text(block["content"]);
    return;
  }
  OpenTurn& asked = turns_[call->second.turn - moved_];
  ExportBlock& answered = asked.turn.blocks[call->second.block];
  answered.result = result_text(block["content"]);
  answered.failed = block["is_error"].as_bool();
  --asked.unanswered;
  calls_.erase(call);
}

std::vector<ExportTurn> make_turns(const std::vector<Message>& messages) {
  TurnMaker maker;
  for (const Message& message : messages) maker.add(message);
  return maker.take_rest();
}

std::string headline_of(const Json& input) {
  constexpr std::size_t kMost = 100;
  for (const char* key : {"command", "file_path", "path", "pattern", "url", "query", "description",
                          "prompt", "notebook_path", "skill"}) {
    if (!input[key].is_string()) continue;
    std::string text(input[key].as_string());
    text = text.substr(0, text.find('\n'));
    if (text.size() > kMost) {
      std::size_t cut = kMost;
      while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80) --cut;
      text = text.substr(0, cut) + "…";
    }
    return text;
  }
  return {};
}

std::vector<FileChange> file_changes(const std::string& tool, const Json& input) {
  std::vector<FileChange> changes;
  const std::string path(input["file_path"].as_string());
  const auto text = [](const Json& json) { return std::string(json.as_string()); };
  if (tool == "Edit") {
    changes.push_back({path, text(input["old_string"]), text(input["new_string"])});
  } else if (tool == "MultiEdit") {
    for (const Json& edit : input["edits"].items()) {
      changes.push_back({path, text(edit["old_string"]), text(edit["new_string"])});
    }
  } else if (tool == "Write") {
    changes.push_back({path, "", text(input["content"])});
  }
  return changes;
}

}  // namespace parley::history
