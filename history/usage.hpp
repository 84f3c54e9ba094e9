// Tokens and money: what the transcripts say was used, each message counted once even when forks,
// resumed sessions and the several lines of one message repeat it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bulk_scan.hpp"
#include "prices.hpp"

namespace parley::history {

/// One message of a model.
struct UsageRecord {
  std::int64_t time_ms = 0;  ///< Since 1970.
  Tokens tokens;
  std::optional<double> noted_cost;  ///< US dollars, as older agents wrote it into the line.
  std::uint32_t model = 0;           ///< Index into UsageLog::models.
  std::uint32_t file = 0;            ///< Index into UsageLog::files.
  bool fast = false;
};

struct UsageLog {
  std::vector<UsageRecord> records;  ///< By time.
  std::vector<std::string> models;
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

enum class GroupBy { kDay, kWeek, kMonth, kSession, kProject, kModel, kBlock };

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
  GroupBy by = GroupBy::kDay;
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
