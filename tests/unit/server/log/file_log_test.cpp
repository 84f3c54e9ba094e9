#include "server/log/file_log.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <future>
#include <random>

#include "server/log/segment.hpp"
#include "support/files/io.hpp"
#include "support/files/temporary.hpp"

namespace parley::server {
namespace {

namespace fs = std::filesystem;

constexpr const char* kId = "11111111-2222-4333-8444-555555555555";

class FileLogTest : public ::testing::Test {
 protected:
  void open(FileLogOptions options = {}) {
    log_.reset();
    store_.reset();
    options.on_damage = [this](const Damage& damage) {
      damages_.push_back(damage);
      return std::string("damaged");
    };
    store_ = open_file_store(folder_, options).value();
    log_ = store_->open(kId).value();
  }
  void compact(std::uint64_t upto) {
    while (compact_once(upto)) {
    }
  }
  /// Whether there was something to do. Returns when it is done.
  bool compact_once(std::uint64_t upto) {
    const auto again = std::make_shared<std::promise<void>>();
    const bool more = log_->compact(upto, [again] { again->set_value(); }).value();
    if (more) again->get_future().wait();
    return more;
  }
  std::uint64_t append(const std::string& event, bool transient = false) {
    return log_->append(1234, transient, event).value();
  }
  std::vector<std::uint64_t> numbers(const Result<std::vector<Record>>& records) {
    std::vector<std::uint64_t> list;
    for (const Record& record : records.value()) list.push_back(record.seq);
    return list;
  }
  /// All that can be read, in order; one that stands for others is called by a minus.
  std::vector<std::int64_t> readable() {
    std::vector<std::int64_t> list;
    for (const Record& record : log_->read_after(0, 1 << 20).value()) {
      const auto seq = static_cast<std::int64_t>(record.seq);
      list.push_back(record.event == "damaged" ? -seq : seq);
    }
    return list;
  }
  fs::path session() { return folder_ / "sessions" / kId; }
  fs::path file(const std::string& name) { return session() / name; }
  static std::string content(const fs::path& path) { return read_file(path).value_or(""); }
  static void write(const fs::path& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  }
  static void flip(const fs::path& path, std::size_t at, int bit = 0) {
    std::string bytes = content(path);
    bytes.at(at) = static_cast<char>(bytes.at(at) ^ (1 << bit));
    write(path, bytes);
  }
  static mode_t mode_of(const fs::path& path) {
    struct stat about {};
    EXPECT_EQ(::stat(path.c_str(), &about), 0);
    return about.st_mode & 0777;
  }
  std::vector<fs::path> segments() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(session())) {
      if (entry.path().extension() == ".log") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
  }

  TemporaryFolder temporary_ = TemporaryFolder::make("file-log-").value();
  fs::path folder_ = temporary_.path();
  std::unique_ptr<LogStore> store_;
  std::unique_ptr<SessionLog> log_;
  std::vector<Damage> damages_;
};

using Numbers = std::vector<std::uint64_t>;
using Readable = std::vector<std::int64_t>;

/// Two records of this and its overhead fit into a segment of segments_of_two().
constexpr std::string_view kEvent = "twenty characters...";
constexpr std::size_t kSize = kRecordOverhead + kEvent.size();

FileLogOptions segments_of_two() {
  FileLogOptions options;
  options.segment_bytes = 2 * kSize;
  return options;
}

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

TEST(SegmentTest, WhateverHappensToAPartTheRestCanBeRead) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t end) { return std::size_t{random()} % end; };
  for (int round = 0; round < 2000; ++round) {
    std::vector<Record> whole;
    std::vector<std::size_t> begins;
    std::string bytes;
    for (std::uint64_t seq = 1; seq <= 20; seq += 1 + below(3)) {
      whole.push_back({seq, 5, below(2) == 0, std::string(below(60), '"')});
      begins.push_back(bytes.size());
      append_record(bytes, seq, 5, whole.back().transient, whole.back().event);
    }
    begins.push_back(bytes.size());
    // A part is overwritten with noise or zeros, is missing, or has something put before it.
    const std::size_t from = below(bytes.size());
    const std::size_t to = from + 1 + below(std::min<std::size_t>(100, bytes.size() - from));
    const auto kind = below(4);
    std::string part(to - from, '\0');
    if (kind % 2 == 0)
      std::generate(part.begin(), part.end(), [&] { return static_cast<char>(random()); });
    if (kind == 2) part.clear();
    if (kind == 3) part += bytes.substr(from, to - from);
    bytes.replace(from, to - from, part);

    std::vector<Record> read;
    std::uint64_t last = 0;
    scan_records(
        bytes, {},
        [&](Record&& record, std::size_t) {
          EXPECT_LT(last, record.seq);
          last = record.seq;
          read.push_back(std::move(record));
          return true;
        },
        [&](const Broken& broken) {
          EXPECT_LT(last, broken.seq);
          last = broken.seq;
          return true;
        });
    std::size_t found = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      const bool is_there = found < read.size() && read[found] == whole[i];
      const bool is_hit = begins[i] < to && begins[i + 1] > from;
      EXPECT_TRUE(is_there || is_hit) << "round " << round << ", record " << i;
      found += is_there ? 1 : 0;
    }
    EXPECT_EQ(found, read.size()) << "nothing else is taken for a record";
  }
}

