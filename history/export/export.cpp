#include "history/export/export.hpp"

#include "history/export/items.hpp"
#include "history/files/lines.hpp"
#include "support/text/unprintable.hpp"

namespace parley::history {
namespace {

Result<void> export_lines(const SessionPlace& place, const Sink& sink, std::stop_token stop) {
  auto file = open_transcript(place);
  if (!file) return file.error();
  BlockReader blocks(*file);
  Block block;
  while (blocks.next(block)) {
    if (stop.stop_requested()) return Error(ErrorCode::cancelled, "stopped", file->path());
    if (auto written = sink(block.text); !written) return written;
    if (!block.text.ends_with('\n')) return sink("\n");  // the last line was being written
  }
  if (blocks.error()) return *blocks.error();
  return {};
}

Result<SessionInfo> read_info(const SessionPlace& place) {
  auto project = open_project(place);
  if (!project) return project.error();
  auto info = read_session_info(*project, place);
  if (!info) return info.error();
  SessionInfo shown = info->value_or(SessionInfo());
  if (shown.sessionId.empty()) shown.sessionId = shown.summary = place.session_id;
  return shown;
}

}  // namespace

Result<void> export_session(const SessionPlace& place, ExportFormat format, const Sink& sink,
                            std::stop_token stop) {
  if (format == ExportFormat::jsonl) return export_lines(place, sink, stop);
  const bool html = format == ExportFormat::html;
  // Neither format has a use for control characters, but whoever looks at it in a terminal has.
  const auto write_text = [&](std::string_view text) { return sink(printable(text)); };
  auto info = read_info(place);
  if (!info) return info.error();
  if (auto begun = write_text(html ? html_head(*info) : markdown_head(*info)); !begun) {
    return begun;
  }

  TurnMaker maker;
  const auto write = [&](const std::vector<ExportTurn>& turns) -> Result<void> {
    for (const ExportTurn& turn : turns) {
      if (auto put = write_text(html ? html_turn(turn) : markdown_turn(turn)); !put) return put;
    }
    return {};
  };
  auto read = for_each_message(
      place,
      [&](const Message& message) {
        maker.add(message);
        return write(maker.take_complete());
      },
      stop);
  if (!read) return read.error();
  if (auto written = write(maker.take_rest()); !written) return written;
  return html ? sink(html_end()) : Result<void>();
}

}  // namespace parley::history
