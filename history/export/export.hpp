// Writes a session for other eyes: the transcript itself (JSONL), Markdown, or one HTML page that
// needs nothing but itself.
#pragma once

#include <functional>
#include <stop_token>
#include <string_view>

#include "../listing/roots.hpp"

namespace parley::history {

enum class ExportFormat { jsonl, markdown, html };

/// Takes the next piece of the output; an error ends the export.
using Sink = std::function<Result<void>(std::string_view piece)>;

/// JSONL is the transcript byte by byte, whole lines only; the other two show the conversation as
/// it stands, tool calls with their results, with U+FFFD for what is not printable
/// (support/text/unprintable.hpp).
[[nodiscard]] Result<void> export_session(const SessionPlace& place, ExportFormat format,
                                          const Sink& sink, std::stop_token stop = {});

}  // namespace parley::history