// ---- what a crash leaves ------------------------------------------------------------------------

TEST_F(FileLogTest, GoesOnBehindATornEndWhereverItWasTorn) {
  open();
  append("the first");
  append("the second");
  const fs::path first = segments().at(0);
  const std::string bytes = content(first);
  const auto one = kRecordOverhead + std::string_view("the first").size();
  for (std::size_t size = one + 1; size < bytes.size(); ++size) {
    log_.reset();
    fs::remove_all(session());
    fs::create_directory(session());
    write(first, bytes.substr(0, size));
    open();
    EXPECT_EQ(log_->last(), 1U) << "cut at " << size;
    open();
    const std::uint64_t next = append("another");
    EXPECT_GT(next, 2U) << "a number that was in use, cut at " << size;
    EXPECT_LT(next, 5U);
    EXPECT_EQ(log_->read_after(1, 1 << 20).value().at(0).event, "another");
    open();
    EXPECT_EQ(log_->last(), next);
    EXPECT_EQ(readable(), (Readable{1, static_cast<std::int64_t>(next)}));
  }
  EXPECT_TRUE(damages_.empty()) << "nobody had heard of it";
}

TEST_F(FileLogTest, AFlippedBitCostsOneEventAndIsTold) {
  open();
  for (int i = 1; i <= 3; ++i) append(std::string(kEvent));
  const fs::path first = segments().at(0);
  const std::string bytes = content(first);
  for (std::size_t place = 0; place < 8 * bytes.size(); ++place) {
    SCOPED_TRACE("byte " + std::to_string(place / 8) + ", bit " + std::to_string(place % 8));
    std::string flipped = bytes;
    flipped[place / 8] = static_cast<char>(flipped[place / 8] ^ (1 << place % 8));
    write(first, flipped);
    damages_.clear();
    log_ = store_->open(kId).value();
    const std::size_t hit = place / 8 / kSize;
    Readable expected{1, 2, 3};
    expected.at(hit) = -expected.at(hit);
    EXPECT_EQ(readable(), expected);
    EXPECT_EQ(log_->last(), 3U);
    ASSERT_EQ(damages_.size(), 1U);
    EXPECT_EQ(damages_[0].seq, hit + 1);
    EXPECT_EQ(damages_[0].bytes, kSize);
    EXPECT_EQ(damages_[0].where, first.string() + ", byte " + std::to_string(hit * kSize));
    EXPECT_EQ(content(first), flipped) << "nothing is cut off";
    if (place % 8 > 0) continue;
    EXPECT_GT(append(std::string(kEvent)), 3U);
    EXPECT_EQ(content(first).substr(0, flipped.size()), flipped);
    if (segments().size() > 1) fs::remove(segments()[1]);
  }
}

