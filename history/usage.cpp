#include "history/usage.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <unordered_map>

#include "history/find_bytes.hpp"
#include "history/object_scan.hpp"
#include "history/text.hpp"
#include "wire/json.hpp"

namespace parley::history {
namespace {

constexpr std::string_view kMark = "\"usage\":{";
/// What the agent writes as the model of messages that no model wrote.
constexpr std::string_view kSynthetic = "<synthetic>";

/// Names a message: its id and that of the request it answers, as a 128-bit hash, which keeps the
/// table of a hundred thousand messages at a few megabytes.
struct MessageKey {
  std::uint64_t high = 0, low = 0;
  bool operator==(const MessageKey&) const = default;
};
struct KeyHash {
  std::size_t operator()(const MessageKey& key) const { return key.low; }
};

std::uint64_t mix(std::uint64_t hash, std::string_view text) {
  hash ^= text.size();
  for (; text.size() >= sizeof hash; text.remove_prefix(sizeof hash)) {
    std::uint64_t part = 0;
    std::memcpy(&part, text.data(), sizeof part);
    hash = (hash ^ part) * 0x9FB21C651E98DF25ULL;
    hash ^= hash >> 32;
  }
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return hash ^ hash >> 29;
}

MessageKey key_of(std::string_view message_id, std::string_view request_id) {
  return {mix(mix(0xCBF29CE484222325ULL, message_id), request_id),
          mix(mix(0x9E3779B97F4A7C15ULL, request_id), message_id)};
}

/// One line's worth, with views into it.
struct UsageLine {
  std::string_view model, message_id, request_id, timestamp, speed;
  Tokens tokens;
  std::int64_t cache_write = 0;
  std::optional<double> cost;
  bool has_usage = false;

  bool read(std::string_view line) {
    JsonReader reader(line);
    return each_member(reader,
                       [&](std::string_view key) {
                         if (key == "message") {
                           return reader.peek() == '{' ? message(reader) : skip_value(reader);
                         }
                         if (key == "requestId") return text(reader, request_id);
                         if (key == "timestamp") return text(reader, timestamp);
                         if (key == "costUSD") return number(reader, cost);
                         return skip_value(reader);
                       }) &&
           reader.at_end();
  }

 private:
  /// Ids and times have nothing to unescape.
  static bool text(JsonReader& reader, std::string_view& out) {
    bool escaped = false;
    return reader.peek() == '"' ? reader.string_span(out, escaped) : skip_value(reader);
  }
  static bool number(JsonReader& reader, std::optional<double>& out) {
    std::string_view raw;
    if (!reader.skip(raw)) return false;
    double value = 0;
    if (std::from_chars(raw.data(), raw.data() + raw.size(), value).ec == std::errc()) out = value;
    return true;
  }
  static bool count(JsonReader& reader, std::int64_t& out) {
    std::string_view raw;
    if (!reader.skip(raw)) return false;
    std::int64_t value = 0;
    std::from_chars(raw.data(), raw.data() + raw.size(), value);
    out = std::max<std::int64_t>(value, 0);
    return true;
  }

  bool message(JsonReader& reader) {
    return each_member(reader, [&](std::string_view key) {
      if (key == "id") return text(reader, message_id);
      if (key == "model") return text(reader, model);
      if (key == "usage") return reader.peek() == '{' ? usage(reader) : skip_value(reader);
      return skip_value(reader);
    });
  }
  bool usage(JsonReader& reader) {
    has_usage = true;
    return each_member(reader, [&](std::string_view key) {
      if (key == "input_tokens") return count(reader, tokens.input);
      if (key == "output_tokens") return count(reader, tokens.output);
      if (key == "cache_creation_input_tokens") return count(reader, cache_write);
      if (key == "cache_read_input_tokens") return count(reader, tokens.cache_read);
      if (key == "speed") return text(reader, speed);
      if (key != "cache_creation" || reader.peek() != '{') return skip_value(reader);
      return each_member(reader, [&](std::string_view kind) {
        return kind == "ephemeral_1h_input_tokens" ? count(reader, tokens.cache_write_1h)
                                                   : skip_value(reader);
      });
    });
  }
};

using Messages = std::unordered_map<MessageKey, UsageRecord, KeyHash>;

/// What one thread has found so far.
class Collector {
 public:
  explicit Collector(const UsageOptions& options) : options_(&options) {}

