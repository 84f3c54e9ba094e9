#include "history/usage/usage.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "history/usage/message_table.hpp"
#include "tree_fixture.hpp"

namespace parley::history {
namespace {

std::string usage_line(const std::string& id, const std::string& time, std::int64_t output,
                       const std::string& model = "claude-sonnet-4-5", const Json& more = {}) {
  Json usage = Json::object({{"input_tokens", 100}, {"output_tokens", output}});
  for (const auto& [key, value] : more.members()) usage.set(key, value);
  return Json::object({{"type", "assistant"},
                       {"timestamp", time},
                       {"requestId", "r" + id},
                       {"message", Json::object({{"id", id}, {"model", model}, {"usage", usage}})}})
             .dump() +
         "\n";
}

class UsageTest : public TreeTest {
 protected:
  UsageSummary summary(GroupBy by) {
    return summarise(collect_usage({.scope = scope()}), Prices::built_in(), {by});
  }
};

TEST_F(UsageTest, EachMessageOnce) {
  const std::string first = usage_line("m1", "2026-01-01T10:00:00Z", 1);
  const std::string last = usage_line("m1", "2026-01-01T10:00:00Z", 50);
  write(transcript(), first + last + first);
  write(transcript("22222222-2222-4222-8222-222222222222"), last);  // a fork
  write(project() / kSession / "subagents" / "agent-x.jsonl",
        usage_line("m2", "2026-01-01T11:00:00Z", 7));
  const UsageSummary usage = summary(GroupBy::session);
  EXPECT_EQ(usage.total.messages, 2);
  EXPECT_EQ(usage.total.tokens.output, 57);
  ASSERT_EQ(usage.rows.size(), 1U);
  EXPECT_EQ(usage.rows[0].key, kSession);
}

TEST_F(UsageTest, OfWritersThatPutBlanksBehindColons) {
  std::string text = usage_line("m1", "2026-01-01T10:00:00Z", 5);
  for (std::size_t at = 0; (at = text.find("\":", at)) != std::string::npos; at += 3) {
    text.insert(at + 2, " ");
  }
  write(transcript(), text);
  EXPECT_EQ(summary(GroupBy::session).total.tokens.output, 5);
}

TEST_F(UsageTest, DaysWeeksMonthsBlocks) {
  write(transcript(), usage_line("1", "2026-01-01T23:30:00Z", 1) +
                          usage_line("2", "2026-01-02T01:00:00Z", 1) +
                          usage_line("3", "2026-01-02T05:00:00Z", 1) +
                          usage_line("4", "2026-02-01T00:00:00Z", 1));
  const auto keys = [&](GroupBy by) {
    std::string all;
    for (const UsageRow& row : summary(by).rows) {
      all += row.key + "=" + std::to_string(row.messages) + " ";
    }
    return all;
  };
  EXPECT_EQ(keys(GroupBy::day), "2026-01-01=1 2026-01-02=2 2026-02-01=1 ");
  EXPECT_EQ(keys(GroupBy::week), "2025-12-29=3 2026-01-26=1 ");
  EXPECT_EQ(keys(GroupBy::month), "2026-01=3 2026-02=1 ");
  EXPECT_EQ(keys(GroupBy::block),
            "2026-01-01T23:00:00.000Z=2 2026-01-02T05:00:00.000Z=1 2026-02-01T00:00:00.000Z=1 ");
  EXPECT_EQ(keys(GroupBy::project), "-work=4 ");
}

TEST_F(UsageTest, LocalDays) {
  write(transcript(), usage_line("1", "2026-01-01T23:30:00Z", 1));
  const UsageLog log = collect_usage({.scope = scope()});
  const SummaryOptions east{GroupBy::day, [](std::int64_t) -> std::int64_t { return 3600; }};
  EXPECT_EQ(summarise(log, Prices::built_in(), east).rows[0].key, "2026-01-02");
}

TEST_F(UsageTest, PricesAndUnknownModels) {
  const Json cached = Json::parse(R"({"cache_creation_input_tokens":1000,
      "cache_creation":{"ephemeral_1h_input_tokens":400},"cache_read_input_tokens":2000})")
                          .value();
  write(transcript(),
        usage_line("1", "2026-01-01T10:00:00Z", 10, "claude-opus-4-5-20251101", cached) +
            usage_line("2", "2026-01-01T10:00:00Z", 10, "claude-of-tomorrow") +
            usage_line("3", "2026-01-01T10:00:00Z", 10, "<synthetic>"));
  const UsageSummary usage = summary(GroupBy::model);
  EXPECT_EQ(usage.total.messages, 2);
  EXPECT_EQ(usage.unpriced_models, std::vector<std::string>{"claude-of-tomorrow"});
  EXPECT_NEAR(usage.total.cost, (100 * 5 + 10 * 25 + 600 * 6.25 + 400 * 10 + 2000 * 0.5) / 1e6,
              1e-12);
}

TEST_F(UsageTest, SinceUntilAndDamage) {
  write(transcript(), usage_line("1", "2026-01-01T10:00:00Z", 1) + "{\"usage\":{ broken\n" +
                          usage_line("2", "2026-01-03T10:00:00Z", 1) + usage_line("3", "never", 1));
  const UsageLog log =
      collect_usage({.scope = scope(), .since_ms = 1767312000000, .until_ms = 1767571200000});
  EXPECT_EQ(log.records.size(), 1U);
  EXPECT_EQ(log.report.damaged_lines, 1U);
}

TEST(HistoryPrices, Matching) {
  const Prices prices = Prices::built_in();
  EXPECT_NE(prices.find("claude-sonnet-4-5"), nullptr);
  EXPECT_EQ(prices.find("claude-sonnet-4-5-20250929"), prices.find("claude-sonnet-4-5"));
  EXPECT_EQ(prices.find("us.anthropic.claude-sonnet-4-5-20250929"),
            prices.find("claude-sonnet-4-5"));
  EXPECT_EQ(prices.find("claude-sonnet-4-5[1m]"), prices.find("claude-sonnet-4-5"));
  EXPECT_EQ(prices.find("claude-opus-4-99"), nullptr);  // not the price of claude-opus-4
  EXPECT_FALSE(prices.date().empty());
}

TEST(HistoryPrices, OwnFile) {
  Prices prices = Prices::built_in();
  prices.extend(Prices::parse(R"({"date":"2030-01-01","models":{"mine":{"input":1,"output":2,
      "cache_write_5m":0,"cache_write_1h":0,"cache_read":0}}})")
                    .value());
  EXPECT_EQ(prices.date(), "2030-01-01");
  EXPECT_DOUBLE_EQ(prices.find("mine")->cost({.input = 1000000, .output = 500000}, false), 2.0);
  const auto bad = Prices::parse(R"({"models":{"m":{"input":"free"}}})");
  EXPECT_EQ(bad.error().context(), "models.m.input");
}

TEST(HistoryPrices, LongContext) {
  const Prices prices = Prices::built_in();
  EXPECT_NEAR(prices.find("claude-sonnet-4-5")->cost({.input = 1000000}, false), 5.4, 1e-9);
}

TEST(HistoryMessageTable, KeepsTheBestOfEach) {
  MessageTable<int> table;
  std::vector<std::thread> threads;
  constexpr std::uint64_t kKeys = 20000;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::uint64_t key = 0; key < kKeys; ++key) {
        // Keys that fall into the same places.
        table.put({key % 7, key << 20}, thread, [](int a, int b) { return a > b; });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(table.size(), kKeys);
  std::vector<int> records = {9};
  table.take(records);
  ASSERT_EQ(records.size(), kKeys + 1);
  EXPECT_EQ(std::count(records.begin(), records.end(), 3), std::int64_t{kKeys});
  EXPECT_EQ(table.size(), 0U);
}

}  // namespace
}  // namespace parley::history