TEST_F(FileLogTest, DamageInAnySegmentIsSteppedOver) {
  open(segments_of_two());
  for (int i = 1; i <= 7; ++i) append(std::string(kEvent));
  ASSERT_EQ(segments().size(), 4U);
  flip(segments()[0], kSize + 9);
  flip(segments()[1], 30);
  flip(segments()[1], kSize + 30);
  flip(segments()[2], 2, 6);
  open(segments_of_two());
  EXPECT_TRUE(damages_.empty()) << "old segments are not read before somebody wants to";
  const Readable expected{1, -2, -3, -5, 6, 7};
  EXPECT_EQ(readable(), expected);
  EXPECT_EQ(readable(), expected);
  EXPECT_EQ(damages_.size(), 3U) << "each is told once";
  EXPECT_EQ(damages_[1].bytes, 2 * kSize);
  EXPECT_EQ(numbers(log_->read_before(7, 3, 1 << 20)), (Numbers{3, 5, 6}));
  EXPECT_EQ(numbers(log_->read_after(2, 1 << 20)), (Numbers{3, 5, 6, 7}));
  EXPECT_EQ(numbers(log_->read_after(3, 1 << 20)), (Numbers{5, 6, 7}));
  EXPECT_EQ(append("next"), 8U) << "nothing is missing at the end";
}

TEST_F(FileLogTest, DamageBeforeTheSnapshotIsSteppedOver) {
  open();
  for (int i = 1; i <= 5; ++i) append(std::string(kEvent));
  ASSERT_TRUE(log_->save({5, "{}"}));
  append(std::string(kEvent));
  flip(segments()[0], 2 * kSize + 1);
  open();
  EXPECT_EQ(log_->snapshot()->seq, 5U);
  EXPECT_EQ(readable(), (Readable{1, 2, -3, 4, 5, 6}));
}

TEST_F(FileLogTest, AnEndOfZerosIsTold) {
  open();
  append(std::string(kEvent));
  const fs::path first = segments().at(0);
  write(first, content(first) + std::string(10 * kRecordOverhead, '\0'));
  for (int i = 0; i < 2; ++i) {
    open();
    EXPECT_EQ(readable(), (Readable{1, -2}));
  }
  const std::uint64_t next = append("next");
  EXPECT_GE(next, 12U) << "so many events can have been there";
  open();
  EXPECT_EQ(readable(), (Readable{1, -2, static_cast<std::int64_t>(next)}));
}

TEST_F(FileLogTest, CompactionLeavesDamagedSegmentsAlone) {
  open(segments_of_two());
  for (int i = 1; i <= 5; ++i) append(std::string(kEvent), i % 2 == 1);
  flip(segments()[0], kSize + 9);
  const std::string damaged = content(segments()[0]);
  compact(5);
  EXPECT_EQ(content(segments()[0]), damaged);
  EXPECT_EQ(readable(), (Readable{1, -2, 4, 5})) << "the one behind it is compacted";
}