  void scan(std::size_t file, const Block& block) {
    const std::string_view text = block.text;
    for (std::size_t at = find_bytes(text, kMark); at != std::string_view::npos;) {
      const LineSpan span = line_around(text, at);
      take(text.substr(span.begin, span.end - span.begin), file);
      if (span.end >= text.size()) break;
      at = find_bytes(text, kMark, span.end);
    }
  }

  /// The lines of one message count up; the largest is the final one. Copies of it in forks are
  /// alike: then the earliest file stands for it, so that the result does not depend on threads.
  static bool is_better(const UsageRecord& a, const UsageRecord& b) {
    const std::int64_t x = a.tokens.total(), y = b.tokens.total();
    if (x != y) return x > y;
    if (a.time_ms != b.time_ms) return a.time_ms < b.time_ms;
    return a.file < b.file;
  }

  Messages messages;
  std::vector<UsageRecord> nameless;  ///< Lines without a message id cannot repeat one.
  std::vector<std::string> models;
  std::uint64_t damaged = 0;

 private:
  void take(std::string_view text, std::size_t file) {
    UsageLine line;
    if (!line.read(text)) {
      ++damaged;
      return;
    }
    if (!line.has_usage || line.model.empty() || line.model == kSynthetic) return;
    const auto time = parse_time(line.timestamp);
    if (!time || (options_->since_ms && *time < *options_->since_ms) ||
        (options_->until_ms && *time >= *options_->until_ms)) {
      return;
    }
    UsageRecord record;
    record.time_ms = *time;
    record.tokens = line.tokens;
    record.tokens.cache_write_1h = std::min(line.tokens.cache_write_1h, line.cache_write);
    record.tokens.cache_write_5m = line.cache_write - record.tokens.cache_write_1h;
    record.noted_cost = line.cost;
    record.fast = line.speed == "fast";
    record.model = model_index(line.model, record.fast);
    record.file = static_cast<std::uint32_t>(file);
    if (line.message_id.empty()) {
      nameless.push_back(record);
      return;
    }
    // The lines of one message follow each other.
    const MessageKey key = key_of(line.message_id, line.request_id);
    if (last_ == nullptr || last_->first != key) {
      const auto [known, added] = messages.try_emplace(key, record);
      last_ = &*known;
      if (added) return;
    }
    if (is_better(record, last_->second)) last_->second = record;
  }

  std::uint32_t model_index(std::string_view name, bool fast) {
    const std::string shown = std::string(name) + (fast ? "-fast" : "");
    const auto index = std::find(models.begin(), models.end(), shown) - models.begin();
    if (index == std::ssize(models)) models.push_back(shown);
    return static_cast<std::uint32_t>(index);
  }

  const UsageOptions* options_;
  Messages::value_type* last_ = nullptr;  ///< In `messages`, whose items do not move.
};

}  // namespace

UsageLog collect_usage(const UsageOptions& options) {
  UsageLog log;
  log.files = find_scan_files(options.scope, log.report);
  std::vector<Collector> collectors(scan_workers(), Collector(options));
  scan_files(log.files, options.scan, log.report,
             [&](std::size_t file, const Block& block, std::size_t worker) {
               collectors[worker].scan(file, block);
             });

  Messages messages;
  std::map<std::string, std::uint32_t> model_numbers;
  for (Collector& part : collectors) {
    std::vector<std::uint32_t> renumbered;
    for (const std::string& model : part.models) {
      const auto number = static_cast<std::uint32_t>(log.models.size());
      const auto [known, added] = model_numbers.emplace(model, number);
      if (added) log.models.push_back(model);
      renumbered.push_back(known->second);
    }
    for (auto& [key, record] : part.messages) record.model = renumbered[record.model];
    if (messages.empty()) messages.swap(part.messages);
    for (auto& [key, record] : part.messages) {
      const auto [known, added] = messages.try_emplace(key, record);
      if (!added && Collector::is_better(record, known->second)) known->second = record;
    }
    for (UsageRecord& record : part.nameless) {
      record.model = renumbered[record.model];
      log.records.push_back(record);
    }
    log.report.damaged_lines += part.damaged;
    part = Collector(options);
  }
  log.records.reserve(log.records.size() + messages.size());
  for (const auto& [key, record] : messages) log.records.push_back(record);
  std::sort(log.records.begin(), log.records.end(), [](const UsageRecord& a, const UsageRecord& b) {
    if (a.time_ms != b.time_ms) return a.time_ms < b.time_ms;
    if (a.file != b.file) return a.file < b.file;
    return a.tokens.total() < b.tokens.total();
  });
  return log;
}

}  // namespace parley::history
