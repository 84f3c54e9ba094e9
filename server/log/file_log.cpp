#include "server/log/file_log.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <utility>

#include "server/log/disk.hpp"
#include "server/log/rewrite.hpp"
#include "server/log/segment.hpp"
#include "server/log/snapshot_file.hpp"
#include "server/threads/workers.hpp"
#include "support/files/unique_fd.hpp"
#include "support/time.hpp"
#include "wire/ids.hpp"

namespace parley::server {
namespace {

namespace fs = std::filesystem;

/// More events than a session has in the seconds that a power cut takes with it.
constexpr std::uint64_t kMostLostAtOnce = std::uint64_t{1} << 20;
/// A file that is longer is no segment of ours.
constexpr off_t kLongestSegment = off_t{1} << 30;
constexpr std::string_view kDraft = ".new";
constexpr std::string_view kGone = "gone-";

bool is_draft(std::string_view name) {
  if (!name.ends_with(kDraft)) return false;
  name.remove_suffix(kDraft.size());
  return name == "snapshot.json" || Segment::parse_name(name) > 0;
}

/// Calls with each entry of a folder until that fails.
Result<void> for_each_entry(const fs::path& folder,
                            const std::function<Result<void>(const fs::path&)>& take) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (auto done = take(entry->path()); !done) return done;
  }
  if (error) return Error(ErrorCode::io, error.message(), folder.string());
  return {};
}

class FileLog final : public SessionLog {
 public:
  FileLog(fs::path folder, FileLogOptions options, std::shared_ptr<Workers> tidier)
      : folder_(std::move(folder)), options_(std::move(options)), tidier_(std::move(tidier)) {}
  ~FileLog() override {
    if (rewrite_) rewrite_->abandon();
  }

  Result<void> load() {
    if (auto made = make_private_folder(folder_); !made) return made;
    auto listed = for_each_entry(folder_, [this](const fs::path& path) { return note_file(path); });
    if (!listed) return listed;
    std::sort(segments_.begin(), segments_.end(),
              [](const Segment& a, const Segment& b) { return a.first < b.first; });
    const auto saved = load_state(folder_);
    if (saved) compacted_ = saved->compacted;
    if (!segments_.empty()) {
      if (auto read = load_last(saved); !read) return read;
    }
    if (!saved || saved->snapshot.seq <= last_) return {};
    // It knows of events that are lost, and is the only trace of their numbers until a new segment
    // has taken over.
    next_ = std::max(next_, saved->snapshot.seq + 1 + kMostLostAtOnce);
    const std::uint64_t missing = saved->snapshot.seq - last_;
    roll();
    if (auto open = open_writer(); !open) return open;
    if (damage_.empty()) {
      // Nothing else in the log shows that something was there, and the snapshot goes.
      const std::string event = options_.on_damage({last_ + 1, 0, folder_.string(), missing});
      const auto told = append(now_ms(), false, event);
      if (!told) return {};  // no room; the next time then
    }
    remove_state(folder_);
    return {};
  }

  Result<std::uint64_t> append(std::int64_t time, bool transient, std::string_view event) override {
    if (event.size() > options_.record_bytes) {
      return Error(ErrorCode::too_large, "an event of " + std::to_string(event.size()) +
                                             " bytes is too long for the log");
    }
    if (next_ >= kNumbersEnd) return Error(ErrorCode::too_large, "the log has no more numbers");
    if (needs_segment()) roll();
    if (auto open = open_writer(); !open) return open.error();
    Segment& segment = segments_.back();
    std::string bytes;
    bytes.reserve(kRecordOverhead + event.size());
    append_record(bytes, next_, time, transient, event);
    if (auto done = write_all(writer_.get(), bytes, segment.path); !done) {
      // A part of a record may be there; it must not stand between two good ones.
      if (::ftruncate(writer_.get(), static_cast<off_t>(segment.bytes)) != 0) ++next_;
      return done.error();
    }
    last_ = next_++;
    last_record_ = segment.bytes;
    index_.note(last_, last_record_);
    segment.bytes += bytes.size();
    if (transient) transient_bytes_ += bytes.size();
    return last_;
  }

  [[nodiscard]] std::uint64_t last() const override { return last_; }

  Result<std::vector<Record>> read_after(std::uint64_t seq, std::size_t most_bytes) override {
    std::vector<Record> records;
    std::size_t bytes = 0;
    for (std::size_t i = segment_of(seq + 1); i < segments_.size(); ++i) {
      auto done = scan(i, seq, [&](Record&& record) {
        if (record.seq <= seq) return true;
        if (!records.empty() && bytes + record.event.size() > most_bytes) return false;
        bytes += record.event.size();
        records.push_back(std::move(record));
        return bytes < most_bytes;
      });
      if (!done) return done.error();
      if (!records.empty() && bytes >= most_bytes) break;
      if (!*done) break;
    }
    return records;
  }