TEST_F(FileLogTest, NumbersThatAPowerCutTookAreNotGivenAgain) {
  open();
  append("one");
  ASSERT_TRUE(log_->save({1, "{}"}));
  fs::last_write_time(segments().at(0), fs::file_time_type::clock::now() - std::chrono::years(20));
  open();
  EXPECT_EQ(log_->last(), 1U);
  const std::uint64_t next = append("two");
  EXPECT_GT(next, 100'000U);
  EXPECT_EQ(append("three"), next + 1);
  open();
  EXPECT_EQ(append("four"), next + 2) << "once is enough";
}

TEST_F(FileLogTest, ASnapshotIsNotUsedWithoutTheEventsThatItCameFrom) {
  for (const bool zeros : {false, true}) {
    fs::remove_all(session());
    open();
    for (int i = 1; i <= 9; ++i) append(std::string(kEvent));
    ASSERT_TRUE(log_->save({9, "{}"}));
    const fs::path first = segments().at(0);
    write(first, content(first).substr(0, 3 * kSize) + std::string(zeros ? 6 * kSize : 0, '\0'));
    for (int i = 0; i < 2; ++i) {
      open();
      EXPECT_FALSE(log_->snapshot());
    }
    EXPECT_GT(append("next"), 100'000U) << "the snapshot had told of 9 at least";
    EXPECT_EQ(readable().size(), 5U) << "what is lost is told in both cases";
  }
}

TEST_F(FileLogTest, ATruncatedLogIsToldOfByItsSnapshot) {
  open();
  for (int i = 1; i <= 9; ++i) append(std::string(kEvent));
  ASSERT_TRUE(log_->save({9, "{}"}));
  const fs::path first = segments().at(0);
  write(first, content(first).substr(0, 3 * kSize));
  for (int i = 0; i < 2; ++i) {
    open();
    const auto records = log_->read_after(0, 1 << 20).value();
    ASSERT_EQ(records.size(), 4U) << "three that are left, and one that says so, once";
    EXPECT_EQ(records[3].event, "damaged");
    ASSERT_EQ(damages_.size(), 1U);
    EXPECT_EQ(damages_[0].seq, 4U);
    EXPECT_EQ(damages_[0].missing, 6U);
    EXPECT_GT(records[3].seq, 9U);
    EXPECT_EQ(log_->last(), records[3].seq);
  }
}

TEST_F(FileLogTest, ASnapshotOfALogThatIsGoneKeepsItsNumbers) {
  open();
  append("one");
  ASSERT_TRUE(log_->save({1, "{}"}));
  fs::remove(segments().at(0));
  open();
  EXPECT_FALSE(log_->snapshot());
  open();
  EXPECT_GT(append("two"), 1U);
}

TEST_F(FileLogTest, ASnapshotWithAFlippedBitIsNotUsed) {
  open();
  append("one");
  append("two");
  ASSERT_TRUE(log_->save({2, "abc"}));
  const fs::path path = file("snapshot.json");
  const std::string bytes = content(path);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    write(path, bytes);
    flip(path, at);
    open();
    const auto snapshot = log_->snapshot();
    EXPECT_EQ(snapshot ? snapshot->seq : 2, 2U) << "byte " << at;
    EXPECT_EQ(snapshot ? snapshot->state : "abc", "abc") << "byte " << at;
    EXPECT_EQ(log_->last(), 2U);
  }
}

// ---- what does not belong there -----------------------------------------------------------------

TEST_F(FileLogTest, FilesOfOthersAreNoSegments) {
  open(segments_of_two());
  for (int i = 1; i <= 5; ++i) append(std::string(kEvent));
  for (const char* name :
       {"notes.txt", "1.log", "00000000000000000000.log", "99999999999999999999.log",
        "18446744073709551617.log", "0000000000000000000x.log", "00000000000000000001.log.new"}) {
    write(file(name), "anything");
  }
  open(segments_of_two());
  EXPECT_EQ(readable(), (Readable{1, 2, 3, 4, 5}));
  EXPECT_EQ(append("next"), 6U);
  EXPECT_TRUE(fs::exists(file("notes.txt")));
  EXPECT_FALSE(fs::exists(file("00000000000000000001.log.new"))) << "a draft that was left behind";
}

TEST_F(FileLogTest, EmptyFilesAreSegmentsWithoutEvents) {
  open(segments_of_two());
  for (int i = 1; i <= 5; ++i) append(std::string(kEvent));
  write(segments().at(1), "");
  write(file("00000000000000000009.log"), "");
  open(segments_of_two());
  EXPECT_EQ(readable(), (Readable{1, 2, 5}));
  EXPECT_EQ(log_->last(), 8U);
  EXPECT_EQ(append("next"), 9U);
  EXPECT_EQ(numbers(log_->read_before(9, 2, 1 << 20)), (Numbers{2, 5}));
  compact(9);
  EXPECT_EQ(readable(), (Readable{1, 2, 5, 9}));
}

TEST_F(FileLogTest, WhatCannotBeASegmentIsAnErrorAndStays) {
  open(segments_of_two());
  for (int i = 1; i <= 3; ++i) append(std::string(kEvent));
  const fs::path last = segments().at(1);
  const fs::path aside = folder_ / "aside";
  fs::rename(last, aside);
  log_.reset();
  const auto refused = [&] { return store_->open(kId).error().code(); };

  fs::create_directory(last);
  EXPECT_EQ(refused(), ErrorCode::unexpected);
  fs::remove(last);
  ASSERT_EQ(::mkfifo(last.c_str(), 0600), 0);
  EXPECT_EQ(refused(), ErrorCode::unexpected);
  fs::remove(last);
  write(last, "");
  fs::resize_file(last, std::uintmax_t{1} << 40);
  EXPECT_EQ(refused(), ErrorCode::unexpected);
  fs::remove(last);
  fs::create_symlink(folder_ / "nowhere", last);
  EXPECT_EQ(refused(), ErrorCode::io);
  fs::remove(last);

  fs::rename(aside, last);
  ASSERT_EQ(::mkfifo(file("snapshot.json").c_str(), 0600), 0);
  open(segments_of_two());
  EXPECT_EQ(readable(), (Readable{1, 2, 3}));
}

TEST_F(FileLogTest, AFileThatMayNotBeReadIsAnErrorAndStays) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  open();
  append("one");
  log_.reset();
  fs::permissions(segments().at(0), fs::perms::none);
  EXPECT_EQ(store_->open(kId).error().code(), ErrorCode::io);
  fs::permissions(segments().at(0), fs::perms::owner_all);
  open();
  EXPECT_EQ(append("two"), 2U);
}

