// Tokens and money: what the transcripts say was used, each message counted once even when forks,
// resumed sessions and the several lines of one message repeat it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../listing/bulk_scan.hpp"
#include "prices.hpp"

namespace parley::history {

/// One message of a model. Packed, because a log holds all of them: gigabytes of transcripts have
/// hundreds of thousands.
struct UsageRecord {
  static constexpr double kNoCost = -1;

  std::int64_t time_ms = 0;     ///< Since 1970.
  double noted_cost = kNoCost;  ///< US dollars, if an older agent wrote it into the line.
  std::uint32_t input = 0, output = 0, cache_write_5m = 0, cache_write_1h = 0, cache_read = 0;
  std::uint32_t file = 0;   ///< Index into UsageLog::files.
  std::uint16_t model = 0;  ///< Index into UsageLog::models.
  bool fast = false;

  [[nodiscard]] Tokens tokens() const {
    return {input, output, cache_write_5m, cache_write_1h, cache_read};
  }
};

struct UsageLog {
  std::vector<UsageRecord> records;  ///< By time.
  std::vector<std::string> models;   ///< By name.
  std::vector<ScanFile> files;
  Report report;
};

struct UsageOptions {
  Scope scope;
  std::optional<std::int64_t> since_ms = {}, until_ms = {};  ///< [since, until), 1970-based.
  ScanOptions scan = {};
};

/// Reads the usage of all transcripts in the scope.
[[nodiscard]] UsageLog collect_usage(const UsageOptions& options);

enum class GroupBy { day, week, month, session, project, model, block };

struct ModelShare {
  std::string model;
  Tokens tokens;
  double cost = 0;     ///< US dollars.
  bool priced = true;  ///< False if the model has no price; its cost is then 0.
};

struct UsageRow {
  std::string key;  ///< Day "2026-11-15", month "2026-11", session id, project folder, model, …
  std::int64_t first_ms = 0, last_ms = 0;  ///< Of the messages in it.
  std::int64_t messages = 0;
  Tokens tokens;
  double cost = 0;                 ///< US dollars.
  std::vector<ModelShare> models;  ///< By cost, the dearest first.
};

struct UsageSummary {
  std::vector<UsageRow> rows;  ///< By time, or by cost for sessions, projects and models.
  UsageRow total;
  std::vector<std::string> unpriced_models;
};

struct SummaryOptions {
  GroupBy by = GroupBy::day;
  /// Offset of the local time at a time, in seconds east of UTC.
  std::int64_t (*utc_offset)(std::int64_t time_ms) = nullptr;  ///< Null for UTC.
  /// First day of a week: 1 for Monday, 0 for Sunday.
  int first_weekday = 1;
};

/// Blocks are the five hours that begin with the full hour (UTC) of a message after the end of the
/// last block or after a pause of five hours.
[[nodiscard]] UsageSummary summarise(const UsageLog& log, const Prices& prices,
                                     const SummaryOptions& options);

/// The offset of this machine's time zone.
[[nodiscard]] std::int64_t local_utc_offset(std::int64_t time_ms);

}  // namespace parley::history
