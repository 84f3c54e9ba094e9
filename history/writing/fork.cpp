#include <map>
#include <unordered_map>

#include "history/conversation/node.hpp"
#include "history/files/lines.hpp"
#include "history/listing/session_info.hpp"
#include "history/writing/appender.hpp"
#include "history/writing/change.hpp"
#include "support/random.hpp"
#include "support/text/javascript_text.hpp"
#include "support/time.hpp"
#include "wire/json/json.hpp"

namespace parley::history {
namespace {

/// What tells where a line came from; in a copy it would be wrong.
constexpr const char* kDropped[] = {"teamName",
                                    "agentName",
                                    "sessionKind",
                                    "slug",
                                    "sourceToolAssistantUUID",
                                    "summarizedTurnPromptUuids",
                                    "droppedPromptUuids",
                                    "turnAttributionKey"};
/// Notes whose last line holds for the copy as well.
constexpr std::string_view kKeptNotes[] = {"atis-latch", "tools-used", "relocated",
                                           "history-suppression"};

struct Source {
  std::vector<Node> nodes;                        ///< Lines to copy, progress lines included.
  std::vector<std::string> replacements;          ///< Raw content-replacement lines.
  std::map<std::string, std::string> last_notes;  ///< By type.
};

bool is_conversation(const Node& node) {
  return !node.uuid.empty() && !node.sidechain && node.type != NodeType::other &&
         node.type != NodeType::queue_operation;
}

Result<Source> read_source(const File& file, std::stop_token stop) {
  Source source;
  LineReader lines(file);
  Line line;
  while (lines.next(line)) {
    if (stop.stop_requested()) return Error(ErrorCode::cancelled, "stopped", file.path());
    auto node = read_node(line.text, line.offset);
    if (!node) continue;
    if (is_conversation(*node)) {
      source.nodes.push_back(std::move(*node));
    } else if (node->type == NodeType::other) {
      auto entry = Json::parse(line.text);
      const std::string type(entry ? (*entry)["type"].as_string() : std::string_view());
      if (type == "content-replacement") source.replacements.emplace_back(line.text);
      for (const std::string_view kept : kKeptNotes) {
        if (type == kept) source.last_notes[type] = line.text;
      }
    }
  }
  if (lines.blocks().error()) return *lines.blocks().error();
  return source;
}

/// Cuts behind the message. A compaction's boundary is no place to end: the copy ends before it.
bool cut_behind(std::vector<Node>& nodes, const std::string& uuid) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool queued_as = nodes[i].queued_command && nodes[i].rare->source_uuid == uuid;
    if (nodes[i].uuid != uuid && !queued_as) continue;
    const std::size_t kept = nodes[i].compact_boundary ? i : i + 1;
    nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(kept), nodes.end());
    return true;
  }
  return false;
}

class Fork {
 public:
  Fork(const Source& source, std::string old_id, std::string new_id, std::string last_uuid)
      : source_(source),
        old_id_(std::move(old_id)),
        new_id_(std::move(new_id)),
        last_uuid_(std::move(last_uuid)) {
    for (const Node& node : source.nodes) {
      fresh_[node.uuid] = make_uuid();
      by_uuid_[node.uuid] = &node;
    }
  }

  /// The copy of one line.
  [[nodiscard]] Result<std::string> copy(const Node& node, std::string_view text) const {
    auto parsed = Json::parse(text);
    if (!parsed) return parsed.error();
    Json& entry = *parsed;
    entry.set("uuid", fresh_.at(node.uuid));
    entry.set("parentUuid", new_parent(node));
    if (entry["logicalParentUuid"].is_string()) {
      entry.set("logicalParentUuid", renamed(entry["logicalParentUuid"], true));
    }
    rename_preserved(entry);
    if (Json* attachment = entry.find("attachment"); attachment != nullptr && node.queued_command) {
      if (fresh_.contains(node.rare->source_uuid)) {
        attachment->set("source_uuid", fresh_.at(node.rare->source_uuid));
      }
    }
    if (&node == &source_.nodes.back()) entry.set("timestamp", timestamp());
    entry.set("sessionId", new_id_);
    entry.set("isSidechain", false);
    for (const char* key : kDropped) entry.erase(key);
    entry.set("forkedFrom", Json::object({{"sessionId", old_id_}, {"messageUuid", node.uuid}}));
    return entry.dump();
  }

