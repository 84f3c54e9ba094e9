#include "server/file_log.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "server/segment.hpp"

namespace parley::server {
namespace {

namespace fs = std::filesystem;

constexpr const char* kId = "11111111-2222-4333-8444-555555555555";

class FileLogTest : public ::testing::Test {
 protected:
  FileLogTest() {
    std::string name = (fs::temp_directory_path() / "file-log-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~FileLogTest() override { fs::remove_all(folder_); }

  void open(FileLogOptions options = {}) {
    log_.reset();
    store_.reset();
    store_ = open_file_store(folder_, options).value();
    log_ = store_->open(kId).value();
  }
  std::uint64_t append(const std::string& event, bool transient = false) {
    return log_->append(1234, transient, event).value();
  }
  std::vector<std::uint64_t> numbers(const Result<std::vector<Record>>& records) {
    std::vector<std::uint64_t> list;
    for (const Record& record : records.value()) list.push_back(record.seq);
    return list;
  }
  std::vector<fs::path> segments() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_ / "sessions" / kId)) {
      if (entry.path().extension() == ".log") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
  }

  fs::path folder_;
  std::unique_ptr<LogStore> store_;
  std::unique_ptr<SessionLog> log_;
};

using Numbers = std::vector<std::uint64_t>;

TEST_F(FileLogTest, KeepsEventsInOrderAcrossOpening) {
  open();
  EXPECT_EQ(log_->last(), 0U);
  for (int i = 1; i <= 100; ++i) EXPECT_EQ(append("event " + std::to_string(i)), i);
  open();
  EXPECT_EQ(log_->last(), 100U);
  const auto records = log_->read_after(97, 1 << 20).value();
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[0], (Record{98, 1234, false, "event 98"}));
  EXPECT_EQ(append("one more"), 101U);
  EXPECT_EQ(store_->list().value(), std::vector<std::string>{kId});
}

TEST_F(FileLogTest, PagesInBothDirectionsAcrossSegments) {
  FileLogOptions options;
  options.segment_bytes = 200;
  open(options);
  for (int i = 1; i <= 50; ++i) append("twenty characters...");
  EXPECT_GT(segments().size(), 5U);
  EXPECT_EQ(numbers(log_->read_before(51, 3, 1 << 20)), (Numbers{48, 49, 50}));
  EXPECT_EQ(numbers(log_->read_before(12, 4, 1 << 20)), (Numbers{8, 9, 10, 11}));
  EXPECT_EQ(numbers(log_->read_before(12, 100, 45)), (Numbers{10, 11}));
  EXPECT_EQ(numbers(log_->read_before(1, 5, 1 << 20)), Numbers{});
  EXPECT_EQ(log_->read_after(0, 1 << 20).value().size(), 50U);
  EXPECT_EQ(numbers(log_->read_after(20, 45)), (Numbers{21, 22}));
  EXPECT_EQ(numbers(log_->read_after(49, 1)), (Numbers{50})) << "at least one";
  EXPECT_EQ(numbers(log_->read_after(50, 1 << 20)), Numbers{});
}

TEST(SegmentTest, SumsUpAsEverybodyDoes) {
  EXPECT_EQ(crc32(""), 0U);
  EXPECT_EQ(crc32("a"), 0xE8B7BE43U);
  EXPECT_EQ(crc32("123456789"), 0xCBF43926U);
  EXPECT_EQ(crc32("The quick brown fox jumps over the lazy dog"), 0x414FA339U);
}

TEST_F(FileLogTest, CutsOffATornEndWhereverItWasTorn) {
  open();
  append("the first");
  append("the second");
  const fs::path file = segments().at(0);
  const auto whole = fs::file_size(file);
  const auto one = kRecordOverhead + std::string_view("the first").size();
  std::string bytes(whole, '\0');
  std::ifstream(file, std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(whole));
  for (std::size_t size = one; size < whole; ++size) {
    log_.reset();
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes.substr(0, size);
    open();
    EXPECT_EQ(log_->last(), 1U) << "cut at " << size;
    EXPECT_EQ(append("another"), 2U);
    EXPECT_EQ(log_->read_after(0, 1 << 20).value().back().event, "another");
  }
}

TEST_F(FileLogTest, CompactionDropsPiecesAndKeepsNumbers) {
  FileLogOptions options;
  options.transient_bytes = 100;
  open(options);
  append("kept");
  for (int i = 0; i < 10; ++i) append("a piece of an answer", true);
  append("the answer");
  append("a last piece", true);
  ASSERT_TRUE(log_->compact(13));
  EXPECT_EQ(numbers(log_->read_after(0, 1 << 20)), (Numbers{1, 12}));
  open(options);
  EXPECT_EQ(log_->last(), 13U) << "a number is never given twice";
  EXPECT_EQ(append("next"), 14U);
  EXPECT_EQ(numbers(log_->read_after(5, 1 << 20)), (Numbers{12, 14}));
}

TEST_F(FileLogTest, KeepsWhatIsStillNeededByTheTurn) {
  FileLogOptions options;
  options.segment_bytes = 100;
  open(options);
  for (int i = 0; i < 20; ++i) append("a piece of an answer", true);
  ASSERT_TRUE(log_->compact(0));
  EXPECT_EQ(log_->read_after(0, 1 << 20).value().size(), 20U);
}

TEST_F(FileLogTest, IsBounded) {
  FileLogOptions options;
  options.segment_bytes = 1000;
  options.session_bytes = 5000;
  options.record_bytes = 2000;
  open(options);
  for (int i = 0; i < 100; ++i) append(std::string(200, 'x'));
  ASSERT_TRUE(log_->compact(100));
  std::size_t total = 0;
  for (const fs::path& file : segments()) total += fs::file_size(file);
  EXPECT_LE(total, 5000U);
  EXPECT_EQ(log_->read_after(0, 1 << 20).value().back().seq, 100U);
  EXPECT_EQ(log_->append(1, false, std::string(3000, 'x')).error().code(), ErrorCode::kTooLarge);
}

TEST_F(FileLogTest, SnapshotsAreUsedOnlyIfTheyFit) {
  open();
  EXPECT_FALSE(log_->snapshot());
  append("one");
  ASSERT_TRUE(log_->save({1, R"({"a":1})"}));
  append("two");
  open();
  ASSERT_TRUE(log_->snapshot());
  EXPECT_EQ(log_->snapshot()->seq, 1U);
  EXPECT_EQ(log_->snapshot()->state, R"({"a":1})");
  EXPECT_EQ(log_->last(), 2U);
  EXPECT_EQ(numbers(log_->read_after(0, 1 << 20)), (Numbers{1, 2}));
  std::ofstream(folder_ / "sessions" / kId / "snapshot.json") << "{broken";
  open();
  EXPECT_FALSE(log_->snapshot());
  EXPECT_EQ(log_->last(), 2U);
}

TEST_F(FileLogTest, IsOpenedByOneProcessOnly) {
  open();
  EXPECT_EQ(open_file_store(folder_).error().code(), ErrorCode::kPermission);
}

TEST_F(FileLogTest, RefusesIdsThatAreNone) {
  open();
  for (const char* id : {"", "..", "../../etc", "a/b"}) {
    EXPECT_EQ(store_->open(id).error().code(), ErrorCode::kInvalid);
    EXPECT_EQ(store_->remove(id).error().code(), ErrorCode::kInvalid);
  }
}

}  // namespace
}  // namespace parley::server
