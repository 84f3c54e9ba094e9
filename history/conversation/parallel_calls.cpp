#include "history/conversation/parallel_calls.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace parley::history {
namespace {

const std::vector<std::string>& result_ids(const Node& node) {
  static const std::vector<std::string> kNone;
  return node.rare && node.has_tool_result ? node.rare->tool_result_ids : kNone;
}

std::string_view agent_of(const Node& node) {
  return node.rare ? std::string_view(node.rare->agent_id) : std::string_view();
}

/// A result must not wander from a subagent into the main conversation.
bool same_side(const Node& a, const Node& b) {
  return a.sidechain == b.sidechain && agent_of(a) == agent_of(b);
}

class ParallelCalls {
 public:
  ParallelCalls(const std::vector<const Node*>& nodes, const std::vector<std::size_t>& chain)
      : nodes_(nodes), chain_(chain), shown_(nodes.size()) {
    for (const std::size_t i : chain) shown_[i] = true;
  }

  std::vector<std::size_t> run() {
    index();
    std::unordered_map<std::size_t, std::vector<std::size_t>> additions;
    std::unordered_set<std::string_view> done;
    for (const std::size_t i : chain_) {
      const std::string_view id = nodes_[i]->message_id;
      if (id.empty() || !done.insert(id).second) continue;
      auto added = missing_of(id);
      for (const std::size_t j : added) shown_[j] = true;
      if (!added.empty()) additions[last_on_chain_[id]] = std::move(added);
    }
    std::vector<std::size_t> all;
    for (const std::size_t i : chain_) {
      all.push_back(i);
      if (const auto more = additions.find(i); more != additions.end()) {
        all.insert(all.end(), more->second.begin(), more->second.end());
      }
    }
    return all;
  }

 private:
  void index() {
    std::unordered_map<std::string_view, std::size_t> by_uuid;
    by_uuid.reserve(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = *nodes_[i];
      by_uuid.emplace(node.uuid, i);
      if (node.message_id.empty()) continue;
      lines_of_[node.message_id].push_back(i);
      if (!node.rare) continue;
      for (const std::string& id : node.rare->tool_use_ids) {
        // A call that two messages claim is nobody's.
        const auto [owner, added] = caller_.emplace(id, i);
        if (added) continue;
        const bool same = owner->second && nodes_[*owner->second]->message_id == node.message_id;
        owner->second = same ? std::optional<std::size_t>(i) : std::nullopt;
      }
    }
    for (const std::size_t i : chain_) {
      if (!nodes_[i]->message_id.empty()) last_on_chain_[nodes_[i]->message_id] = i;
      for (const std::string& id : result_ids(*nodes_[i])) answered_.insert(id);
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = *nodes_[i];
      if (node.type != NodeType::user || !node.has_tool_result || node.parent.empty()) continue;
      const auto attach = [&](std::string_view uuid) {
        auto& results = results_below_[uuid];
        if (results.empty() || results.back() != i) results.push_back(i);
      };
      attach(node.parent);
      if (node.rare && node.rare->source_assistant != node.parent) {
        const auto source = by_uuid.find(node.rare->source_assistant);
        if (source != by_uuid.end() && same_side(node, *nodes_[source->second])) {
          attach(nodes_[source->second]->uuid);
        }
      }
      for (const std::string& id : result_ids(node)) {
        const auto caller = caller_.find(id);
        if (caller != caller_.end() && caller->second &&
            same_side(node, *nodes_[*caller->second])) {
          attach(nodes_[*caller->second]->uuid);
        }
      }
    }
  }

  /// The lines and results of one assistant message that the chain does not pass.
  std::vector<std::size_t> missing_of(std::string_view message_id) {
    const std::vector<std::size_t>& lines = lines_of_[message_id];
    std::unordered_set<std::string_view> uuids;
    for (const std::size_t i : lines) uuids.insert(nodes_[i]->uuid);
    std::vector<std::size_t> siblings, results, distant;
    std::unordered_set<std::size_t> seen;
    for (const std::size_t i : lines) {
      if (!shown_[i]) siblings.push_back(i);
      const auto below = results_below_.find(nodes_[i]->uuid);
      if (below == results_below_.end()) continue;
      for (const std::size_t j : below->second) {
        if (shown_[j] || !seen.insert(j).second) continue;
        (uuids.contains(nodes_[j]->parent) ? results : distant).push_back(j);
      }
    }
    take_distant(distant, uuids, results);
    const auto earlier = [this](std::size_t a, std::size_t b) {
      return nodes_[a]->timestamp < nodes_[b]->timestamp;
    };
    std::stable_sort(siblings.begin(), siblings.end(), earlier);
    std::stable_sort(results.begin(), results.end(), earlier);
    siblings.insert(siblings.end(), results.begin(), results.end());
    return siblings;
  }

  /// Results that hang elsewhere count only if they answer a call that has no answer yet.
  void take_distant(std::vector<std::size_t>& distant,
                    const std::unordered_set<std::string_view>& uuids,
                    std::vector<std::size_t>& results) {
    if (distant.empty()) return;
    std::unordered_set<std::string_view> answered_here;
    for (const std::size_t i : results) {
      for (const std::string& id : result_ids(*nodes_[i])) answered_here.insert(id);
    }
    std::sort(distant.begin(), distant.end());
    for (const std::size_t i : distant) {
      const auto& ids = result_ids(*nodes_[i]);
      const bool wanted = std::any_of(ids.begin(), ids.end(), [&](const std::string& id) {
        const auto caller = caller_.find(id);
        return !answered_.contains(id) && !answered_here.contains(id) && caller != caller_.end() &&
               caller->second && uuids.contains(nodes_[*caller->second]->uuid);
      });
      if (!wanted) continue;
      for (const std::string& id : ids) answered_here.insert(id);
      results.push_back(i);
    }
  }

  const std::vector<const Node*>& nodes_;
  const std::vector<std::size_t>& chain_;
  std::vector<bool> shown_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> lines_of_;
  std::unordered_map<std::string_view, std::optional<std::size_t>> caller_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> results_below_;
  std::unordered_map<std::string_view, std::size_t> last_on_chain_;
  std::unordered_set<std::string_view> answered_;
};

}  // namespace

std::vector<std::size_t> add_parallel_calls(const std::vector<const Node*>& nodes,
                                            const std::vector<std::size_t>& chain) {
  return ParallelCalls(nodes, chain).run();
}

}  // namespace parley::history