  Result<std::vector<Record>> read_before(std::uint64_t seq, std::size_t most_records,
                                          std::size_t most_bytes) override {
    std::vector<Record> page;
    std::size_t bytes = 0;
    if (seq == 0 || segments_.empty()) return page;
    for (std::size_t i = segment_of(seq - 1) + 1; i-- > 0 && page.size() < most_records;) {
      std::vector<Record> part;
      auto done = scan(i, 0, [&](Record&& record) {
        if (record.seq >= seq) return false;
        part.push_back(std::move(record));
        return true;
      });
      if (!done) return done.error();
      bool full = false;
      std::size_t take = 0;
      while (take < part.size() && page.size() + take < most_records) {
        const std::size_t size = part[part.size() - 1 - take].event.size();
        full = bytes + size > most_bytes && page.size() + take > 0;
        if (full) break;
        bytes += size;
        ++take;
      }
      part.erase(part.begin(), part.end() - static_cast<std::ptrdiff_t>(take));
      part.insert(part.end(), std::make_move_iterator(page.begin()),
                  std::make_move_iterator(page.end()));
      page = std::move(part);
      if (full) break;
    }
    return page;
  }

  Result<bool> compact(std::uint64_t upto, std::function<void()> again) override {
    if (rewrite_) {
      if (!rewrite_->done()) return true;
      if (auto done = adopt_rewrite(); !done) return done.error();
    }
    if (transient_bytes_ >= options_.transient_bytes && last_ <= upto) roll();
    if (is_too_long()) {
      if (auto done = drop_oldest(); !done) return done.error();
      if (is_too_long()) {
        tidier_->run(std::move(again));
        return true;
      }
    }
    const auto number = next_to_compact(upto);
    if (!number) return false;
    // The name of the last file keeps the last number, should the record that had it go.
    if (auto open = open_writer(); !open) return open.error();
    rewrite_ = std::make_shared<Rewrite>(segments_[*number], segments_[*number + 1].first);
    tidier_->run([rewrite = rewrite_, again = std::move(again)] {
      if (rewrite->run()) again();
    });
    return true;
  }

  Result<void> save(const Snapshot& snapshot) override {
    SavedState state{snapshot};
    state.compacted = compacted_;
    const bool is_current = snapshot.seq == last_ && next_ == last_ + 1 && !segments_.empty();
    if (is_current) {
      state.segment = segments_.back().first;
      state.bytes = segments_.back().bytes;
      state.last_record = last_record_;
      state.transient = transient_bytes_;
    }
    return save_state(folder_, state);
  }

  std::optional<Snapshot> snapshot() override {
    auto saved = load_state(folder_);
    if (!saved || saved->snapshot.seq > last_) return std::nullopt;
    return std::move(saved->snapshot);
  }

  void rest() override { writer_.reset(); }

 private:
  Result<void> note_file(const fs::path& path) {
    const std::string name = path.filename().string();
    if (is_draft(name)) ::unlink(path.c_str());
    const std::uint64_t first = Segment::parse_name(name);
    if (first == 0) return {};
    struct stat about {};
    if (::stat(path.c_str(), &about) != 0) return io_error("cannot open", path);
    if (!S_ISREG(about.st_mode) || about.st_size > kLongestSegment) {
      return Error(ErrorCode::unexpected, "is no segment of a log", path.string());
    }
    segments_.push_back({first, path, static_cast<std::size_t>(about.st_size)});
    return {};
  }

  /// Finds the last number, and one for the next event that nobody can have heard of.
  Result<void> load_last(const std::optional<SavedState>& saved) {
    const Segment& segment = segments_.back();
    last_ = segment.first - 1;
    std::size_t from = 0;
    if (saved && holds(*saved)) {
      from = saved->bytes;
      last_ = std::max(last_, saved->snapshot.seq);
      last_record_ = saved->last_record;
      transient_bytes_ = saved->transient;
    }
    const auto bytes = read_range(segment.path, from, segment.bytes - from);
    if (!bytes) return bytes.error();
    std::uint64_t last_good = last_;
    const std::size_t end = scan_records(
        *bytes, {last_, kNumbersEnd},
        [&](Record&& record, std::size_t at) {
          last_ = last_good = record.seq;
          last_record_ = from + at;
          index_.note(record.seq, last_record_);
          if (record.transient) transient_bytes_ += record.event.size() + kRecordOverhead;
          return true;
        },
        [&](const Broken& broken) {
          last_ = stand_in(segment, from, broken).seq;
          return true;
        });
    next_ = last_ + 1;
    // So many records can have been in what is no record, and one can have been torn.
    if (const std::size_t rest = bytes->size() - end; rest > 0) {
      next_ = last_good + 1 + rest / kRecordOverhead + 1;
    }
    if (written_before_boot(segment.path)) next_ += kMostLostAtOnce;
    return {};
  }

