#include "history/conversation/transcript.hpp"

#include <algorithm>
#include <unordered_set>

#include "history/conversation/conversation.hpp"
#include "history/conversation/message.hpp"
#include "history/files/lines.hpp"
#include "history/listing/bulk_scan.hpp"

namespace parley::history {
namespace {

/// The first piece from the end; doubled until it holds the page. Some dozen messages of usual
/// size.
constexpr std::uint64_t kFirstPiece = std::uint64_t{256} << 10;

struct Nodes {
  std::vector<Node> nodes;
  Report report;
};

Result<Nodes> read_nodes(const File& file, std::uint64_t from, std::uint64_t to,
                         std::stop_token stop) {
  Nodes result;
  LineReader lines(file, from, to);
  Line line;
  while (lines.next(line)) {
    if (stop.stop_requested()) return Error(ErrorCode::cancelled, "stopped", file.path());
    auto node = read_node(line.text, line.offset);
    if (!node) {
      ++result.report.damaged_lines;
    } else if (node->absorbed_mid_turn ||
               (node->type != NodeType::other && node->type != NodeType::queue_operation)) {
      result.nodes.push_back(std::move(*node));
    }
  }
  if (lines.blocks().error()) return *lines.blocks().error();
  result.report.oversized_lines = lines.blocks().oversized_lines();
  return result;
}

/// What a reader of the conversation sees; the other steps only hold it together.
std::vector<Step> shown_steps(const std::vector<Node>& nodes, const std::vector<Step>& steps,
                              bool include_system) {
  std::vector<Step> shown;
  for (const Step& step : steps) {
    const Node& node = nodes[step.node];
    const bool wanted =
        step.from_queue || node.is_message() || (node.type == NodeType::system && include_system);
    const bool hidden_meta = node.meta && !node.meta_but_said && !step.from_queue;
    if (wanted && !hidden_meta && !node.sidechain && !node.in_team) shown.push_back(step);
  }
  return shown;
}

std::vector<Step> subagent_steps(const std::vector<Node>& nodes, const std::vector<Step>& steps) {
  std::vector<Step> shown;
  for (const Step& step : steps) {
    if (step.from_queue || nodes[step.node].is_message()) shown.push_back(step);
  }
  return shown;
}

/// The part of `steps` that the options ask for.
std::vector<Step> cut(const std::vector<Step>& steps, const ReadOptions& options) {
  const std::size_t left = steps.size() - std::min(options.offset, steps.size());
  const std::size_t count = options.limit == 0 ? left : std::min(options.limit, left);
  const std::size_t from = options.from_end ? left - count : steps.size() - left;
  const auto begin = steps.begin() + static_cast<std::ptrdiff_t>(from);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

/// Reads the messages of the steps again, this time with their texts.
Result<void> each_message(const File& file, const std::vector<Node>& nodes,
                          const std::vector<Step>& steps, const Parentage& parentage,
                          Report& report, const MessageSink& sink) {
  for (const Step& step : steps) {
    const Node& node = nodes[step.node];
    auto text = file.read_at(node.offset, static_cast<std::size_t>(node.length));
    if (!text) return text.error();
    auto message = make_message(*text, step, parentage);
    if (!message) {
      ++report.damaged_lines;  // rewritten or cut since
    } else if (auto taken = sink(std::move(*message)); !taken) {
      return taken;
    }
  }
  return {};
}

Result<Page> make_page(const File& file, Nodes&& read, const std::vector<Step>& steps,
                       const Parentage& parentage = {}) {
  Page page;
  page.report = std::move(read.report);
  page.messages.reserve(steps.size());
  auto made = each_message(file, read.nodes, steps, parentage, page.report,
                           [&](Message message) -> Result<void> {
                             page.messages.push_back(std::move(message));
                             return {};
                           });
  if (!made) return made.error();
  return page;
}

/// Whether the page keeps its beginning when more of the file becomes known: before its first step
/// there must be a message of the model that has no line in the page, so that no parallel call of
/// the page can have lines further up.
bool is_settled(const std::vector<Node>& nodes, const std::vector<Step>& shown, std::size_t first) {
  std::unordered_set<std::string_view> in_page;
  for (std::size_t i = first; i < shown.size(); ++i) {
    in_page.insert(nodes[shown[i].node].message_id);
  }
  bool model_before = false, user_before = false;
  for (std::size_t i = 0; i < first; ++i) {
    const Node& node = nodes[shown[i].node];
    if (node.type == NodeType::user) user_before = true;
    if (!node.message_id.empty() && !in_page.contains(node.message_id)) model_before = true;
  }
  return model_before && user_before;
}

Result<Page> read_page_from_end(const File& file, const ReadOptions& options) {
  auto state = file.state();
  if (!state) return state.error();
  const std::uint64_t size = state->size;
  const std::size_t wanted = options.offset + options.limit;
  for (std::uint64_t piece = kFirstPiece;; piece *= 2) {
    const std::uint64_t target = piece >= size ? 0 : size - piece;
    auto from = line_at_or_after(file, target, size);
    if (!from) return from.error();
    if (*from >= size && target != 0) continue;  // within one long line
    auto read = read_nodes(file, *from, size, options.stop);
    if (!read) return read.error();
    const Conversation conversation = find_conversation(read->nodes);
    const std::vector<Step> shown =
        shown_steps(read->nodes, conversation.steps, options.include_system);
    const bool whole = *from == 0;
    const bool enough = shown.size() > wanted && !conversation.kept_unknown &&
                        is_settled(read->nodes, shown, shown.size() - wanted);
    if (!whole && !enough) continue;
    auto page = make_page(file, std::move(*read), cut(shown, options));
    if (page && whole) page->total = shown.size();
    return page;
  }
}

std::string_view name_of(NodeType type) {
  switch (type) {
    case NodeType::user: return "user";
    case NodeType::assistant: return "assistant";
    case NodeType::system: return "system";
    case NodeType::attachment: return "attachment";
    default: return "progress";
  }
}

}  // namespace

Result<Page> read_messages(const SessionPlace& place, const ReadOptions& options) {
  auto file = open_transcript(place);
  if (!file) return file.error();
  if (options.from_end && options.limit != 0) return read_page_from_end(*file, options);
  auto read = read_nodes(*file, 0, UINT64_MAX, options.stop);
  if (!read) return read.error();
  const std::vector<Step> shown =
      shown_steps(read->nodes, find_conversation(read->nodes).steps, options.include_system);
  auto page = make_page(*file, std::move(*read), cut(shown, options));
  if (page) page->total = shown.size();
  return page;
}

Result<Report> for_each_message(const SessionPlace& place, const MessageSink& sink,
                                std::stop_token stop) {
  auto file = open_transcript(place);
  if (!file) return file.error();
  auto read = read_nodes(*file, 0, UINT64_MAX, stop);
  if (!read) return read.error();
  const std::vector<Step> shown =
      shown_steps(read->nodes, find_conversation(read->nodes).steps, false);
  const auto unless_stopped = [&](Message message) -> Result<void> {
    if (stop.stop_requested()) return Error(ErrorCode::cancelled, "stopped", file->path());
    return sink(std::move(message));
  };
  auto all = each_message(*file, read->nodes, shown, {}, read->report, unless_stopped);
  if (!all) return all.error();
  return std::move(read->report);
}

Result<Page> read_subagent_messages(const SessionPlace& place, std::string_view agent_id,
                                    const ReadOptions& options) {
  Report report;
  auto found = open_subagent(place, agent_id, report);
  if (!found) return found.error();
  const File& file = found->transcript;
  auto read = read_nodes(file, 0, UINT64_MAX, options.stop);
  if (!read) return read.error();
  read->report.merge(std::move(report));
  const std::vector<Step> shown =
      subagent_steps(read->nodes, find_subagent_conversation(read->nodes).steps);
  auto page = make_page(file, std::move(*read), cut(shown, options),
                        {found->agent.tool_use_id, found->agent.parent_agent_id});
  if (page) page->total = shown.size();
  return page;
}

Result<Tree> read_tree(const SessionPlace& place, std::stop_token stop) {
  auto file = open_transcript(place);
  if (!file) return file.error();
  auto read = read_nodes(*file, 0, UINT64_MAX, stop);
  if (!read) return read.error();
  Tree tree;
  tree.report = std::move(read->report);
  std::vector<bool> alive(read->nodes.size());
  for (const Step& step : find_conversation(read->nodes).steps) alive[step.node] = true;
  for (std::size_t i = 0; i < read->nodes.size(); ++i) {
    Node& node = read->nodes[i];
    if (node.uuid.empty() || node.type == NodeType::other ||
        node.type == NodeType::queue_operation) {
      continue;
    }
    tree.nodes.push_back({std::move(node.uuid), std::move(node.parent),
                          std::string(name_of(node.type)), std::move(node.timestamp), node.offset,
                          node.length, alive[i]});
  }
  return tree;
}

}  // namespace parley::history
