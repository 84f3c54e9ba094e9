#include "history/listing/prompt.hpp"

#include <algorithm>

#include "history/scan/find_bytes.hpp"
#include "support/text/javascript_text.hpp"
#include "support/time.hpp"

namespace parley::history {
namespace {

constexpr std::size_t kMostUnits = 200;
constexpr std::string_view kPasteBegin = "<pasted_content id=\"";
constexpr std::string_view kInterrupted = "[Request interrupted by user";

bool is_paste_id(std::string_view id) {
  return id.size() == 4 && std::all_of(id.begin(), id.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

/// Pasted text comes wrapped in <pasted_content id="1a2b">…</pasted_content id="1a2b">, set off by
/// newlines; only what was pasted counts.
std::string without_paste_marks(std::string_view text) {
  std::string out;
  std::size_t copied = 0, search = 0;
  for (;;) {
    const std::size_t open = text.find(kPasteBegin, search);
    if (open == std::string_view::npos) break;
    const std::size_t id_at = open + kPasteBegin.size();
    const std::string_view id = text.substr(id_at, 4);
    if (!is_paste_id(id) || text.substr(id_at + 4, 3) != "\">\n") {
      search = id_at;
      continue;
    }
    const std::size_t body = id_at + 7;
    const std::string closing = "\n</pasted_content id=\"" + std::string(id) + "\">";
    const std::size_t close = text.find(closing, body - 1);
    if (close == std::string_view::npos) break;
    std::size_t before = open;
    for (int i = 0; i < 2 && before > copied && text[before - 1] == '\n'; ++i) --before;
    out += text.substr(copied, before - copied);
    out += text.substr(body, std::max(close, body) - body);
    copied = close + closing.size();
    for (int i = 0; i < 2 && copied < text.size() && text[copied] == '\n'; ++i) ++copied;
    search = copied;
  }
  return out += text.substr(copied);
}

/// What stands between <tag> and </tag>.
std::optional<std::string_view> between(std::string_view text, std::string_view tag) {
  const std::string open = "<" + std::string(tag) + ">", close = "</" + std::string(tag) + ">";
  const std::size_t from = text.find(open);
  if (from == std::string_view::npos) return std::nullopt;
  const std::size_t inside = from + open.size();
  const std::size_t to = text.find(close, inside);
  if (to == std::string_view::npos) return std::nullopt;
  return text.substr(inside, to - inside);
}

/// Text that programs wrote: it begins with a tag, or is the mark of an interruption.
bool is_machine_text(std::string_view text) {
  if (text.starts_with(kInterrupted)) {
    return text.find(']', kInterrupted.size()) != std::string_view::npos;
  }
  if (text.size() < 2 || text[0] != '<' || text[1] < 'a' || text[1] > 'z') return false;
  std::size_t at = 2;
  const auto in_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  while (at < text.size() && in_name(text[at])) ++at;
  return at < text.size() &&
         (text[at] == '>' || text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r'));
}

/// The texts of a message's content; no value if it holds a tool result.
std::optional<std::vector<std::string_view>> texts_of(const Json& content) {
  std::vector<std::string_view> texts;
  if (content.is_string()) texts.push_back(content.as_string());
  for (const Json& block : content.items()) {
    const std::string_view type = block["type"].as_string();
    if (type == "tool_result") return std::nullopt;
    if (type == "text" && block["text"].is_string()) texts.push_back(block["text"].as_string());
  }
  return texts;
}

std::optional<std::string> prompt_in(const Json& content, std::string& command_name) {
  const auto texts = texts_of(content);
  if (!texts) return std::nullopt;
  for (const std::string_view text : *texts) {
    std::string line = without_paste_marks(text);
    std::replace(line.begin(), line.end(), '\n', ' ');
    const std::string_view shown = trimmed_unicode(line);
    if (shown.empty()) continue;
    if (const auto name = between(shown, "command-name")) {
      if (command_name.empty()) command_name = *name;
      continue;
    }
    if (const auto command = between(shown, "bash-input")) {
      return "! " + std::string(trimmed_unicode(*command));
    }
    if (is_machine_text(shown)) continue;
    if (utf16_length(shown) <= kMostUnits) return std::string(shown);
    return std::string(trimmed_unicode(first_units(shown, kMostUnits))) + "…";
  }
  return std::nullopt;
}

bool is_user_line(std::string_view line) {
  return has_member(line, "type", "\"user\"") &&
         find_bytes(line, "\"tool_result\"") == std::string_view::npos &&
         !has_member(line, "isMeta", "true");
}

}  // namespace

bool has_member(std::string_view text, std::string_view key, std::string_view value) {
  std::string needle = "\"" + std::string(key) + "\":" + std::string(value);
  if (find_bytes(text, needle) != std::string_view::npos) return true;
  needle.insert(key.size() + 3, " ");
  return find_bytes(text, needle) != std::string_view::npos;
}

std::string_view take_line(std::string_view& lines) {
  const std::size_t length = std::min(lines.find('\n'), lines.size());
  const std::string_view line = lines.substr(0, length);
  lines.remove_prefix(std::min(length + 1, lines.size()));
  return line;
}

std::string_view take_last_line(std::string_view& lines) {
  if (lines.ends_with('\n')) lines.remove_suffix(1);
  const std::size_t from = line_around(lines, lines.size()).begin;
  const std::string_view line = lines.substr(from);
  lines = lines.substr(0, from);
  return line;
}

std::optional<std::string> prompt_of(const Json& entry, std::string& command_name) {
  if (entry["type"].as_string() != "user" || entry["isMeta"].as_bool() ||
      entry["isCompactSummary"].as_bool()) {
    return std::nullopt;
  }
  return prompt_in(entry["message"]["content"], command_name);
}

std::string first_prompt(std::string_view lines) {
  std::string command_name;
  while (!lines.empty()) {
    const std::string_view line = take_line(lines);
    if (!is_user_line(line) || has_member(line, "isCompactSummary", "true")) continue;
    auto entry = Json::parse(line);
    if (!entry) continue;
    if (auto prompt = prompt_of(*entry, command_name)) return *prompt;
  }
  return command_name;
}

std::string_view first_attachment(std::string_view lines) {
  while (!lines.empty()) {
    const std::string_view line = take_line(lines);
    if (!is_user_line(line)) continue;
    if (has_member(line, "type", "\"image\"")) return "Image";
    if (has_member(line, "type", "\"document\"")) return "Document";
  }
  return {};
}

std::optional<std::int64_t> time_of_human_prompt(const Json& entry) {
  static constexpr const char* kNotTyped[] = {
      "isCompactSummary", "isSidechain",  "isVirtual", "isVisibleInTranscriptOnly",
      "isMeta",           "textNotTyped", "handedOff", "queueSkipAttachments"};
  static constexpr const char* kNotByPerson[] = {"toolUseResult", "persist", "wakeupSource",
                                                 "scheduledTaskId"};
  const bool queued = entry["type"].as_string() == "attachment" &&
                      entry["attachment"]["type"].as_string() == "queued_command";
  if (!queued && entry["type"].as_string() != "user") return std::nullopt;
  for (const char* key : kNotTyped) {
    if (entry[key].as_bool()) return std::nullopt;
  }
  for (const char* key : kNotByPerson) {
    if (entry.find(key) != nullptr) return std::nullopt;
  }
  const Json& said = queued ? entry["attachment"] : entry;
  const Json& content = queued ? said["prompt"] : said["message"]["content"];
  const std::string_view kind = said["origin"]["kind"].as_string("human");
  const std::string_view turn = entry["turnOrigin"].as_string("human");
  if (kind != "human" || (turn != "human" && turn != "sdk" && turn != "unknown") ||
      (queued && said["isMeta"].as_bool())) {
    return std::nullopt;
  }
  const auto texts = texts_of(content);
  if (!texts) return std::nullopt;
  std::string command_name;
  bool says_something = prompt_in(content, command_name).has_value();
  for (const std::string_view text : *texts) {
    if (trimmed_unicode(text).starts_with("<command-message>")) says_something = true;
  }
  for (const Json& block : content.items()) {
    const std::string_view type = block["type"].as_string();
    if (type == "image" || type == "document") says_something = true;
  }
  if (!says_something) return std::nullopt;
  return parse_time(entry["timestamp"].as_string());
}

}  // namespace parley::history