  /// Whether the last segment has what was known of it: after a power cut the snapshot may be there
  /// without the events that it came from.
  [[nodiscard]] bool holds(const SavedState& saved) const {
    const Segment& segment = segments_.back();
    if (saved.segment != segment.first || saved.bytes > segment.bytes ||
        saved.last_record > saved.bytes) {
      return false;
    }
    if (saved.bytes == 0) return true;
    const auto bytes = read_range(segment.path, saved.last_record, saved.bytes - saved.last_record);
    if (!bytes) return false;
    bool is_last = false;
    const std::size_t end = scan_records(
        *bytes, {saved.snapshot.seq - 1, saved.snapshot.seq + 1},
        [&](Record&&, std::size_t at) { return is_last = at == 0; },
        [](const Broken&) { return false; });
    return is_last && end == bytes->size();
  }

  [[nodiscard]] bool needs_segment() const {
    if (segments_.empty()) return true;
    const Segment& segment = segments_.back();
    if (segment.first == next_) return false;  // it is new
    return segment.bytes >= options_.segment_bytes || next_ != last_ + 1;
  }

  void roll() {
    writer_.reset();
    index_.clear();
    last_record_ = 0;
    transient_bytes_ = 0;
    segments_.push_back({next_, folder_ / Segment::file_name(next_), 0});
  }

  Result<void> open_writer() {
    if (writer_.valid()) return {};
    const Segment& segment = segments_.back();
    writer_.reset(::open(segment.path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    if (!writer_.valid()) return io_error("cannot open", segment.path);
    return {};
  }

  // ---- reading ----

  /// The last segment that may hold the number.
  [[nodiscard]] std::size_t segment_of(std::uint64_t seq) const {
    std::size_t found = 0;
    for (std::size_t i = 0; i < segments_.size() && segments_[i].first <= seq; ++i) found = i;
    return found;
  }

  /// Shows the records of a segment, beginning near the first one after `seq`. False if `take` had
  /// enough.
  Result<bool> scan(std::size_t number, std::uint64_t seq,
                    const std::function<bool(Record&&)>& take) {
    const Segment& segment = segments_[number];
    const bool is_last = number + 1 == segments_.size();
    const auto from = is_last ? index_.place_after(seq) : SegmentIndex::Mark{};
    if (segment.bytes <= from.at) return true;
    const auto bytes = read_range(segment.path, from.at, segment.bytes - from.at);
    if (!bytes) return bytes.error();
    bool wants_more = true;
    scan_records(
        *bytes,
        {std::max(segment.first, from.seq) - 1,
         is_last ? kNumbersEnd : segments_[number + 1].first},
        [&](Record&& record, std::size_t) { return wants_more = take(std::move(record)); },
        [&](const Broken& broken) {
          return wants_more = take(stand_in(segment, from.at, broken));
        });
    return wants_more;
  }

  /// The record that is shown where some cannot be read.
  Record stand_in(const Segment& segment, std::size_t from, const Broken& broken) {
    const auto [found, is_new] = damage_.try_emplace(broken.seq);
    if (is_new) {
      found->second = options_.on_damage(
          {broken.seq, broken.bytes,
           segment.path.string() + ", byte " + std::to_string(from + broken.at)});
    }
    return {broken.seq, broken.time, false, found->second};
  }

  // ---- compacting ----

  [[nodiscard]] bool is_too_long() const {
    std::size_t total = 0;
    for (const Segment& segment : segments_) total += segment.bytes;
    return segments_.size() > 1 && total > options_.session_bytes;
  }

  Result<void> drop_oldest() {
    const fs::path& path = segments_.front().path;
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) return io_error("cannot remove", path);
    segments_.erase(segments_.begin());
    return {};
  }

  /// The first sealed segment that was not compacted, if all of its turns are over.
  [[nodiscard]] std::optional<std::size_t> next_to_compact(std::uint64_t upto) const {
    for (std::size_t i = 0; i + 1 < segments_.size() && segments_[i + 1].first <= upto + 1; ++i) {
      if (segments_[i].first > compacted_ && segments_[i].bytes > 0) return i;
    }
    return std::nullopt;
  }

  Result<void> adopt_rewrite() {
    const auto rewrite = std::exchange(rewrite_, nullptr);
    const auto bytes = rewrite->adopt();
    if (!bytes) return bytes.error();
    compacted_ = rewrite->first();
    for (Segment& segment : segments_) {
      if (segment.first == compacted_) segment.bytes = *bytes;
    }
    return {};
  }

  const fs::path folder_;
  const FileLogOptions options_;
  const std::shared_ptr<Workers> tidier_;
  std::vector<Segment> segments_;
  UniqueFd writer_;                  ///< On the last segment.
  SegmentIndex index_;               ///< Of the last segment.
  std::size_t last_record_ = 0;      ///< Where it begins in the last segment.
  std::size_t transient_bytes_ = 0;  ///< In the last segment.
  std::uint64_t last_ = 0;
  std::uint64_t next_ = 1;            ///< If it is not the one after last_, it begins a segment.
  std::uint64_t compacted_ = 0;       ///< Segments up to the one that begins here were compacted.
  std::shared_ptr<Rewrite> rewrite_;  ///< Under way, or to be adopted.
  std::map<std::uint64_t, std::string> damage_;  ///< What stands in place of it, by its number.
};

class FileStore final : public LogStore {
 public:
  FileStore(fs::path folder, FileLogOptions options, UniqueFd lock)
      : folder_(std::move(folder)), options_(std::move(options)), lock_(std::move(lock)) {}

