// Record, then tell; and what happens when something cannot be recorded.
#include "server/sessions/recorder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/events/events.hpp"

namespace parley::server {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

/// A log in memory, whose disk may be full.
class MemoryLog : public SessionLog {
 public:
  explicit MemoryLog(std::vector<Record>& records, bool& full) : records_(records), full_(full) {}

  Result<std::uint64_t> append(std::int64_t time, bool transient, std::string_view event) override {
    if (full_) return Error(ErrorCode::io, "no room");
    records_.push_back({last() + 1, time, transient, std::string(event)});
    return last();
  }
  [[nodiscard]] std::uint64_t last() const override { return records_.size(); }
  Result<std::vector<Record>> read_after(std::uint64_t seq, std::size_t) override {
    return std::vector<Record>(records_.begin() + static_cast<std::ptrdiff_t>(seq), records_.end());
  }
  Result<std::vector<Record>> read_before(std::uint64_t, std::size_t, std::size_t) override {
    return records_;
  }
  Result<bool> compact(std::uint64_t, std::function<void()>) override { return false; }
  Result<void> save(const Snapshot& snapshot) override {
    snapshot_ = snapshot;
    return {};
  }
  std::optional<Snapshot> snapshot() override { return snapshot_; }
  void rest() override {}

 private:
  std::vector<Record>& records_;
  bool& full_;
  std::optional<Snapshot> snapshot_;
};

class Listener : public Subscriber {
 public:
  void on_event(const std::string&, const Record& record, std::uint64_t previous) override {
    told.emplace_back(previous, record.event);
  }
  void on_log_failure(const std::string& session, const Error& error) override {
    failures.push_back(session + ": " + error.what());
  }
  std::vector<std::pair<std::uint64_t, std::string>> told;
  std::vector<std::string> failures;
};

class RecorderTest : public ::testing::Test {
 protected:
  std::shared_ptr<Recorder> make() {
    return std::make_shared<Recorder>(context_, std::make_unique<MemoryLog>(records_, full_),
                                      SessionState("the id"));
  }

  std::shared_ptr<Loop> loop_ = Loop::create().value();
  Workers workers_{1};
  Upkeep upkeep_{*loop_};
  Meters meters_;
  std::vector<std::string> roots_;
  std::vector<std::string> changed_;
  HubContext context_{*loop_,
                      workers_,
                      workers_,
                      workers_,
                      upkeep_,
                      meters_,
                      [] { return Options(); },
                      roots_,
                      [this](const std::string& id) { changed_.push_back(id); },
                      [](const control::InitializeReply&) {}};
  std::vector<Record> records_;
  bool full_ = false;
  Listener listener_;
};

TEST_F(RecorderTest, WhatIsToldIsRecorded) {
  const auto recorder = make();
  recorder->subscribe(listener_);
  const std::string title = events::settings(Json::object({{"title", "a title"}}));
  ASSERT_EQ(recorder->record(title).value(), 1U);
  ASSERT_EQ(recorder->record(events::state("idle", {})).value(), 2U);
  EXPECT_THAT(listener_.told,
              ElementsAre(std::pair(0U, title), std::pair(1U, events::state("idle", {}))));
  ASSERT_THAT(records_, SizeIs(2));
  EXPECT_EQ(records_[0].event, title);
  EXPECT_EQ(recorder->state().name(), "idle");
  EXPECT_THAT(changed_, ElementsAre("the id", "the id"));
  EXPECT_EQ(meters_.events, 2U);
}

TEST_F(RecorderTest, WhatCannotBeRecordedIsToldAsThat) {
  const auto recorder = make();
  recorder->subscribe(listener_);
  full_ = true;
  EXPECT_FALSE(recorder->record(events::state("idle", {})));
  EXPECT_THAT(listener_.told, SizeIs(0));
  EXPECT_THAT(listener_.failures, ElementsAre("the id: no room"));
  EXPECT_TRUE(recorder->failure());
  EXPECT_EQ(recorder->state().name(), "starting");
  full_ = false;
  EXPECT_TRUE(recorder->record(events::state("idle", {})));
  EXPECT_FALSE(recorder->failure());
}

TEST_F(RecorderTest, TheStateFollowsFromTheLog) {
  const auto recorder = make();
  ASSERT_TRUE(recorder->record(events::state("idle", {})));
  ASSERT_TRUE(recorder->record(events::request("r", R"({"tool_name":"Bash"})")));
  const auto again = make();
  ASSERT_TRUE(again->load());
  EXPECT_EQ(again->state().snapshot(), recorder->state().snapshot());
  again->resolve_all("lost");
  EXPECT_THAT(again->state().pending(), SizeIs(0));
  EXPECT_EQ(records_.back().event, events::resolved("r", {}, "lost"));
}

TEST_F(RecorderTest, NothingHappensInADeletedSession) {
  const auto recorder = make();
  recorder->retire();
  EXPECT_EQ(recorder->record(events::state("idle", {})).error().code(), ErrorCode::not_found);
  EXPECT_THAT(records_, SizeIs(0));
}

}  // namespace
}  // namespace parley::server
