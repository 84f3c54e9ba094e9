#include "history/search/message_texts.hpp"

#include "history/scan/object_scan.hpp"

namespace parley::history {
namespace {

class TextScan {
 public:
  TextScan(std::string_view line, LineTexts& out) : reader_(line), out_(out) {}

  bool run() {
    std::string type, content;
    const bool read = each_member(reader_, [&](std::string_view key) {
      if (key == "type") return string_or_skip(reader_, type);
      if (key == "uuid") return string_or_skip(reader_, out_.uuid);
      if (key == "timestamp") return string_or_skip(reader_, out_.timestamp);
      if (key == "message") return reader_.peek() == '{' ? message() : skip_value(reader_);
      if (key == "attachment") return reader_.peek() == '{' ? attachment() : skip_value(reader_);
      if (key == "content") return string_or_skip(reader_, content);
      return skip_value(reader_);
    });
    if (!read || !reader_.at_end()) return false;
    if (type == "system" && !content.empty()) add(TextKind::notice, std::move(content));
    for (LineTexts::Text& text : out_.texts) {
      if (text.kind == TextKind::prompt && type == "assistant") text.kind = TextKind::answer;
    }
    return true;
  }

 private:
  void add(TextKind kind, std::string text, std::string tool = {}, std::string call_id = {}) {
    out_.texts.push_back({kind, std::move(tool), std::move(call_id), std::move(text)});
  }

  bool message() {
    return each_member(reader_, [this](std::string_view key) {
      return key == "content" ? content() : skip_value(reader_);
    });
  }

  bool content() {
    if (reader_.peek() == '"') {
      std::string text;
      if (!reader_.string(text)) return false;
      add(TextKind::prompt, std::move(text));
      return true;
    }
    if (reader_.peek() != '[') return skip_value(reader_);
    return each_item(reader_,
                     [this] { return reader_.peek() == '{' ? block() : skip_value(reader_); });
  }

  bool block() {
    std::string type, text, thinking, name, id, call_id;
    std::string_view input, result;
    const bool read = each_member(reader_, [&](std::string_view key) {
      if (key == "type") return string_or_skip(reader_, type);
      if (key == "text") return string_or_skip(reader_, text);
      if (key == "thinking") return string_or_skip(reader_, thinking);
      if (key == "name") return string_or_skip(reader_, name);
      if (key == "id") return string_or_skip(reader_, id);
      if (key == "tool_use_id") return string_or_skip(reader_, call_id);
      if (key == "input") return reader_.skip(input);
      if (key == "content") return reader_.skip(result);
      return skip_value(reader_);
    });
    if (!read) return false;
    if (!text.empty()) add(TextKind::prompt, std::move(text));
    if (!thinking.empty()) add(TextKind::thinking, std::move(thinking));
    if (!input.empty()) {
      add(TextKind::tool_call, strings_in(input), std::move(name), std::move(id));
    }
    if (!result.empty()) add(TextKind::tool_result, strings_in(result), {}, std::move(call_id));
    return true;
  }

  bool attachment() {
    std::string type;
    std::string_view prompt;
    const bool read = each_member(reader_, [&](std::string_view key) {
      if (key == "type") return string_or_skip(reader_, type);
      if (key == "prompt") return reader_.skip(prompt);
      return skip_value(reader_);
    });
    if (read && type == "queued_command" && !prompt.empty()) {
      add(TextKind::prompt, strings_in(prompt));
    }
    return read;
  }

  /// All strings of a value that was read before, one per line, without the keys, kinds and bytes
  /// of pictures.
  static std::string strings_in(std::string_view raw) {
    std::string out;
    JsonReader reader(raw);
    collect(reader, out);
    return out;
  }

  static bool collect(JsonReader& reader, std::string& out) {
    switch (reader.peek()) {
      case '"': {
        std::string text;
        if (!reader.string(text)) return false;
        if (!out.empty()) out += '\n';
        out += text;
        return true;
      }
      case '[': return each_item(reader, [&] { return collect(reader, out); });
      case '{':
        return each_member(reader, [&](std::string_view key) {
          return key == "type" || key == "data" || key == "media_type" ? skip_value(reader)
                                                                       : collect(reader, out);
        });
      default: return skip_value(reader);
    }
  }

  JsonReader reader_;
  LineTexts& out_;
};

}  // namespace

bool read_texts(std::string_view line, LineTexts& out) { return TextScan(line, out).run(); }

}  // namespace parley::history