  /// Goes on with removing what a crash has left half removed.
  Result<void> sweep() {
    return for_each_entry(folder_, [this](const fs::path& path) {
      if (path.filename().string().starts_with(kGone)) remove_later(path);
      return Result<void>();
    });
  }

  Result<std::vector<std::string>> list() override {
    std::vector<std::string> ids;
    auto listed = for_each_entry(folder_, [&](const fs::path& path) {
      std::string name = path.filename().string();
      if (is_session_id(name)) ids.push_back(std::move(name));
      return Result<void>();
    });
    if (!listed) return listed.error();
    return ids;
  }

  Result<std::unique_ptr<SessionLog>> open(const std::string& id) override {
    if (!is_session_id(id)) return Error(ErrorCode::invalid, "is no session id", id);
    auto log = std::make_unique<FileLog>(folder_ / id, options_, tidier_);
    if (auto done = log->load(); !done) return done.error();
    return std::unique_ptr<SessionLog>(std::move(log));
  }

  Result<void> remove(const std::string& id) override {
    if (!is_session_id(id)) return Error(ErrorCode::invalid, "is no session id", id);
    const fs::path session = folder_ / id;
    std::error_code error;
    if (!fs::exists(session, error)) return {};
    // Out of sight at once, and as a whole; many long files take their time.
    std::string gone = (folder_ / kGone).string() + "XXXXXX";
    if (::mkdtemp(gone.data()) == nullptr) return io_error("cannot make the folder", gone);
    if (::rename(session.c_str(), gone.c_str()) != 0) {
      const Error failure = io_error("cannot remove", session);
      ::rmdir(gone.c_str());
      return failure;
    }
    remove_later(gone);
    return {};
  }

  Result<std::map<std::string, std::int64_t>> hidden() override {
    std::map<std::string, std::int64_t> all;
    std::ifstream file(hidden_path());
    std::string id;
    for (std::int64_t time = 0; file >> id >> time;) {
      if (is_session_id(id)) all[id] = time;  // the last one counts
    }
    return all;
  }

  Result<void> hide(const std::string& id, std::int64_t time) override {
    const fs::path path = hidden_path();
    const UniqueFd file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600));
    if (!file.valid()) return io_error("cannot open", path);
    return write_all(file.get(), id + ' ' + std::to_string(time) + '\n', path);
  }

 private:
  [[nodiscard]] fs::path hidden_path() const { return folder_.parent_path() / "hidden"; }

  void remove_later(const fs::path& path) {
    tidier_->run([path] {
      std::error_code error;  // it is tried again when the store is opened
      fs::remove_all(path, error);
    });
  }

  const fs::path folder_;
  const FileLogOptions options_;
  const UniqueFd lock_;
  /// One thread for what waits for the disk, and for all sessions: more would only stand in each
  /// other's way, and hold a segment in memory each.
  const std::shared_ptr<Workers> tidier_ = std::make_shared<Workers>(1);
};

}  // namespace

Result<std::unique_ptr<LogStore>> open_file_store(fs::path folder, FileLogOptions options) {
  const fs::path sessions = folder / "sessions";
  if (auto made = make_private_folder(sessions); !made) return made.error();
  const fs::path lock_path = folder / "lock";
  UniqueFd lock(::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock.valid()) return io_error("cannot open", lock_path);
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    return Error(ErrorCode::permission, "another parley serve uses this data folder",
                 folder.string());
  }
  auto store = std::make_unique<FileStore>(sessions, std::move(options), std::move(lock));
  if (auto swept = store->sweep(); !swept) return swept.error();
  return std::unique_ptr<LogStore>(std::move(store));
}

}  // namespace parley::server
