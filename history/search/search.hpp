// Full text search over all sessions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../listing/bulk_scan.hpp"
#include "pattern.hpp"

namespace parley::history {

/// What kind of text a hit is in.
enum class TextKind { prompt, answer, thinking, tool_call, tool_result, notice };

[[nodiscard]] std::string_view to_string(TextKind kind);

struct SearchOptions {
  Scope scope;
  Pattern pattern;
  /// Only these kinds; empty for all.
  std::vector<TextKind> kinds = {};
  /// Only calls and results of this tool; empty for all.
  std::string tool = {};
  std::optional<std::int64_t> since_ms = {}, until_ms = {};  ///< [since, until), 1970-based.
  std::size_t context_lines = 0;  ///< Before and after the line of the match.
  std::size_t most_hits = 10000;  ///< In all, of the latest files; more are counted, not kept.
  ScanOptions scan = {};
};

struct Hit {
  std::string uuid;  ///< Of the message: what to open.
  std::string timestamp;
  TextKind kind = TextKind::prompt;
  std::string tool;      ///< Name, for calls and, if a tool was asked for, results.
  std::string agent_id;  ///< If a subagent's transcript holds it.
  std::string before;    ///< Lines of context and the line of the match up to it.
  std::string match;
  std::string after;
  std::uint64_t offset = 0;  ///< Of the line in its file.
};

struct SessionHits {
  SessionPlace place;
  std::int64_t modified_ms = 0;
  std::vector<Hit> hits;  ///< The first match of each text, in the order of the files.
};

struct SearchResult {
  std::vector<SessionHits> sessions;  ///< The one changed last comes first.
  std::size_t hits = 0;               ///< All of them, also those beyond most_hits.
  Report report;
};

[[nodiscard]] SearchResult search(const SearchOptions& options);

}  // namespace parley::history
