#include "history/search/search.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <unordered_set>

#include "history/scan/find_bytes.hpp"
#include "history/search/message_texts.hpp"
#include "support/text/utf8.hpp"
#include "support/time.hpp"

namespace parley::history {
namespace {

/// A line of a transcript can be megabytes long; a result shows this much on each side.
constexpr std::size_t kMostContext = 400;

/// Moves `at` to the beginning of the character it is in.
std::size_t character_begin(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80) --at;
  return at;
}

std::string context_before(std::string_view text, std::size_t at, std::size_t lines) {
  std::size_t from = at;
  for (std::size_t seen = 0; from > 0 && at - from < kMostContext; --from) {
    if (text[from - 1] == '\n' && seen++ == lines) break;
  }
  return std::string(text.substr(character_begin(text, from), at - character_begin(text, from)));
}

std::string context_after(std::string_view text, std::size_t at, std::size_t lines) {
  std::size_t to = at;
  for (std::size_t seen = 0; to < text.size() && to - at < kMostContext; ++to) {
    if (text[to] == '\n' && seen++ == lines) break;
  }
  return std::string(text.substr(at, character_begin(text, to) - at));
}

struct Found {
  std::size_t file;
  Hit hit;
};

bool wants(const SearchOptions& options, TextKind kind) {
  const auto& kinds = options.kinds;
  return kinds.empty() || std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

using CallIds = std::unordered_set<std::string>;

/// The ids of all calls of one tool: results do not say whose they are.
CallIds calls_of(const std::string& tool, const std::vector<ScanFile>& files,
                 const ScanOptions& options) {
  CallIds ids;
  std::mutex mutex;
  Report ignored;  // the search itself will report it
  const std::string needle = "\"" + tool + "\"";
  scan_files(
      files, {.stop = options.stop}, ignored, [&](std::size_t, const Block& block, std::size_t) {
        for (std::size_t at = find_bytes(block.text, needle); at != std::string_view::npos;) {
          const LineSpan span = line_around(block.text, at);
          LineTexts texts;
          if (read_texts(block.text.substr(span.begin, span.end - span.begin), texts)) {
            for (const LineTexts::Text& text : texts.texts) {
              if (text.tool != tool) continue;
              const std::lock_guard lock(mutex);
              ids.insert(text.call_id);
            }
          }
          if (span.end >= block.text.size()) break;
          at = find_bytes(block.text, needle, span.end);
        }
      });
  return ids;
}

class Searcher {
 public:
  /// `calls` are those of the tool that is asked for, if one is.
  Searcher(const SearchOptions& options, const CallIds& calls)
      : options_(&options), calls_(&calls) {}

  void scan(std::size_t file, const Block& block) {
    const std::string& needle = options_->pattern.needle();
    if (needle.empty()) {
      Block rest = block;
      Line line;
      while (take_line(rest, line)) take(file, line);
      return;
    }
    const std::string_view text = block.text;
    for (std::size_t at = next(text, 0); at != std::string_view::npos;) {
      const LineSpan span = line_around(text, at);
      take(file, {text.substr(span.begin, span.end - span.begin), block.offset + span.begin});
      if (span.end >= text.size()) break;
      at = next(text, span.end);
    }
  }

  std::vector<Found> found;
  std::size_t hits = 0;
  std::uint64_t damaged = 0;

 private:
  [[nodiscard]] std::size_t next(std::string_view text, std::size_t from) const {
    const std::string& needle = options_->pattern.needle();
    return options_->pattern.needle_ignores_case() ? find_ignoring_case(text, needle, from)
                                                   : find_bytes(text, needle, from);
  }

  void take(std::size_t file, const Line& line) {
    LineTexts texts;
    if (!read_texts(line.text, texts)) {
      ++damaged;
      return;
    }
    if (!in_time(texts.timestamp)) return;
    for (LineTexts::Text& text : texts.texts) {
      if (!wanted(text)) continue;
      const auto match = options_->pattern.find(text.text);
      if (!match) continue;
      ++hits;
      if (found.size() >= options_->most_hits) continue;
      Hit hit;
      hit.uuid = texts.uuid;
      hit.timestamp = texts.timestamp;
      hit.kind = text.kind;
      hit.tool = options_->tool.empty() ? std::move(text.tool) : options_->tool;
      hit.before = context_before(text.text, match->begin, options_->context_lines);
      hit.match = text.text.substr(match->begin, match->end - match->begin);
      hit.after = context_after(text.text, match->end, options_->context_lines);
      hit.offset = line.offset;
      found.push_back({file, std::move(hit)});
    }
  }

  [[nodiscard]] bool in_time(std::string_view timestamp) const {
    if (!options_->since_ms && !options_->until_ms) return true;
    const auto time = parse_time(timestamp);
    return time && (!options_->since_ms || *time >= *options_->since_ms) &&
           (!options_->until_ms || *time < *options_->until_ms);
  }

  [[nodiscard]] bool wanted(const LineTexts::Text& text) const {
    if (!wants(*options_, text.kind)) return false;
    if (options_->tool.empty()) return true;
    return text.kind == TextKind::tool_result
               ? calls_->contains(text.call_id)
               : text.kind == TextKind::tool_call && text.tool == options_->tool;
  }

  const SearchOptions* options_;
  const CallIds* calls_;
};

}  // namespace

std::string_view to_string(TextKind kind) {
  switch (kind) {
    case TextKind::prompt: return "user";
    case TextKind::answer: return "assistant";
    case TextKind::thinking: return "thinking";
    case TextKind::tool_call: return "call";
    case TextKind::tool_result: return "result";
    case TextKind::notice: return "system";
  }
  return "";
}

SearchResult search(const SearchOptions& options) {
  SearchResult result;
  std::vector<ScanFile> files = find_scan_files(options.scope, result.report);
  // The latest first: theirs are the hits to keep if there are too many.
  std::stable_sort(files.begin(), files.end(), [](const ScanFile& a, const ScanFile& b) {
    return a.modified_ms > b.modified_ms;
  });
  CallIds calls;
  if (!options.tool.empty() && wants(options, TextKind::tool_result)) {
    calls = calls_of(options.tool, files, options.scan);
  }
  std::vector<Searcher> searchers(scan_workers(), Searcher(options, calls));
  scan_files(files, options.scan, result.report,
             [&](std::size_t file, const Block& block, std::size_t worker) {
               searchers[worker].scan(file, block);
             });
  std::vector<Found> found;
  for (Searcher& part : searchers) {
    result.hits += part.hits;
    result.report.damaged_lines += part.damaged;
    std::move(part.found.begin(), part.found.end(), std::back_inserter(found));
  }
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return a.file != b.file ? a.file < b.file : a.hit.offset < b.hit.offset;
  });
  if (found.size() > options.most_hits) {
    found.erase(found.begin() + static_cast<std::ptrdiff_t>(options.most_hits), found.end());
  }
  std::map<std::pair<std::string, std::string>, std::size_t> groups;
  for (Found& item : found) {
    const ScanFile& file = files[item.file];
    const auto [group, added] = groups.emplace(
        std::make_pair(file.root + "/" + file.project, file.session_id), result.sessions.size());
    if (added) result.sessions.push_back({{file.root, file.project, file.session_id}, 0, {}});
    SessionHits& session = result.sessions[group->second];
    session.modified_ms = std::max(session.modified_ms, file.modified_ms);
    item.hit.agent_id = file.agent_id;
    session.hits.push_back(std::move(item.hit));
  }
  std::stable_sort(
      result.sessions.begin(), result.sessions.end(),
      [](const SessionHits& a, const SessionHits& b) { return a.modified_ms > b.modified_ms; });
  return result;
}

}  // namespace parley::history