TEST_F(FileLogTest, NumbersOfRecordsThatCannotBeAreDamage) {
  open();
  append(std::string(kEvent));
  const fs::path first = segments().at(0);
  std::string bytes = content(first);
  append_record(bytes, std::uint64_t{0} - 1, 0, false, kEvent);
  append_record(bytes, 1, 0, false, kEvent);
  append_record(bytes, 9, 0, false, kEvent);
  write(first, bytes);
  open();
  EXPECT_EQ(readable(), (Readable{1, -2, 9}));
  EXPECT_EQ(append("next"), 10U);
}

TEST_F(FileLogTest, AFullDiskLeavesNoHole) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit = before;
  limit.rlim_cur = 3 * kSize + 10;
  open();
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  int written = 0;
  for (int i = 0; i < 6; ++i) written += log_->append(1, false, kEvent) ? 1 : 0;
  const auto saved = log_->save({log_->last(), std::string(1000, 'x')});
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  (void)std::signal(SIGXFSZ, handler);
  EXPECT_EQ(written, 3);
  EXPECT_FALSE(saved);
  EXPECT_FALSE(fs::exists(file("snapshot.json.new"))) << "half of it would only take room";
  EXPECT_EQ(append(std::string(kEvent)), 4U);
  EXPECT_EQ(readable(), (Readable{1, 2, 3, 4}));
  open();
  EXPECT_EQ(readable(), (Readable{1, 2, 3, 4}));
  EXPECT_TRUE(damages_.empty());
}

// ---- who may see it -----------------------------------------------------------------------------

TEST_F(FileLogTest, WhatItMakesIsForThisUserOnly) {
  const fs::path made = folder_ / "deep" / "data";
  { const auto store = open_file_store(made).value(); }
  for (const char* name : {"deep", "deep/data", "deep/data/sessions"}) {
    EXPECT_EQ(mode_of(folder_ / name), 0700U) << name;
  }
  EXPECT_EQ(mode_of(made / "lock"), 0600U);
  open();
  append("one");
  ASSERT_TRUE(log_->save({1, "{}"}));
  EXPECT_EQ(mode_of(session()), 0700U);
  EXPECT_EQ(mode_of(segments().at(0)), 0600U);
  EXPECT_EQ(mode_of(file("snapshot.json")), 0600U);
}

TEST_F(FileLogTest, AFolderThatIsThereKeepsItsPermissions) {
  ASSERT_EQ(::chmod(folder_.c_str(), 0755), 0);
  open();
  append("one");
  EXPECT_EQ(mode_of(folder_), 0755U);
  EXPECT_EQ(mode_of(folder_ / "sessions"), 0700U);
}

// ---- compaction ---------------------------------------------------------------------------------

TEST_F(FileLogTest, CompactionDropsPiecesAndKeepsNumbers) {
  FileLogOptions options;
  options.transient_bytes = 100;
  open(options);
  append("kept");
  for (int i = 0; i < 10; ++i) append("a piece of an answer", true);
  append("the answer");
  append("a last piece", true);
  compact(13);
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
  compact(0);
  EXPECT_EQ(log_->read_after(0, 1 << 20).value().size(), 20U);
}

