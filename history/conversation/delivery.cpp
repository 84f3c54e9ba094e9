#include "history/conversation/delivery.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "wire/json/json.hpp"

namespace parley::history {
namespace {

CommandText command_text(const Node& node) {
  return node.has_prompt_source ? CommandText::none : node.command_text;
}

/// For each step, whether the next thing said after it came from the model.
std::vector<bool> answered(const std::vector<Node>& nodes, const std::vector<Step>& steps) {
  std::vector<bool> result(steps.size());
  bool reply_follows = false;
  for (std::size_t i = steps.size(); i-- > 0;) {
    const Node& node = nodes[steps[i].node];
    result[i] = reply_follows;
    if (node.type == NodeType::assistant ||
        (node.type == NodeType::user && node.has_tool_result && !node.parent.empty()) ||
        node.interruption) {
      reply_follows = true;
    } else if (node.type == NodeType::user && !node.meta && !node.compact_summary &&
               !steps[i].completed_command) {
      reply_follows = false;
    }
  }
  return result;
}

/// What the queue says was absorbed by a running turn. A delivery has an id of its own in newer
/// transcripts; in older ones the prompt's uuid names it.
class Absorbed {
 public:
  explicit Absorbed(const std::vector<Node>& nodes) {
    std::map<std::string_view, std::string_view> text_of;
    std::set<std::string_view> ambiguous, seen;
    std::unordered_map<std::string_view, std::vector<std::string_view>> copies;
    for (const Node& node : nodes) {
      if (!node.rare) continue;
      const RareNode& rare = *node.rare;
      if (node.absorbed_mid_turn) {
        if (!rare.removed_delivery.empty()) {
          ++deliveries_[rare.removed_delivery];
        } else if (!rare.removed_command.empty()) {
          ++prompts_[rare.removed_command];
        }
      }
      if (!node.queued_command || node.uuid.empty()) continue;
      if (!rare.delivery_id.empty()) {
        if (seen.insert(node.uuid).second) copies[rare.delivery_id].push_back(node.uuid);
      } else if (!rare.source_uuid.empty()) {
        const auto [known, added] = text_of.emplace(rare.source_uuid, rare.queued_command);
        if (!added && known->second != rare.queued_command) ambiguous.insert(rare.source_uuid);
      }
    }
    for (const std::string_view uuid : ambiguous) prompts_.erase(uuid);
    for (const auto& [delivery, uuids] : copies) {
      const auto count = deliveries_.find(delivery);
      if (count == deliveries_.end()) continue;
      const std::size_t taken = std::min(count->second, uuids.size());
      lines_.insert(uuids.end() - static_cast<std::ptrdiff_t>(taken), uuids.end());
    }
  }

  /// Overrides `result` for each step that the queue knows.
  void apply(const std::vector<Node>& nodes, const std::vector<Step>& steps,
             std::vector<bool>& result) const {
    std::unordered_map<std::string_view, std::vector<std::size_t>> by_prompt;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Node& node = nodes[steps[i].node];
      if (!node.queued_command) continue;
      if (!node.rare->delivery_id.empty()) {
        if (deliveries_.contains(node.rare->delivery_id)) result[i] = lines_.contains(node.uuid);
      } else if (prompts_.contains(node.rare->source_uuid)) {
        by_prompt[node.rare->source_uuid].push_back(i);
      }
    }
    for (const auto& [prompt, places] : by_prompt) {
      const std::size_t count = prompts_.find(prompt)->second;
      for (std::size_t i = 0; i < places.size(); ++i) {
        result[places[i]] = i + count >= places.size();
      }
    }
  }

 private:
  std::unordered_map<std::string_view, std::size_t> deliveries_, prompts_;
  std::unordered_set<std::string_view> lines_;  ///< uuids of attachments that were delivered.
};

/// Whether a queued command can be shown as something that somebody said.
bool is_showable(const Json& command, TranscriptKind kind) {
  const Json& prompt = command["prompt"];
  if (!prompt.is_string() && !prompt.is_array()) return false;
  if (command["forwardedIntent"]["lineage"].is_string()) return false;
  return !command["isMeta"].as_bool() || kind == TranscriptKind::subagent ||
         is_shown_origin(command["origin"]["kind"].as_string());
}

}  // namespace

void mark_commands(const std::vector<Node>& nodes, std::vector<Step>& steps) {
  bool looked = false;  // since the last thing that somebody said: another look finds the same
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Node& caveat = nodes[steps[i].node];
    if (caveat.type == NodeType::assistant || (caveat.type == NodeType::user && !caveat.meta)) {
      looked = false;
    }
    if (looked || caveat.type != NodeType::user || !caveat.meta ||
        command_text(caveat) != CommandText::caveat) {
      continue;
    }
    looked = true;
    bool recorded = false;
    for (std::size_t j = i + 1; j < steps.size(); ++j) {
      const Node& node = nodes[steps[j].node];
      if (node.type == NodeType::assistant) break;
      if (node.type != NodeType::user || node.meta) continue;
      const CommandText text = command_text(node);
      if (text == CommandText::record && !recorded) {
        recorded = true;
      } else if (text != CommandText::output || !recorded) {
        break;
      }
      steps[j].completed_command = true;
    }
  }
}

void mark_delivered(const std::vector<Node>& nodes, std::vector<Step>& steps, std::size_t waiting,
                    TranscriptKind kind) {
  std::vector<bool> delivered = answered(nodes, steps);
  for (std::size_t i = waiting; i < steps.size(); ++i) delivered[i] = true;
  if (kind == TranscriptKind::main) Absorbed(nodes).apply(nodes, steps, delivered);

  std::unordered_set<std::string_view> uuids;
  for (const Step& step : steps) uuids.insert(nodes[step.node].uuid);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Node& node = nodes[steps[i].node];
    if (!delivered[i] || steps[i].completed_command || !node.queued_command) continue;
    auto command = Json::parse(node.rare->queued_command);
    if (!command || !is_showable(*command, kind)) continue;
    // The prompt itself may be in the conversation, under the uuid that its sender gave it.
    const std::string_view shown_as =
        node.rare->source_uuid.empty() ? node.uuid : node.rare->source_uuid;
    if (shown_as != node.uuid && !uuids.insert(shown_as).second) continue;
    steps[i].from_queue = true;
  }
}

}  // namespace parley::history
