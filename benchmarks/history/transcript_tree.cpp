#include "benchmarks/history/transcript_tree.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "support/time.hpp"

namespace parley::bench {
namespace {

/// splitmix64: small, and the same on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
    return z ^ z >> 31;
  }
  std::uint64_t below(std::uint64_t limit) { return next() % limit; }

 private:
  std::uint64_t state_;
};

constexpr const char* kWords[] = {
    "the",   "session", "reads",  "a",      "file",   "and",    "writes",    "it",    "back",
    "error", "returns", "value",  "before", "buffer", "stream", "parser",    "token", "index",
    "when",  "called",  "thread", "socket", "queue",  "result", "\\\"x\\\"", "\\n",   "naïve",
    "of",    "with",    "to",     "in",     "for",    "{",      "}",         "const", "auto"};
constexpr const char* kNonAsciiWords[] = {
    "сессия", "читает", "файл", "и",    "пишет",  "ошибка", "значение",   "поток",
    "会话",   "读取",   "文件", "错误", "返回值", "缓冲区", "セッション", "ファイル",
    "エラー", "χρυσός", "νήμα", "ουρά", "שגיאה",  "קובץ",   "😀",          "🚀"};
constexpr const char* kModels[] = {"claude-sonnet-4-5-20250929", "claude-opus-4-5-20251101",
                                   "claude-haiku-4-5-20251001"};
constexpr std::int64_t kFirstDayMs = 1'754'000'000'000;  // August 2025
constexpr std::int64_t kDaysMs = 90LL * 86'400'000;

std::string uuid(Random& random) {
  char text[37];
  const std::uint64_t a = random.next(), b = random.next();
  std::snprintf(text, sizeof text, "%08x-%04x-4%03x-8%03x-%012llx", static_cast<unsigned>(a >> 32),
                static_cast<unsigned>(a >> 16 & 0xFFFF), static_cast<unsigned>(a & 0xFFF),
                static_cast<unsigned>(b >> 48 & 0xFFF),
                static_cast<unsigned long long>(b & 0xFFFF'FFFF'FFFFULL));
  return text;
}

class SessionWriter {
 public:
  SessionWriter(const std::string& folder, std::uint64_t seed, TreeStyle style = TreeStyle::current)
      : style_(style),
        random_(seed),
        id_(uuid(random_)),
        file_(folder + "/" + id_ + ".jsonl", std::ios::binary) {
    time_ms_ = kFirstDayMs + static_cast<std::int64_t>(random_.below(kDaysMs));
  }

  std::uint64_t write(std::uint64_t bytes) {
    prompt();
    while (written_ < bytes) {
      if (random_.below(12) == 0) prompt();
      answer();
    }
    line("{\"type\":\"last-prompt\",\"lastPrompt\":\"" + words(8) + "\",\"leafUuid\":\"" + parent_ +
         "\",\"sessionId\":\"" + id_ + "\"}");
    flush();
    return written_;
  }

  [[nodiscard]] const std::string& id() const { return id_; }