TEST_F(FileLogTest, CompactsOneSegmentAtATimeAndRemembersWhich) {
  open(segments_of_two());
  for (int i = 1; i <= 9; ++i) append(std::string(kEvent), i % 2 == 1);
  const auto long_ones = [&] {
    const auto files = segments();
    return std::count_if(files.begin(), files.end(),
                         [](const fs::path& path) { return fs::file_size(path) > kSize; });
  };
  EXPECT_EQ(long_ones(), 4);
  for (int left = 4; left > 0; --left) {
    ASSERT_TRUE(compact_once(8));
    EXPECT_EQ(long_ones(), left) << "what is done elsewhere is put in its place with the next call";
  }
  EXPECT_FALSE(compact_once(8));
  EXPECT_EQ(long_ones(), 0);
  EXPECT_EQ(readable(), (Readable{2, 4, 6, 8, 9}));
  ASSERT_TRUE(log_->save({9, "{}"}));
  open(segments_of_two());
  EXPECT_FALSE(compact_once(9)) << "nothing is read again after a start";
}

TEST_F(FileLogTest, ALogCanBeUsedWhileItIsCompacted) {
  open(segments_of_two());
  for (int i = 1; i <= 5; ++i) append(std::string(kEvent), i % 2 == 1);
  const auto again = std::make_shared<std::promise<void>>();
  ASSERT_TRUE(log_->compact(4, [again] { again->set_value(); }).value());
  EXPECT_EQ(append("while it is compacted"), 6U);
  again->get_future().wait();
  EXPECT_EQ(readable(), (Readable{1, 2, 3, 4, 5, 6}));
  compact(4);
  EXPECT_EQ(readable(), (Readable{2, 4, 5, 6}));
}

TEST_F(FileLogTest, ALogCanBeClosedOrRemovedWhileItIsCompacted) {
  for (int round = 0; round < 50; ++round) {
    open(segments_of_two());
    const std::uint64_t before = log_->last();
    for (int i = 1; i <= 5; ++i) append(std::string(kEvent), true);
    (void)log_->compact(log_->last(), [] {}).value();
    log_.reset();
    if (round % 2 == 1) {
      ASSERT_TRUE(store_->remove(kId));
      EXPECT_TRUE(store_->list().value().empty());
    } else {
      open(segments_of_two());
      EXPECT_EQ(log_->last(), before + 5);
    }
  }
  log_.reset();
  store_.reset();
  EXPECT_TRUE(fs::is_empty(folder_ / "sessions")) << "nothing of what was removed is left";
}

TEST_F(FileLogTest, GoesOnRemovingAfterACrash) {
  open();
  append("one");
  log_.reset();
  fs::rename(session(), folder_ / "sessions" / "gone-123456");
  store_.reset();
  store_ = open_file_store(folder_).value();
  EXPECT_TRUE(store_->list().value().empty());
  store_.reset();
  EXPECT_TRUE(fs::is_empty(folder_ / "sessions"));
}

TEST_F(FileLogTest, ADraftThatCannotBeWrittenIsTriedAgain) {
  open(segments_of_two());
  for (int i = 1; i <= 3; ++i) append(std::string(kEvent), i == 1);
  fs::create_directory(file("00000000000000000001.log.new"));
  ASSERT_TRUE(compact_once(2));
  EXPECT_EQ(log_->compact(2, [] {}).error().code(), ErrorCode::io);
  EXPECT_EQ(readable(), (Readable{1, 2, 3}));
  fs::remove(file("00000000000000000001.log.new"));
  compact(2);
  EXPECT_EQ(readable(), (Readable{2, 3}));
}

TEST_F(FileLogTest, IsBounded) {
  FileLogOptions options;
  options.segment_bytes = 1000;
  options.session_bytes = 5000;
  options.record_bytes = 2000;
  open(options);
  for (int i = 0; i < 100; ++i) append(std::string(200, 'x'));
  compact(100);
  std::size_t total = 0;
  for (const fs::path& file : segments()) total += fs::file_size(file);
  EXPECT_LE(total, 5000U);
  EXPECT_EQ(log_->read_after(0, 1 << 20).value().back().seq, 100U);
  EXPECT_EQ(log_->append(1, false, std::string(3000, 'x')).error().code(), ErrorCode::too_large);
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
  EXPECT_EQ(open_file_store(folder_).error().code(), ErrorCode::permission);
}

TEST_F(FileLogTest, RefusesIdsThatAreNone) {
  open();
  for (const char* id : {"", "..", "../../etc", "a/b"}) {
    EXPECT_EQ(store_->open(id).error().code(), ErrorCode::invalid);
    EXPECT_EQ(store_->remove(id).error().code(), ErrorCode::invalid);
  }
}

}  // namespace
}  // namespace parley::server
