#include "history/conversation/conversation.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "history/conversation/delivery.hpp"
#include "history/conversation/parallel_calls.hpp"

namespace parley::history {
namespace {

/// The lines by uuid with their parents, which a compaction may have moved.
class Links {
 public:
  Links(const std::vector<Node>& nodes, bool with_notes) : nodes_(nodes) {
    slots_.reserve(nodes.size());
    entries_.reserve(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Node& node = nodes[i];
      const bool wanted =
          node.is_message() || node.type == NodeType::attachment ||
          (with_notes && (node.type == NodeType::system || node.type == NodeType::progress));
      if (!wanted || node.uuid.empty()) continue;
      const auto [found, added] = slots_.emplace(node.uuid, entries_.size());
      if (added) {
        entries_.push_back({i, node.parent});
      } else {
        entries_[found->second] = {i, node.parent};
      }
    }
    settle();
  }

  /// Index among the entries.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view uuid) const {
    if (uuid.empty()) return std::nullopt;
    const auto found = slots_.find(uuid);
    if (found == slots_.end()) return std::nullopt;
    return found->second;
  }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] std::size_t node_index(std::size_t entry) const { return entries_[entry].node; }
  [[nodiscard]] const Node& node(std::size_t entry) const { return nodes_[entries_[entry].node]; }
  [[nodiscard]] std::string_view parent_uuid(std::size_t entry) const {
    return entries_[entry].parent;
  }
  [[nodiscard]] std::optional<std::size_t> parent(std::size_t entry) const {
    const std::size_t at = entries_[entry].parent_entry;
    return at == kNone ? std::nullopt : std::optional(at);
  }

  /// Puts what compactions kept behind their summaries. False if a line they name is missing.
  bool relink() {
    bool complete = true;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const Node& boundary = node(i);
      if (!boundary.rare || !boundary.rare->preserved) continue;
      const Preserved& kept = *boundary.rare->preserved;
      complete = complete && find(kept.anchor).has_value();
      if (!kept.uuids.empty()) {
        const bool all = std::all_of(kept.uuids.begin(), kept.uuids.end(),
                                     [&](const std::string& uuid) { return find(uuid); });
        if (!all) {
          complete = false;
          continue;
        }
        std::string_view before = kept.anchor;
        for (const std::string& uuid : kept.uuids) {
          set_parent(*find(uuid), before);
          before = uuid;
        }
        move_children(kept.anchor, kept.uuids.front(), kept.uuids.back());
      } else if (!kept.head.empty()) {
        if (const auto head = find(kept.head)) {
          set_parent(*head, kept.anchor);
        } else {
          complete = false;
        }
        move_children(kept.anchor, kept.head, kept.tail);
      }
    }
    if (!children_.empty()) settle();
    return complete;
  }

 private:
  static constexpr std::size_t kNone = SIZE_MAX;
  struct Entry {
    std::size_t node;
    std::string_view parent;
    std::size_t parent_entry = kNone;
  };

  /// Looks the parents up once: every walk asks for them again.
  void settle() {
    for (Entry& entry : entries_) entry.parent_entry = find(entry.parent).value_or(kNone);
  }

  void set_parent(std::size_t entry, std::string_view parent) {
    if (entries_[entry].parent == parent) return;
    entries_[entry].parent = parent;
    if (!children_.empty()) children_[parent].push_back(entry);
  }

  /// What hung on the summary now comes after the kept messages.
  void move_children(std::string_view anchor, std::string_view except, std::string_view to) {
    if (children_.empty()) {
      for (std::size_t i = 0; i < entries_.size(); ++i) children_[entries_[i].parent].push_back(i);
    }
    const std::vector<std::size_t> below = std::move(children_[anchor]);
    children_[anchor].clear();
    for (const std::size_t i : below) {
      if (entries_[i].parent != anchor) continue;  // moved away before
      if (node(i).uuid == except) {
        children_[anchor].push_back(i);
      } else {
        set_parent(i, to);
      }
    }
  }

  const std::vector<Node>& nodes_;
  std::vector<Entry> entries_;  ///< In order of first appearance; the last line of a uuid counts.
  std::unordered_map<std::string_view, std::size_t> slots_;
  /// By parent, filled when first needed; may name entries that have moved away since.
  std::unordered_map<std::string_view, std::vector<std::size_t>> children_;
};

