#include <algorithm>

#include "history/export/items.hpp"
#include "support/text/line_diff.hpp"
#include "support/time.hpp"

namespace parley::history {
namespace {

/// A code block whose fence does not occur in it.
std::string fenced(std::string_view text, std::string_view language) {
  std::size_t longest = 2, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fence + std::string(language) + "\n" + std::string(text) +
         (text.ends_with('\n') ? "" : "\n") + fence + "\n";
}

/// Text within one line of Markdown or of an HTML summary.
std::string inline_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\n': out += ' '; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '*':
      case '_':
      case '`':
      case '[':
      case ']':
      case '\\':
        out += '\\';
        out += c;
        break;
      default: out += c;
    }
  }
  return out;
}

std::string tool_block(const ExportBlock& block) {
  const std::string headline = headline_of(block.input);
  std::string out = "<details><summary>" + inline_text(block.tool) +
                    (headline.empty() ? "" : ": " + inline_text(headline)) +
                    (block.failed ? " (failed)" : "") + "</summary>\n\n";
  const auto changes = file_changes(block.tool, block.input);
  for (const FileChange& change : changes) {
    std::string diff;
    for (const DiffLine& line : line_diff(change.before, change.after)) {
      diff += line.mark + std::string(line.text) + "\n";
    }
    out += fenced(diff, "diff") + "\n";
  }
  if (changes.empty() && !block.input.is_null()) {
    out += fenced(block.input.dump(2), "json") + "\n";
  }
  if (block.result) out += "Result:\n\n" + fenced(*block.result, "") + "\n";
  return out + "</details>\n";
}

std::string block_text(const ExportBlock& block) {
  switch (block.kind) {
    case ExportBlock::Kind::text: return block.text + "\n";
    case ExportBlock::Kind::thinking:
      return "<details><summary>Thinking</summary>\n\n" + block.text + "\n\n</details>\n";
    case ExportBlock::Kind::tool: return tool_block(block);
    case ExportBlock::Kind::other: return "[" + inline_text(block.text) + "]\n";
  }
  return {};
}

}  // namespace

std::string markdown_head(const SessionInfo& info) {
  std::string out = "# " + inline_text(info.summary) + "\n\n- Session: " + info.sessionId + "\n";
  if (info.cwd) out += "- Folder: " + inline_text(*info.cwd) + "\n";
  if (info.gitBranch) out += "- Branch: " + inline_text(*info.gitBranch) + "\n";
  if (info.createdAt) out += "- Begun: " + format_time(*info.createdAt) + "\n";
  return out;
}

std::string markdown_turn(const ExportTurn& turn) {
  const std::string title = turn.role == "user"        ? "User"
                            : turn.role == "assistant" ? "Assistant"
                                                       : "System";
  std::string out = "\n## " + title + (turn.timestamp.empty() ? "" : " · " + turn.timestamp) + "\n";
  for (const ExportBlock& block : turn.blocks) out += "\n" + block_text(block);
  return out;
}

}  // namespace parley::history
