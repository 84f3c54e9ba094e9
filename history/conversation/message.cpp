#include "history/conversation/message.hpp"

#include <algorithm>
#include <iterator>

#include "history/scan/object_scan.hpp"
#include "wire/codec/codec.hpp"

namespace parley::history {

PARLEY_FIELDS(ToolResultNote, id, non_execution_kind)
PARLEY_FIELDS(Message, type, uuid, session_id, message, parent_tool_use_id, parent_agent_id,
              interruptedByShutdown, toolDenialUnanswered, tool_result_meta, isCompactSummary,
              is_meta, isQueuedCommand, isCompletedLocalCommand, timestamp, origin)

namespace {

constexpr std::string_view kDenialKinds[] = {
    "user-rejected",          "permission-rule", "automode-blocked", "automode-unavailable",
    "automode-parsing-error", "interrupted",     "cancelled"};

bool is_run_id(std::string_view text) {
  return !text.empty() && text.size() <= 128 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '.' || c == ':' || c == '-';
  });
}

/// A notification about a task keeps only what a client may know of it.
std::optional<RawJson> shown_origin(const Json& origin) {
  if (!origin.is_object()) return std::nullopt;
  if (origin["kind"].as_string() != "task-notification") return RawJson(origin.dump());
  Json shown = Json::object({{"kind", "task-notification"}});
  for (const char* key : {"subkind", "fireReason", "producer"}) {
    if (const Json* value = origin.find(key)) shown.set(key, *value);
  }
  if (is_run_id(origin["runId"].as_string())) shown.set("runId", origin["runId"]);
  if (origin["taskKind"].as_string() == "mcp-task") shown.set("taskKind", "mcp-task");
  return RawJson(shown.dump());
}

/// The members of a line that a message is made of.
struct LineMembers {
  std::string type, denial_kind, denial_unanswered;
  std::optional<std::string> uuid, session_id, timestamp;
  std::string_view message, origin, attachment;
  bool shutdown = false, summary = false, meta = false, transcript_only = false;

  bool read(std::string_view line) {
    JsonReader reader(line);
    const auto text = [&](std::optional<std::string>& out) {
      return reader.peek() == '"' ? reader.string(out.emplace()) : skip_value(reader);
    };
    return each_member(reader,
                       [&](std::string_view key) {
                         if (key == "type") return string_or_skip(reader, type);
                         if (key == "uuid") return text(uuid);
                         if (key == "sessionId") return text(session_id);
                         if (key == "timestamp") return text(timestamp);
                         if (key == "message") return reader.skip(message);
                         if (key == "origin") return reader.skip(origin);
                         if (key == "attachment") return reader.skip(attachment);
                         if (key == "interruptedByShutdown")
                           return boolean_or_skip(reader, shutdown);
                         if (key == "isCompactSummary") return boolean_or_skip(reader, summary);
                         if (key == "isMeta") return boolean_or_skip(reader, meta);
                         if (key == "isVisibleInTranscriptOnly")
                           return boolean_or_skip(reader, transcript_only);
                         if (key == "toolDenialKind") return string_or_skip(reader, denial_kind);
                         if (key == "toolDenialUnanswered")
                           return string_or_skip(reader, denial_unanswered);
                         return skip_value(reader);
                       }) &&
           reader.at_end();
  }
};

Json parsed(std::string_view raw) {
  if (raw.empty()) return {};
  auto json = Json::parse(raw);
  return json ? std::move(*json) : Json();
}

/// A denial is told only where it is clear which call it means.
std::optional<std::vector<ToolResultNote>> denial_note(const LineMembers& line) {
  const bool known = std::find(std::begin(kDenialKinds), std::end(kDenialKinds),
                               line.denial_kind) != std::end(kDenialKinds);
  if (!known) return std::nullopt;
  std::vector<std::string> ids;
  const Json message = parsed(line.message);
  for (const Json& block : message["content"].items()) {
    if (block["type"].as_string() != "tool_result") continue;
    ids.emplace_back(block["tool_use_id"].as_string());
  }
  if (ids.size() != 1 || ids.front().empty()) return std::nullopt;
  return std::vector<ToolResultNote>{{ids.front(), line.denial_kind}};
}

/// A queued prompt becomes the user message that it was when it was sent.
void fill_from_queue(const LineMembers& line, Message& message) {
  const Json command = parsed(line.attachment);
  message.type = "user";
  if (const std::string_view uuid = command["source_uuid"].as_string(); !uuid.empty()) {
    message.uuid = uuid;
  }
  message.message =
      RawJson(Json::object({{"role", "user"}, {"content", command["prompt"]}}).dump());
  if (command["isMeta"].as_bool()) message.is_meta = true;
  message.isQueuedCommand = true;
  message.origin = shown_origin(command["origin"]);
  if (!message.origin && command["commandMode"].as_string() == "task-notification") {
    message.origin = RawJson(R"({"kind":"task-notification"})");
  }
}

}  // namespace

std::optional<Message> make_message(std::string_view text, const Step& step,
                                    const Parentage& parentage) {
  LineMembers line;
  if (!line.read(text) || !line.uuid) return std::nullopt;
  Message message;
  message.type = std::move(line.type);
  message.uuid = std::move(*line.uuid);
  message.session_id = std::move(line.session_id);
  message.timestamp = std::move(line.timestamp);
  if (parentage.tool_use_id) message.parent_tool_use_id = *parentage.tool_use_id;
  if (parentage.agent_id) message.parent_agent_id = *parentage.agent_id;
  if (step.from_queue) {
    fill_from_queue(line, message);
    return message;
  }
  if (!line.message.empty()) message.message = RawJson(std::string(line.message));
  if (line.shutdown) message.interruptedByShutdown = true;
  if (line.denial_unanswered == "stream-closed") {
    message.toolDenialUnanswered = std::move(line.denial_unanswered);
  }
  message.tool_result_meta = denial_note(line);
  if (line.summary) message.isCompactSummary = true;
  if (line.meta || line.summary || line.transcript_only) message.is_meta = true;
  if (step.completed_command) message.isCompletedLocalCommand = true;
  message.origin = shown_origin(parsed(line.origin));
  return message;
}

}  // namespace parley::history

namespace parley {
PARLEY_DEFINE_CODEC(history::Message)
}
