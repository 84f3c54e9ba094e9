#include <iostream>
#include <unordered_map>

#include "apps/parley/commands.hpp"
#include "apps/parley/sessions/sessions.hpp"
#include "apps/parley/terminal.hpp"
#include "history/conversation/transcript.hpp"
#include "history/export/items.hpp"
#include "wire/codec/codec.hpp"

namespace parley::app {
namespace {

constexpr std::size_t kResultLines = 10;

std::string first_lines(std::string_view text, std::size_t most) {
  std::size_t at = 0;
  for (std::size_t line = 0; line < most && at < text.size(); ++line) {
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  }
  return std::string(text.substr(0, at)) + (at < text.size() ? "…\n" : "");
}

void print_block(const history::ExportBlock& block, bool tools) {
  using Kind = history::ExportBlock::Kind;
  switch (block.kind) {
    case Kind::text: std::cout << printable(block.text) << "\n"; break;
    case Kind::thinking:
      if (tools) std::cout << coloured(printable(block.text), kDim) << "\n";
      break;
    case Kind::tool:
      std::cout << coloured("• " + on_one_line(block.tool), block.failed ? kRed : kCyan) << " "
                << on_one_line(history::headline_of(block.input)) << "\n";
      if (tools && block.result) {
        std::cout << coloured(printable(first_lines(*block.result, kResultLines)), kDim) << "\n";
      }
      break;
    case Kind::other: std::cout << "[" << on_one_line(block.text) << "]\n"; break;
  }
}

void print_tree_node(const history::TreeNode& node, std::size_t depth) {
  const std::string line = std::string(std::min<std::size_t>(depth, 30) * 2, ' ') +
                           (node.alive ? "● " : "○ ") + node.type + " " + on_one_line(node.uuid) +
                           " " + on_one_line(node.timestamp);
  std::cout << (node.alive ? line : coloured(line, kDim)) << "\n";
}

}  // namespace

int show_session(const SessionsOptions& options, const ShowCommand& command) {
  const Interrupt interrupt;
  auto place = history::find_session(options.scope(), command.session);
  if (!place) return fail(place.error());
  history::ReadOptions read;
  read.limit = command.all ? 0 : command.limit;
  read.offset = command.offset;
  read.from_end = !command.first && !command.all;
  read.include_system = command.system;
  read.stop = interrupt.token();
  auto page = command.agent.empty() ? history::read_messages(*place, read)
                                    : history::read_subagent_messages(*place, command.agent, read);
  if (!page) return fail(page.error());
  if (options.json) {
    std::cout << printable_json(encode(page->messages)) << '\n';
  } else {
    for (const history::ExportTurn& turn : history::make_turns(page->messages)) {
      std::cout << coloured(turn.role, kBold) << "  "
                << coloured(on_one_line(turn.timestamp) + "  " + on_one_line(turn.uuid), kDim)
                << "\n";
      for (const history::ExportBlock& block : turn.blocks) print_block(block, command.tools);
      std::cout << "\n";
    }
    if (output_is_terminal() && read.limit != 0 && page->messages.size() == read.limit) {
      std::cout << coloured(std::string(command.first ? "Later" : "Earlier") +
                                " messages: --offset " + std::to_string(read.offset + read.limit) +
                                ", or --all",
                            kDim)
                << "\n";
    }
  }
  tell(page->report);
  return kSuccess;
}

int show_tree(const SessionsOptions& options, const std::string& session) {
  const Interrupt interrupt;
  auto place = history::find_session(options.scope(), session);
  if (!place) return fail(place.error());
  auto tree = history::read_tree(*place, interrupt.token());
  if (!tree) return fail(tree.error());
  if (options.json) {
    Json list = Json::array();
    for (const history::TreeNode& node : tree->nodes) {
      list.push(Json::object({{"uuid", node.uuid},
                              {"parentUuid", node.parent.empty() ? Json() : Json(node.parent)},
                              {"type", node.type},
                              {"timestamp", node.timestamp},
                              {"alive", node.alive}}));
    }
    std::cout << printable_json(list.dump()) << '\n';
  } else {
    // Only where a branch leaves the main line does the indentation grow.
    std::unordered_map<std::string, std::size_t> depth, children;
    for (const history::TreeNode& node : tree->nodes) {
      const auto parent = depth.find(node.parent);
      std::size_t own = parent == depth.end() ? 0 : parent->second;
      if (parent != depth.end() && children[node.parent]++ > 0) ++own;
      depth[node.uuid] = own;
      print_tree_node(node, own);
    }
  }
  tell(tree->report);
  return kSuccess;
}

int show_result(const SessionsOptions& options, const std::string& session, const std::string& id) {
  auto place = history::find_session(options.scope(), session);
  if (!place) return fail(place.error());
  if (id.empty()) {
    auto ids = history::list_stored_results(*place);
    if (!ids) return fail(ids.error());
    if (options.json) {
      Json list = Json::array();
      for (const std::string& stored : *ids) list.push(stored);
      std::cout << printable_json(list.dump()) << "\n";
      return kSuccess;
    }
    for (const std::string& stored : *ids) std::cout << on_one_line(stored) << "\n";
    if (ids->empty()) std::cout << "This session has no stored results.\n";
    return kSuccess;
  }
  auto text = history::read_stored_result(*place, id);
  if (!text) return fail(text.error());
  std::cout << (output_is_terminal() ? printable(*text) : *text);
  return kSuccess;
}

}  // namespace parley::app
