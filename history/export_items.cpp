#include "history/export_items.hpp"

#include <algorithm>
#include <map>

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

class Turns {
 public:
  std::vector<ExportTurn> run(const std::vector<Message>& messages) {
    for (const Message& message : messages) {
      auto json = message.message ? message.message->json() : Result<Json>(Json());
      if (json) add(message, *json);
    }
    std::erase_if(turns_, [](const ExportTurn& turn) { return turn.blocks.empty(); });
    return std::move(turns_);
  }

 private:
  void add(const Message& message, const Json& json) {
    const bool goes_on = !turns_.empty() && turns_.back().role == "assistant" &&
                         (message.type == "assistant" || only_results(json["content"]));
    if (!goes_on) {
      turns_.push_back({message.type, message.timestamp.value_or(""), message.uuid, {}});
    }
    const Json& content = json["content"];
    if (content.is_string()) text(content.as_string());
    for (const Json& block : content.items()) add_block(block);
  }

  static bool only_results(const Json& content) {
    return !content.items().empty() &&
           std::all_of(content.items().begin(), content.items().end(), [](const Json& block) {
             return block["type"].as_string() == "tool_result";
           });
  }

  ExportBlock& new_block(ExportBlock::Kind kind) {
    turns_.back().blocks.emplace_back().kind = kind;
    return turns_.back().blocks.back();
  }
  void text(std::string_view value) {
    if (!value.empty()) new_block(ExportBlock::Kind::kText).text = value;
  }

  void add_block(const Json& block) {
    const std::string_view type = block["type"].as_string();
    if (type == "text") return text(block["text"].as_string());
    if (type == "thinking") {
      if (block["thinking"].as_string().empty()) return;
      new_block(ExportBlock::Kind::kThinking).text = block["thinking"].as_string();
    } else if (type == "tool_use" || type == "server_tool_use" || type == "mcp_tool_use") {
      ExportBlock& call = new_block(ExportBlock::Kind::kTool);
      call.tool = block["name"].as_string();
      call.input = block["input"];
      calls_[std::string(block["id"].as_string())] = {turns_.size() - 1,
                                                      turns_.back().blocks.size() - 1};
    } else if (type == "tool_result") {
      result(block);
    } else {
      new_block(ExportBlock::Kind::kOther).text = type;
    }
  }

  void result(const Json& block) {
    const auto call = calls_.find(std::string(block["tool_use_id"].as_string()));
    if (call == calls_.end()) {
      ExportBlock& lone = new_block(ExportBlock::Kind::kTool);
      lone.tool = "result";
      lone.result = result_text(block["content"]);
      return;
    }
    ExportBlock& answered = turns_[call->second.first].blocks[call->second.second];
    answered.result = result_text(block["content"]);
    answered.failed = block["is_error"].as_bool();
  }

  std::vector<ExportTurn> turns_;
  std::map<std::string, std::pair<std::size_t, std::size_t>> calls_;
};

}  // namespace

std::vector<ExportTurn> make_turns(const std::vector<Message>& messages) {
  return Turns().run(messages);
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
