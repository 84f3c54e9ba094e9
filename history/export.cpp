#include "history/export.hpp"

#include "history/export_items.hpp"
#include "history/lines.hpp"

namespace parley::history {
namespace {

Result<void> export_lines(const SessionPlace& place, const Sink& sink, std::stop_token stop) {
  auto file = open_transcript(place);
  if (!file) return file.error();
  BlockReader blocks(*file);
  Block block;
  while (blocks.next(block)) {
    if (stop.stop_requested()) return Error(ErrorCode::kCancelled, "stopped", file->path());
    if (auto written = sink(block.text); !written) return written;
    if (!block.text.ends_with('\n')) return sink("\n");  // the last line was being written
  }
  if (blocks.error()) return *blocks.error();
  return {};
}

}  // namespace

Result<void> export_session(const SessionPlace& place, ExportFormat format, const Sink& sink,
                            std::stop_token stop) {
  if (format == ExportFormat::kJsonl) return export_lines(place, sink, stop);
  auto project = open_project(place);
  if (!project) return project.error();
  auto info = read_session_info(*project, place);
  if (!info) return info.error();
  SessionInfo shown = info->value_or(SessionInfo());
  if (shown.sessionId.empty()) shown.sessionId = shown.summary = place.session_id;
  auto page = read_messages(place, {.stop = stop});
  if (!page) return page.error();
  const std::vector<ExportTurn> turns = make_turns(page->messages);
  return sink(format == ExportFormat::kHtml ? to_html(shown, turns) : to_markdown(shown, turns));
}

}  // namespace parley::history