/// Entries from the root down to `leaf`; a cycle is cut where it closes.
std::vector<std::size_t> chain_to(const Links& links, std::size_t leaf) {
  std::vector<std::size_t> chain;
  std::vector<bool> seen(links.size());
  for (std::optional<std::size_t> at = leaf; at && !seen[*at]; at = links.parent(*at)) {
    seen[*at] = true;
    chain.push_back(*at);
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

bool on_main_branch(const Node& node) {
  return !node.sidechain && !node.in_team && node.type != NodeType::progress && !node.fork_briefing;
}

/// Finds the nearest message at or above an entry, each entry looked at once.
class NearestMessage {
 public:
  explicit NearestMessage(const Links& links) : links_(links), known_(links.size()) {}

  std::optional<std::size_t> of(std::size_t entry) {
    std::vector<std::size_t> passed;
    std::optional<std::size_t> message;
    for (std::optional<std::size_t> at = entry; at; at = links_.parent(*at)) {
      if (links_.node(*at).is_message()) {
        message = at;
        break;
      }
      if (known_[*at]) {  // also a cycle: what is being looked at counts as leading nowhere
        message = *known_[*at];
        break;
      }
      known_[*at].emplace();
      passed.push_back(*at);
    }
    for (const std::size_t p : passed) known_[p] = message;
    return message;
  }

 private:
  const Links& links_;
  std::vector<std::optional<std::optional<std::size_t>>> known_;
};

/// The message that the conversation ends with: above the last line that nothing on the main branch
/// continues. A transcript without a main branch ends with the last message of any.
std::optional<std::size_t> find_leaf(const Links& links) {
  std::vector<bool> continued(links.size()), continued_on_main(links.size());
  for (std::size_t i = 0; i < links.size(); ++i) {
    const auto parent = links.parent(i);
    if (!parent) continue;
    continued[*parent] = true;
    if (on_main_branch(links.node(i))) continued_on_main[*parent] = true;
  }
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (on_main_branch(links.node(i)) && !continued_on_main[i]) ends.push_back(i);
  }
  std::sort(ends.begin(), ends.end(), [&](std::size_t a, std::size_t b) {
    return links.node_index(a) > links.node_index(b);
  });
  NearestMessage nearest(links);
  for (const std::size_t end : ends) {
    if (const auto message = nearest.of(end)) return message;
  }
  std::optional<std::size_t> last, last_plain;
  const auto later = [&](std::size_t a, std::optional<std::size_t> b) {
    return !b || links.node_index(a) > links.node_index(*b);
  };
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (continued[i]) continue;
    const auto message = nearest.of(i);
    if (!message) continue;
    const Node& node = links.node(*message);
    if (later(*message, last)) last = message;
    if (!node.sidechain && !node.in_team && !node.meta && later(*message, last_plain)) {
      last_plain = message;
    }
  }
  return last_plain ? last_plain : last;
}

/// Queued prompts that hang below the leaf and on no other branch: they arrived and wait.
std::vector<std::size_t> queued_below(const Links& links, const std::vector<Node>& nodes,
                                      const std::vector<std::size_t>& shown, std::size_t leaf) {
  std::unordered_map<std::string_view, std::vector<std::size_t>> children;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Node& node = links.node(i);
    if (node.is_message()) continue;
    if (!node.parent.empty()) children[node.parent].push_back(i);
    const std::string_view moved = links.parent_uuid(i);
    if (!moved.empty() && moved != node.parent) children[moved].push_back(i);
  }
  std::vector<bool> seen(links.size()), elsewhere(links.size());
  for (const std::size_t entry : shown) seen[entry] = true;
  const auto written_parent = [&](std::size_t entry) {
    return links.find(links.node(entry).parent);
  };
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Node& node = links.node(i);
    if (!node.is_message() || node.sidechain || node.in_team || seen[i]) continue;
    for (auto at = written_parent(i); at && !seen[*at] && !elsewhere[*at];
         at = written_parent(*at)) {
      elsewhere[*at] = true;
    }
  }
  std::vector<std::size_t> found, open = {leaf};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if (at != leaf) {
      if (seen[at]) continue;
      seen[at] = true;
      if (nodes[links.node_index(at)].queued_command && !elsewhere[at]) found.push_back(at);
    }
    const auto below = children.find(links.node(at).uuid);
    if (below == children.end()) continue;
    std::vector<std::size_t> next = below->second;
    std::stable_sort(next.begin(), next.end(), [&](std::size_t a, std::size_t b) {
      return links.node(a).timestamp < links.node(b).timestamp;
    });
    for (auto i = next.rbegin(); i != next.rend(); ++i) {
      if (!seen[*i]) open.push_back(*i);
    }
  }
  return found;
}

Conversation in_steps(const Links& links, const std::vector<std::size_t>& entries) {
  Conversation conversation;
  for (const std::size_t entry : entries) {
    conversation.steps.push_back({links.node_index(entry)});
  }
  return conversation;
}

}  // namespace

Conversation find_conversation(const std::vector<Node>& nodes) {
  Links links(nodes, true);
  const bool complete = links.relink();
  const auto leaf = find_leaf(links);
  if (!leaf) return {};
  const std::vector<std::size_t> chain = chain_to(links, *leaf);

  std::vector<const Node*> all;
  for (std::size_t i = 0; i < links.size(); ++i) all.push_back(&links.node(i));
  const std::vector<std::size_t> shown = add_parallel_calls(all, chain);
  const std::vector<std::size_t> waiting = queued_below(links, nodes, shown, *leaf);

  std::vector<std::size_t> entries = shown;
  entries.insert(entries.end(), waiting.begin(), waiting.end());
  Conversation conversation = in_steps(links, entries);
  conversation.kept_unknown = !complete;
  mark_commands(nodes, conversation.steps);
  mark_delivered(nodes, conversation.steps, shown.size(), TranscriptKind::main);
  return conversation;
}

Conversation find_subagent_conversation(const std::vector<Node>& nodes) {
  const Links links(nodes, false);
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (!nodes[i].is_message() || nodes[i].uuid.empty()) continue;
    Conversation conversation = in_steps(links, chain_to(links, *links.find(nodes[i].uuid)));
    mark_commands(nodes, conversation.steps);
    mark_delivered(nodes, conversation.steps, conversation.steps.size(), TranscriptKind::subagent);
    return conversation;
  }
  return {};
}

}  // namespace parley::history