 private:
  std::string words(std::uint64_t count) {
    std::string text;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (i > 0) text += ' ';
      text += style_ == TreeStyle::non_ascii
                  ? kNonAsciiWords[random_.below(std::size(kNonAsciiWords))]
                  : kWords[random_.below(std::size(kWords))];
    }
    if (random_.below(1000) == 0) text += std::string(" ") + kRareWord;
    return text;
  }

  void line(const std::string& text) {
    const std::size_t before = pending_.size();
    if (style_ == TreeStyle::other_writer) {
      add_with_blanks(text);
    } else {
      pending_ += text;
    }
    pending_ += '\n';
    written_ += pending_.size() - before;
    if (pending_.size() > (1U << 20)) flush();
  }
  void flush() {
    file_.write(pending_.data(), static_cast<std::streamsize>(pending_.size()));
    pending_.clear();
  }

  /// As Python's json.dumps() has it.
  void add_with_blanks(const std::string& text) {
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      pending_ += text[i];
      if (text[i] == '\\') {
        pending_ += text[++i];
      } else if (text[i] == '"') {
        quoted = !quoted;
      } else if (!quoted && (text[i] == ':' || text[i] == ',')) {
        pending_ += ' ';
      }
    }
  }

  std::string head(const std::string& type) {
    const std::string parent =
        "\"parentUuid\":" + (parent_.empty() ? "null" : "\"" + parent_ + "\"") + ",";
    const std::string type_member = "\"type\":\"" + type + "\",";
    if (style_ == TreeStyle::other_writer) return "{" + type_member + parent;
    std::string text = "{" + parent + "\"isSidechain\":false,";
    if (style_ == TreeStyle::older_version) {
      text += "\"userType\":\"external\",\"cwd\":\"/home/dev/project\",\"sessionId\":\"" + id_ +
              "\",\"version\":\"1.0.3\",";
    }
    return type == "user" ? text + type_member : text;
  }
  std::string tail() {
    time_ms_ += static_cast<std::int64_t>(random_.below(20'000));
    parent_ = uuid(random_);
    if (style_ == TreeStyle::older_version) {
      return "\"uuid\":\"" + parent_ + "\",\"timestamp\":\"" + format_time(time_ms_) + "\"}";
    }
    return "\"uuid\":\"" + parent_ + "\",\"timestamp\":\"" + format_time(time_ms_) +
           "\",\"userType\":\"external\",\"entrypoint\":\"cli\",\"cwd\":\"/home/dev/project\","
           "\"sessionId\":\"" +
           id_ + "\",\"version\":\"2.1.325\",\"gitBranch\":\"main\"}";
  }

  void prompt() {
    std::string text = head("user") + "\"message\":{\"role\":\"user\",\"content\":\"" +
                       words(10 + random_.below(60)) + "\"},";
    line(text + tail());
  }

  /// A message of the model, block by block, and the results of its calls.
  void answer() {
    const std::string message_id = "msg_" + uuid(random_), request_id = "req_" + uuid(random_);
    const std::string model = kModels[random_.below(std::size(kModels))];
    const std::uint64_t input = 5 + random_.below(2000), written = random_.below(5000),
                        read = random_.below(90'000), output = 50 + random_.below(1500);
    const auto block = [&](const std::string& content, std::uint64_t so_far) {
      std::string text =
          head("assistant") + "\"message\":{\"id\":\"" + message_id +
          "\",\"type\":\"message\",\"role\":" + "\"assistant\",\"model\":\"" + model +
          "\",\"content\":[" + content +
          "],\"stop_reason\":null,\"stop_sequence\":null,\"usage\":{\"input_tokens\":" +
          std::to_string(input) + ",\"cache_creation_input_tokens\":" + std::to_string(written) +
          ",\"cache_read_input_tokens\":" + std::to_string(read) +
          ",\"cache_creation\":{\"ephemeral_5m_input_tokens\":" + std::to_string(written) +
          ",\"ephemeral_1h_input_tokens\":0},\"output_tokens\":" + std::to_string(so_far) +
          ",\"service_tier\":\"standard\"}},\"requestId\":\"" + request_id + "\",";
      if (style_ != TreeStyle::other_writer) text += "\"type\":\"assistant\",";
      line(text + tail());
    };
    block("{\"type\":\"text\",\"text\":\"" + words(text_words()) + "\"}", output / 2);
    if (random_.below(3) == 0) return;
    const std::string call = "toolu_" + uuid(random_);
    block("{\"type\":\"tool_use\",\"id\":\"" + call +
              "\",\"name\":\"Bash\",\"input\":{\"command\":\"" + words(12) + "\"}}",
          output);
    const std::string asked_by = parent_;
    const std::string result = words(result_words());
    std::string text = head("user") +
                       "\"message\":{\"role\":\"user\",\"content\":[{"
                       "\"tool_use_id\":\"" +
                       call + "\",\"type\":\"tool_result\",\"content\":\"" + result +
                       "\",\"is_error\":false}]},\"toolUseResult\":{\"stdout\":\"" + result +
                       "\",\"stderr\":\"\",\"interrupted\":false},\"sourceToolAssistantUUID\":\"" +
                       asked_by + "\",";
    line(text + tail());
  }

  std::uint64_t text_words() {
    return style_ == TreeStyle::short_lines ? 2 : 20 + random_.below(120);
  }
  std::uint64_t result_words() {
    if (style_ == TreeStyle::short_lines) return 3;
    if (style_ == TreeStyle::long_lines) return 100'000 + random_.below(400'000);
    return 100 + random_.below(random_.below(8) == 0 ? 6000 : 900);
  }

  TreeStyle style_;
  Random random_;
  std::string id_;
  std::ofstream file_;
  std::string parent_, pending_;
  std::int64_t time_ms_ = 0;
  std::uint64_t written_ = 0;
};

std::string make_project(const std::string& root, const std::string& name) {
  const std::string folder = root + "/projects/" + name;
  std::filesystem::create_directories(folder);
  return folder;
}

}  // namespace

std::uint64_t make_tree(const std::string& root, const TreeShape& shape) {
  constexpr int kProjects = 12;
  const std::uint64_t average = shape.bytes / static_cast<std::uint64_t>(shape.sessions);
  Random random(42);
  std::uint64_t written = 0;
  for (int i = 0; i < shape.sessions; ++i) {
    const std::string folder =
        make_project(root, "-home-dev-project" + std::to_string(i % kProjects));
    const std::uint64_t size = average / 5 + random.below(average * 8 / 5);
    written += SessionWriter(folder, random.next(), shape.style).write(size);
  }
  return written;
}

std::string make_session(const std::string& root, std::uint64_t bytes) {
  SessionWriter writer(make_project(root, "-home-dev-long"), 7);
  writer.write(bytes);
  return writer.id();
}

}  // namespace parley::bench
