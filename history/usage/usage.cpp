#include "history/usage/usage.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <mutex>
#include <tuple>

#include "history/scan/find_bytes.hpp"
#include "history/scan/object_scan.hpp"
#include "history/usage/message_table.hpp"
#include "support/time.hpp"
#include "wire/json/json.hpp"

namespace parley::history {
namespace {

constexpr std::string_view kMark = "\"usage\":";  // behind it may be a blank
/// What the agent writes as the model of messages that no model wrote.
constexpr std::string_view kSynthetic = "<synthetic>";

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

/// By the message's id and that of the request it answers.
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

/// The largest count that a record holds; no message comes near it.
std::uint32_t packed(std::int64_t count) {
  return static_cast<std::uint32_t>(std::min<std::int64_t>(count, UINT32_MAX));
}

/// The lines of one message count up; the largest is the final one. Copies of it in forks are
/// alike: then the earliest file stands for it, so that the result does not depend on threads.
bool is_better(const UsageRecord& a, const UsageRecord& b) {
  const std::int64_t x = a.tokens().total(), y = b.tokens().total();
  if (x != y) return x > y;
  if (a.time_ms != b.time_ms) return a.time_ms < b.time_ms;
  return a.file < b.file;
}

/// Numbers the models. Any thread may ask.
class ModelNames {
 public:
  /// No value when there are too many to be true.
  std::optional<std::uint16_t> number(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto known = std::find(names_.begin(), names_.end(), name);
    if (known == names_.end() && names_.size() >= kMost) return std::nullopt;
    const auto index = static_cast<std::uint16_t>(known - names_.begin());
    if (known == names_.end()) names_.push_back(name);
    return index;
  }

  /// Gives out the names by name, and the records their numbers among them.
  std::vector<std::string> settle(std::vector<UsageRecord>& records) {
    std::vector<std::string> sorted = names_;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::uint16_t> renumbered;
    for (const std::string& name : names_) {
      const auto at = std::lower_bound(sorted.begin(), sorted.end(), name) - sorted.begin();
      renumbered.push_back(static_cast<std::uint16_t>(at));
    }
    for (UsageRecord& record : records) record.model = renumbered[record.model];
    return sorted;
  }

 private:
  static constexpr std::size_t kMost = 10000;

  std::mutex mutex_;
  std::vector<std::string> names_;
};

using Messages = MessageTable<UsageRecord>;

/// What one thread finds.
class Collector {
 public:
  Collector(const UsageOptions& options, Messages& messages, ModelNames& models)
      : options_(&options), messages_(&messages), models_(&models) {}

  void scan(std::size_t file, const Block& block) {
    const std::string_view text = block.text;
    for (std::size_t at = find_bytes(text, kMark); at != std::string_view::npos;) {
      const LineSpan span = line_around(text, at);
      take(text.substr(span.begin, span.end - span.begin), file);
      if (span.end >= text.size()) break;
      at = find_bytes(text, kMark, span.end);
    }
  }

  /// To be called at the end: hands over the last message.
  void finish() {
    if (last_) messages_->put(last_->first, last_->second, is_better);
    last_.reset();
  }

  std::vector<UsageRecord> nameless;  ///< Lines without a message id cannot repeat one.
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
    const bool fast = line.speed == "fast";
    const auto model = model_number(line.model, fast);
    if (!model) {
      ++damaged;
      return;
    }
    const std::int64_t long_lived = std::min(line.tokens.cache_write_1h, line.cache_write);
    UsageRecord record;
    record.time_ms = *time;
    record.noted_cost = line.cost.value_or(UsageRecord::kNoCost);
    record.input = packed(line.tokens.input);
    record.output = packed(line.tokens.output);
    record.cache_write_1h = packed(long_lived);
    record.cache_write_5m = packed(line.cache_write - long_lived);
    record.cache_read = packed(line.tokens.cache_read);
    record.file = static_cast<std::uint32_t>(file);
    record.model = *model;
    record.fast = fast;
    if (line.message_id.empty()) {
      nameless.push_back(record);
      return;
    }
    // The lines of one message follow each other.
    const MessageKey key = key_of(line.message_id, line.request_id);
    if (!last_ || last_->first != key) {
      finish();
      last_.emplace(key, record);
    } else if (is_better(record, last_->second)) {
      last_->second = record;
    }
  }

  /// Asks the others only about a model that this thread has not met.
  std::optional<std::uint16_t> model_number(std::string_view name, bool fast) {
    for (const auto& [known, served_fast, number] : known_models_) {
      if (known == name && served_fast == fast) return number;
    }
    const auto number = models_->number(std::string(name) + (fast ? "-fast" : ""));
    if (number) known_models_.emplace_back(std::string(name), fast, *number);
    return number;
  }

  const UsageOptions* options_;
  Messages* messages_;
  ModelNames* models_;
  std::vector<std::tuple<std::string, bool, std::uint16_t>> known_models_;
  std::optional<std::pair<MessageKey, UsageRecord>> last_;  ///< Its lines may still be coming.
};

}  // namespace

UsageLog collect_usage(const UsageOptions& options) {
  UsageLog log;
  log.files = find_scan_files(options.scope, log.report);
  Messages messages;
  ModelNames models;
  std::vector<Collector> collectors(scan_workers(), Collector(options, messages, models));
  scan_files(log.files, options.scan, log.report,
             [&](std::size_t file, const Block& block, std::size_t worker) {
               collectors[worker].scan(file, block);
             });
  for (Collector& part : collectors) {
    part.finish();
    log.records.insert(log.records.end(), part.nameless.begin(), part.nameless.end());
    log.report.damaged_lines += part.damaged;
  }
  messages.take(log.records);
  log.models = models.settle(log.records);
  std::sort(log.records.begin(), log.records.end(), [](const UsageRecord& a, const UsageRecord& b) {
    if (a.time_ms != b.time_ms) return a.time_ms < b.time_ms;
    if (a.file != b.file) return a.file < b.file;
    return a.tokens().total() < b.tokens().total();
  });
  return log;
}

}  // namespace parley::history
