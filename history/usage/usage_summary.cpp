#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <set>
#include <unordered_map>

#include "history/usage/usage.hpp"
#include "support/time.hpp"

namespace parley::history {
namespace {

constexpr std::int64_t kHourMs = 3600 * 1000;
constexpr std::int64_t kBlockMs = 5 * kHourMs;

/// Names days, weeks and months; the calendar is asked once per hour of the log.
class Calendar {
 public:
  explicit Calendar(const SummaryOptions& options) : options_(options) {}

  const std::string& name(std::int64_t time_ms) {
    // Time zones shift by quarters of an hour.
    const std::int64_t quarter =
        std::chrono::floor<std::chrono::minutes>(std::chrono::milliseconds(time_ms)).count() / 15;
    auto [known, added] = names_.emplace(quarter, std::string());
    if (added) known->second = compute(time_ms);
    return known->second;
  }

 private:
  [[nodiscard]] std::string compute(std::int64_t time_ms) const {
    using namespace std::chrono;
    const std::int64_t offset = options_.utc_offset ? options_.utc_offset(time_ms) : 0;
    auto day = floor<days>(sys_time<milliseconds>(milliseconds(time_ms + offset * 1000)));
    if (options_.by == GroupBy::week) {
      const auto since_first =
          (weekday(day).c_encoding() + 7 - static_cast<unsigned>(options_.first_weekday)) % 7;
      day -= days(since_first);
    }
    const std::string text =
        format_time(duration_cast<milliseconds>(day.time_since_epoch()).count());
    return text.substr(0, options_.by == GroupBy::month ? 7 : 10);
  }

  const SummaryOptions& options_;
  std::unordered_map<std::int64_t, std::string> names_;
};

/// Tells to which five-hour block a message belongs; messages come by time.
class Blocks {
 public:
  const std::string& name(std::int64_t time_ms) {
    if (name_.empty() || time_ms >= start_ + kBlockMs || time_ms >= last_ + kBlockMs) {
      start_ = time_ms - time_ms % kHourMs;
      name_ = format_time(start_);
    }
    last_ = time_ms;
    return name_;
  }

 private:
  std::int64_t start_ = 0, last_ = 0;
  std::string name_;
};

struct Priced {
  double cost = 0;
  bool known = true;
};

class Summary {
 public:
  Summary(const UsageLog& log, const Prices& prices, const SummaryOptions& options)
      : log_(log), options_(options), calendar_(options) {
    for (const std::string& model : log.models) {
      std::string_view name = model;
      if (name.ends_with("-fast")) name.remove_suffix(5);
      prices_.push_back(prices.find(name));
    }
  }

  UsageSummary run() {
    for (const UsageRecord& record : log_.records) {
      const Priced priced = price(record);
      add(rows_[key_of(record)], record, priced);
      add(total_, record, priced);
    }
    UsageSummary summary;
    for (auto& [key, row] : rows_) summary.rows.push_back(finish(key, row));
    const bool by_cost = options_.by == GroupBy::session || options_.by == GroupBy::project ||
                         options_.by == GroupBy::model;
    if (by_cost) {
      std::stable_sort(summary.rows.begin(), summary.rows.end(),
                       [](const UsageRow& a, const UsageRow& b) { return a.cost > b.cost; });
    }
    summary.total = finish("total", total_);
    for (const ModelShare& share : summary.total.models) {
      if (!share.priced) summary.unpriced_models.push_back(share.model);
    }
    std::sort(summary.unpriced_models.begin(), summary.unpriced_models.end());
    return summary;
  }

 private:
  struct Row {
    UsageRow sums;
    std::map<std::uint32_t, ModelShare> shares;
  };

  [[nodiscard]] Priced price(const UsageRecord& record) const {
    if (record.noted_cost >= 0) return {record.noted_cost, true};
    const ModelPrice* price = prices_[record.model];
    if (price == nullptr) return {0, false};
    return {price->cost(record.tokens(), record.fast), true};
  }

  const std::string& key_of(const UsageRecord& record) {
    switch (options_.by) {
      case GroupBy::session: return log_.files[record.file].session_id;
      case GroupBy::project: return log_.files[record.file].project;
      case GroupBy::model: return log_.models[record.model];
      case GroupBy::block: return blocks_.name(record.time_ms);
      default: return calendar_.name(record.time_ms);
    }
  }

  static void add(Row& row, const UsageRecord& record, const Priced& priced) {
    if (row.sums.messages++ == 0) row.sums.first_ms = record.time_ms;
    row.sums.last_ms = record.time_ms;
    row.sums.tokens += record.tokens();
    row.sums.cost += priced.cost;
    ModelShare& share = row.shares[record.model];
    share.tokens += record.tokens();
    share.cost += priced.cost;
    share.priced = share.priced && priced.known;
  }

  UsageRow finish(const std::string& key, Row& row) {
    row.sums.key = key;
    for (auto& [model, share] : row.shares) {
      share.model = log_.models[model];
      row.sums.models.push_back(std::move(share));
    }
    std::sort(row.sums.models.begin(), row.sums.models.end(),
              [](const ModelShare& a, const ModelShare& b) {
                return a.cost != b.cost ? a.cost > b.cost : a.model < b.model;
              });
    return std::move(row.sums);
  }

  const UsageLog& log_;
  const SummaryOptions& options_;
  Calendar calendar_;
  Blocks blocks_;
  std::vector<const ModelPrice*> prices_;
  std::map<std::string, Row> rows_;
  Row total_;
};

}  // namespace

UsageSummary summarise(const UsageLog& log, const Prices& prices, const SummaryOptions& options) {
  return Summary(log, prices, options).run();
}

std::int64_t local_utc_offset(std::int64_t time_ms) {
  const std::time_t seconds = time_ms / 1000;
  std::tm local{};
  if (::localtime_r(&seconds, &local) == nullptr) return 0;
  return local.tm_gmtoff;
}

}  // namespace parley::history