 private:
  /// The nearest ancestor that is copied: progress lines are not.
  [[nodiscard]] Json new_parent(const Node& node) const {
    std::size_t steps = 0;
    for (auto at = by_uuid_.find(node.parent); at != by_uuid_.end() && steps <= by_uuid_.size();
         at = by_uuid_.find(at->second->parent), ++steps) {
      if (at->second->type != NodeType::progress) return Json(fresh_.at(at->second->uuid));
    }
    return nullptr;
  }

  [[nodiscard]] Json renamed(const Json& uuid, bool null_if_unknown) const {
    const auto found = fresh_.find(std::string(uuid.as_string()));
    if (found != fresh_.end()) return Json(found->second);
    return null_if_unknown ? Json() : uuid;
  }

  void rename_preserved(Json& entry) const {
    Json* metadata = entry.find("compactMetadata");
    if (metadata == nullptr) return;
    for (const char* kind : {"preservedMessages", "preservedSegment"}) {
      Json* kept = metadata->find(kind);
      if (kept == nullptr) continue;
      if ((*kept)["anchorUuid"].as_string() == last_uuid_) {
        metadata->erase(kind);  // the copy ends with the summary: nothing comes after it
        continue;
      }
      for (const char* key : {"anchorUuid", "headUuid", "tailUuid"}) {
        if (kept->find(key) != nullptr) kept->set(key, renamed((*kept)[key], false));
      }
      for (const char* key : {"uuids", "allUuids"}) {
        if (Json* list = kept->find(key); list != nullptr && list->is_array()) {
          for (Json& uuid : list->items()) uuid = renamed(uuid, false);
        }
      }
    }
    metadata->erase("runningTurnSends");
  }

  const Source& source_;
  std::string old_id_, new_id_, last_uuid_;
  std::unordered_map<std::string, std::string> fresh_;
  std::unordered_map<std::string_view, const Node*> by_uuid_;
};

std::string default_title(const SessionPlace& place) {
  std::string title = "Forked session";
  if (auto project = open_project(place)) {
    auto info = read_session_info(*project, place);
    if (info && info->has_value()) {
      title = (*info)->customTitle.value_or((*info)->firstPrompt.value_or(title));
    }
  }
  return title + " (fork)";
}

Result<void> append_notes(Appender& appender, const Source& source, const SessionPlace& place,
                          const std::string& title) {
  std::vector<std::string> lines = source.replacements;
  for (const auto& [type, line] : source.last_notes) lines.push_back(line);
  for (const std::string& line : lines) {
    auto entry = Json::parse(line);
    if (!entry) continue;
    entry->set("sessionId", place.session_id);
    if (auto written = appender.append(entry->dump()); !written) return written;
  }
  return appender.append(Json::object({{"type", "custom-title"},
                                       {"sessionId", place.session_id},
                                       {"customTitle", title},
                                       {"uuid", make_uuid()},
                                       {"timestamp", timestamp()}})
                             .dump());
}

}  // namespace

Result<SessionPlace> fork_session(const SessionPlace& place, const ForkOptions& options) {
  auto file = open_transcript(place);
  if (!file) return file.error();
  auto source = read_source(*file, options.stop);
  if (!source) return source.error();
  if (!options.up_to.empty() && !cut_behind(source->nodes, options.up_to)) {
    return Error(ErrorCode::not_found, "this session has no message " + options.up_to,
                 place.path());
  }
  while (!source->nodes.empty() && source->nodes.back().type == NodeType::progress) {
    source->nodes.pop_back();
  }
  if (source->nodes.empty()) {
    return Error(ErrorCode::invalid, "the session has no messages to fork", place.path());
  }

  SessionPlace copy = place;
  copy.session_id = make_uuid();
  auto appender = Appender::open(copy, {.existing = Existing::refused});
  if (!appender) return appender.error();
  const Fork fork(*source, place.session_id, copy.session_id, options.up_to);
  const auto write = [&]() -> Result<void> {
    for (const Node& node : source->nodes) {
      if (options.stop.stop_requested())
        return Error(ErrorCode::cancelled, "stopped", place.path());
      if (node.type == NodeType::progress) continue;
      auto text = file->read_at(node.offset, static_cast<std::size_t>(node.length));
      if (!text) return text.error();
      auto line = fork.copy(node, *text);
      if (!line) return line.error();
      if (auto written = appender->append(*line); !written) return written;
    }
    const std::string title(trimmed_unicode(options.title));
    auto noted =
        append_notes(*appender, *source, copy, title.empty() ? default_title(place) : title);
    return noted ? appender->sync() : noted;
  };
  if (auto written = write(); !written) {
    appender = written.error();  // gives the lock back
    (void)delete_session(copy);  // half a copy is worse than none; the first error counts
    return written.error();
  }
  return copy;
}

}  // namespace parley::history
