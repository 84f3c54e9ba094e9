#include "history/export/items.hpp"
#include "support/text/line_diff.hpp"
#include "support/time.hpp"

namespace parley::history {
namespace {

constexpr std::string_view kStyle = R"css(
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --user: #3b82f61a; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin-bottom: .2rem; }
.facts, time { color: #888; font-size: .85rem; }
article { border-top: 1px solid var(--line); padding: .8rem 0; }
article.user { background: var(--user); border-radius: .5rem; border-top: 0; padding: .8rem 1rem; }
h2 { font-size: .9rem; margin: 0 0 .4rem; display: flex; gap: .6rem; align-items: baseline; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; margin: .4rem 0; }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .5rem 0; }
summary { cursor: pointer; padding: .3rem .6rem; overflow-wrap: anywhere; }
summary b { font-family: ui-monospace, monospace; }
.failed summary b { color: #dc2626; }
pre { margin: 0; padding: .6rem; overflow-x: auto; background: var(--soft); font: 13px/1.45 ui-monospace, monospace; border-top: 1px solid var(--line); }
pre .add { background: #22c55e33; display: block; }
pre .del { background: #ef444433; display: block; }
pre .same { display: block; }
)css";

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  for (const char c : text) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string diff_html(const FileChange& change) {
  std::string out = "<pre>";
  for (const DiffLine& line : line_diff(change.before, change.after)) {
    const char* kind = line.mark == '+' ? "add" : line.mark == '-' ? "del" : "same";
    out +=
        std::string("<span class=\"") + kind + "\">" + line.mark + escaped(line.text) + "</span>";
  }
  return out + "</pre>";
}

std::string tool_html(const ExportBlock& block) {
  std::string out = block.failed ? "<details class=\"failed\">" : "<details>";
  out += "<summary><b>" + escaped(block.tool) + "</b> " + escaped(headline_of(block.input)) +
         (block.failed ? " (failed)" : "") + "</summary>";
  const auto changes = file_changes(block.tool, block.input);
  for (const FileChange& change : changes) out += diff_html(change);
  if (changes.empty() && !block.input.is_null()) {
    out += "<pre>" + escaped(block.input.dump(2)) + "</pre>";
  }
  if (block.result) out += "<pre>" + escaped(*block.result) + "</pre>";
  return out + "</details>\n";
}

std::string block_html(const ExportBlock& block) {
  switch (block.kind) {
    case ExportBlock::Kind::text: return "<div class=\"text\">" + escaped(block.text) + "</div>\n";
    case ExportBlock::Kind::thinking:
      return "<details><summary>Thinking</summary><pre>" + escaped(block.text) +
             "</pre></details>\n";
    case ExportBlock::Kind::tool: return tool_html(block);
    case ExportBlock::Kind::other:
      return "<div class=\"text\">[" + escaped(block.text) + "]</div>\n";
  }
  return {};
}

}  // namespace

std::string html_head(const SessionInfo& info) {
  const std::string title = escaped(info.summary);
  // The policy makes sure that nothing in a conversation can run or be loaded.
  std::string out =
      "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" +
      title + "</title>\n<style>" + std::string(kStyle) + "</style>\n<h1>" + title +
      "</h1>\n<p class=\"facts\">" + escaped(info.sessionId);
  if (info.cwd) out += " · " + escaped(*info.cwd);
  if (info.gitBranch) out += " · " + escaped(*info.gitBranch);
  if (info.createdAt) out += " · " + format_time(*info.createdAt);
  return out + "</p>\n";
}

std::string html_turn(const ExportTurn& turn) {
  const std::string role = turn.role == "user" || turn.role == "assistant" ? turn.role : "system";
  std::string out =
      "<article class=\"" + role + "\" id=\"" + escaped(turn.uuid) + "\">\n<h2>" + role +
      (turn.timestamp.empty() ? "" : " <time>" + escaped(turn.timestamp) + "</time>") + "</h2>\n";
  for (const ExportBlock& block : turn.blocks) out += block_html(block);
  return out + "</article>\n";
}

std::string html_end() { return "</html>\n"; }

}  // namespace parley::history
