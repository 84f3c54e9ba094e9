#include "history/listing/session_info.hpp"

#include <algorithm>
#include <memory>

#include "history/listing/prompt.hpp"
#include "history/scan/find_bytes.hpp"
#include "history/scan/object_scan.hpp"
#include "support/text/javascript_text.hpp"
#include "support/time.hpp"
#include "wire/codec/codec.hpp"
#include "wire/ids.hpp"

namespace parley::history {

PARLEY_FIELDS(SessionInfo, sessionId, summary, lastModified, fileSize, customTitle, firstPrompt,
              gitBranch, cwd, tag, createdAt, archived, root, project, costUSD, messages,
              programmatic)

namespace {

constexpr std::size_t kPeekBytes = 65536;
constexpr std::size_t kNoteBytes = 4096;

/// Room for both ends. Not zeroed, and used again for the next session: fresh memory for each of
/// many would cost as much as reading them.
using EndsBuffer = std::unique_ptr<char[]>;

EndsBuffer make_ends_buffer() { return std::make_unique_for_overwrite<char[]>(2 * kPeekBytes); }

/// The two ends of a transcript, in a buffer; `tail` is the whole file, like `head`, if it is
/// short.
struct Ends {
  std::string_view head, tail;
  bool whole = false;
};

/// The last value of each note in a piece of transcript. Notes are short lines of their own that
/// the agent appends: {"type":"custom-title","customTitle":…}.
struct Notes {
  std::optional<std::string> custom_title, ai_title, tag, last_prompt, summary, relocated;
  std::optional<double> cost;
  bool continued = false;
};

void take_if_unset(std::optional<std::string>& to, std::optional<std::string>& from) {
  if (!to && from) to = std::move(from);
}

/// Reads one line that may be a note; later ones were seen before and win.
void read_note(std::string_view line, Notes& notes) {
  std::string type;
  std::optional<std::string> custom_title, ai_title, tag, last_prompt, summary, relocated;
  std::optional<double> cost;
  JsonReader reader(line);
  const auto text = [&](std::optional<std::string>& out) {
    if (reader.peek() != '"') return skip_value(reader);
    return reader.string(out.emplace());
  };
  const bool read = each_member(reader, [&](std::string_view key) {
    if (key == "type") return string_or_skip(reader, type);
    if (key == "customTitle") return text(custom_title);
    if (key == "aiTitle") return text(ai_title);
    if (key == "tag") return text(tag);
    if (key == "lastPrompt") return text(last_prompt);
    if (key == "summary") return text(summary);
    if (key == "relocatedCwd") return text(relocated);
    if (key == "totalCostUSD") {
      std::string_view raw;
      if (!reader.skip(raw)) return false;
      if (auto number = Json::parse(raw); number && number->is_number()) cost = number->as_double();
      return true;
    }
    return skip_value(reader);
  });
  if (!read || !reader.at_end()) return;
  take_if_unset(notes.last_prompt, last_prompt);
  take_if_unset(notes.summary, summary);
  if (type == "custom-title") take_if_unset(notes.custom_title, custom_title);
  if (type == "ai-title") take_if_unset(notes.ai_title, ai_title);
  if (type == "tag") take_if_unset(notes.tag, tag);
  if (type == "relocated") take_if_unset(notes.relocated, relocated);
  if (type == "cost-state" && !notes.cost) notes.cost = cost;
  if (type == "continued-in") notes.continued = true;
}

Notes read_notes(std::string_view lines) {
  Notes notes;
  while (!lines.empty()) {
    const std::string_view line = take_last_line(lines);
    // Messages, which are nearly all of the bytes, have this near their beginning and hold no
    // notes. Within a string the quotes would be escaped.
    constexpr std::size_t kBeginning = 256;
    if (find_bytes(line.substr(0, kBeginning), "\"parentUuid\":") == std::string_view::npos) {
      read_note(line, notes);
    }
  }
  return notes;
}

/// The string that is the value of a key, at its first or last occurrence anywhere in the text. One
/// written without a blank behind the colon goes before one with, wherever they are.
std::optional<std::string> find_text(std::string_view text, std::string_view key, bool last) {
  constexpr std::size_t kNone = std::string_view::npos;
  const std::string needle = "\"" + std::string(key) + "\":";
  std::size_t plain = kNone, spaced = kNone;
  // Where the key is missing, as in files of older versions, both forms are looked for at once.
  std::size_t at = last ? find_last_bytes(text, needle) : find_bytes(text, needle);
  while (at != kNone && plain == kNone) {
    const std::string_view value = text.substr(at + needle.size());
    if (value.starts_with('"')) {
      plain = at + needle.size();
    } else if (spaced == kNone && value.starts_with(" \"")) {
      spaced = at + needle.size() + 1;
    }
    at = last ? find_last_bytes(text.substr(0, at), needle) : find_bytes(text, needle, at + 1);
  }
  for (const std::size_t place : {plain, spaced}) {
    if (place == kNone) continue;
    JsonReader reader(text.substr(place));
    std::string value;
    if (reader.string(value)) return value;
  }
  return std::nullopt;
}

Result<Ends> read_ends(const File& file, std::uint64_t size, const EndsBuffer& buffer) {
  Ends ends;
  auto head = file.read_at(0, buffer.get(), kPeekBytes);
  if (!head) return head.error();
  ends.head = ends.tail = {buffer.get(), *head};
  ends.whole = size <= kPeekBytes;
  if (!ends.whole) {
    auto tail = file.read_at(size - kPeekBytes, buffer.get() + kPeekBytes, kPeekBytes);
    if (!tail) return tail.error();
    ends.tail = {buffer.get() + kPeekBytes, *tail};
  }
  return ends;
}

bool is_programmatic(const Ends& ends) {
  auto entry = find_text(ends.head, "entrypoint", false);
  if (!entry) entry = find_text(ends.tail, "entrypoint", true);
  if (entry == "sdk-cli" || entry == "sdk-ts" || entry == "sdk-py") return true;
  std::string_view lines = ends.head, first = ends.head;
  while (!lines.empty()) {
    const std::string_view line = take_line(lines);
    if (find_bytes(line, "\"parentUuid\":") == std::string_view::npos) continue;
    first = line;
    break;
  }
  const auto kind = find_text(first, "sessionKind", false);
  return kind == "daemon" || kind == "daemon-worker";
}

/// The session that this one went on in, if nothing was said here since.
std::optional<std::string> continued_in(std::string_view lines) {
  while (!lines.empty()) {
    const std::string_view line = take_last_line(lines);
    auto entry = Json::parse(line);
    if (!entry) continue;
    const std::string_view type = (*entry)["type"].as_string();
    if (type == "continued-in") {
      const std::string_view id = (*entry)["continuedInSessionId"].as_string();
      if (is_session_id(id)) return std::string(id);
    }
    std::string ignored;
    if ((type == "assistant" && !(*entry)["isApiErrorMessage"].as_bool() &&
         (*entry)["message"]["stop_reason"].is_string()) ||
        prompt_of(*entry, ignored)) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

bool has_messages(const Folder& project, const std::string& session_id) {
  auto file = project.file(session_id + std::string(kTranscriptExtension));
  if (!file) return false;
  auto state = file->state();
  if (!state || state->size == 0) return false;
  const EndsBuffer buffer = make_ends_buffer();
  auto ends = read_ends(*file, state->size, buffer);
  if (!ends) return false;
  constexpr std::string_view kMark = "\"parentUuid\":";
  return find_bytes(ends->head, kMark) != std::string_view::npos ||
         find_bytes(ends->tail, kMark) != std::string_view::npos;
}

/// A small JSON file in the session's own folder; null if there is none or it makes no sense.
Json read_side_note(const Folder& project, const std::string& session_id, std::string_view name) {
  auto folder = project.folder(session_id);
  if (!folder) return {};
  auto text = folder->small_file(name, kNoteBytes);
  if (!text || !text->has_value()) return {};
  auto json = Json::parse(**text);
  return json ? std::move(*json) : Json();
}

/// A title as the agent shows it: one line without control characters, at most 200 characters.
std::string clean_title(std::string_view text) {
  constexpr std::size_t kMostCharacters = 200;
  std::string line;
  std::size_t characters = 0;
  for (const char c : trimmed_unicode(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) != 0x80 && ++characters > kMostCharacters) break;
    line += byte < 0x20 || byte == 0x7F ? ' ' : c;
  }
  return std::string(trimmed_unicode(line));
}

/// A prompt that a person sends wakes a session from the archive.
bool prompted_since(std::string_view lines, std::int64_t time) {
  while (!lines.empty()) {
    const std::string_view line = take_last_line(lines);
    const auto has = [&](std::string_view text) {
      return find_bytes(line, text) != std::string_view::npos;
    };
    if ((!has("\"user\"") && !has("\"queued_command\"")) || has("\"tool_result\"")) {
      continue;
    }
    auto entry = Json::parse(line);
    if (!entry) continue;
    const auto sent = time_of_human_prompt(*entry);
    if (sent && *sent > time) return true;
  }
  return false;
}

std::optional<bool> read_archived(const Folder& project, const std::string& session_id,
                                  const Ends& ends) {
  const Json note = read_side_note(project, session_id, "archived.json");
  if (!note["archived"].is_bool()) return std::nullopt;
  const auto since = parse_time(note["at"].as_string());
  if (!since) return std::nullopt;
  return note["archived"].as_bool() && !prompted_since(ends.tail, *since) &&
         (ends.whole || !prompted_since(ends.head, *since));
}

std::optional<std::string> first_filled(std::initializer_list<std::optional<std::string>> texts) {
  for (const auto& text : texts) {
    if (text && !text->empty()) return text;
  }
  return std::nullopt;
}

std::optional<std::string> working_folder_in(const Ends& ends, const Notes& tail) {
  return first_filled({tail.relocated, find_text(ends.head, "cwd", false)});
}

}  // namespace

Result<std::optional<SessionInfo>> read_session_info(const Folder& project,
                                                     const SessionPlace& place, bool has_folder) {
  auto file = project.file(place.file_name());
  if (!file) return file.error();
  auto state = file->state();
  if (!state) return state.error();
  thread_local const EndsBuffer buffer = make_ends_buffer();
  auto read = read_ends(*file, state->size, buffer);
  if (!read) return read.error();
  const Ends& ends = *read;
  if (ends.head.empty()) return std::optional<SessionInfo>();

  std::string_view rest = ends.head;
  if (has_member(take_line(rest), "isSidechain", "true")) return std::optional<SessionInfo>();
  const Notes tail = read_notes(ends.tail);
  if (tail.continued) {
    const auto next = continued_in(ends.tail);
    if (next && has_messages(project, *next)) return std::optional<SessionInfo>();
  }
  const Notes head = ends.whole ? tail : read_notes(ends.head);

  std::optional<std::string> side_title;
  if (!tail.custom_title && has_folder) {
    side_title = clean_title(
        read_side_note(project, place.session_id, "custom-title.json")["customTitle"].as_string());
  }
  SessionInfo info;
  info.sessionId = place.session_id;
  info.root = place.root;
  info.project = place.project;
  info.lastModified = state->modified_ms;
  info.fileSize = static_cast<std::int64_t>(state->size);
  info.customTitle = first_filled(
      {tail.custom_title, side_title, head.custom_title, tail.ai_title, head.ai_title});
  info.firstPrompt = first_filled({first_prompt(ends.head)});
  auto summary = first_filled({info.customTitle, tail.last_prompt, tail.summary, info.firstPrompt});
  if (!summary) summary = first_filled({std::string(first_attachment(ends.head))});
  if (!summary) return std::optional<SessionInfo>();
  info.summary = std::move(*summary);
  info.gitBranch = first_filled({find_text(ends.tail, "gitBranch", true)});
  if (!info.gitBranch) info.gitBranch = first_filled({find_text(ends.head, "gitBranch", false)});
  info.cwd = working_folder_in(ends, tail);
  info.tag = first_filled({tail.tag});
  if (const auto first = find_text(ends.head, "timestamp", false)) {
    info.createdAt = parse_time(*first);
  }
  if (has_folder) info.archived = read_archived(project, place.session_id, ends);
  info.costUSD = tail.cost;
  if (is_programmatic(ends)) info.programmatic = true;
  return std::optional<SessionInfo>(std::move(info));
}

std::optional<std::string> read_working_folder(const Folder& project,
                                               const std::string& file_name) {
  auto file = project.file(file_name);
  auto state = file ? file->state() : Result<FileState>(file.error());
  if (!state) return std::nullopt;
  const EndsBuffer buffer = make_ends_buffer();
  auto ends = read_ends(*file, state->size, buffer);
  if (!ends) return std::nullopt;
  return working_folder_in(*ends, read_notes(ends->tail));
}

}  // namespace parley::history

namespace parley {
PARLEY_DEFINE_CODEC(history::SessionInfo)
}
