#include "server/file_log.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "server/segment.hpp"
#include "wire/ids.hpp"
#include "wire/json.hpp"

namespace parley::server {
namespace {

namespace fs = std::filesystem;

Error io_error(const std::string& what, const fs::path& path) {
  return {ErrorCode::kIo, what + ": " + std::strerror(errno), path.string()};
}

/// Owns a descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) reset(std::exchange(other.fd_, -1));
    return *this;
  }
  ~Descriptor() { reset(); }
  void reset(int fd = -1) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }
  [[nodiscard]] bool valid() const { return fd_ >= 0; }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_ = -1;
};

Result<void> write_all(int fd, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return io_error("cannot write", path);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<std::string> read_range(const fs::path& path, std::size_t from, std::size_t most) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return io_error("cannot open", path);
  std::string bytes(most, '\0');
  std::size_t have = 0;
  while (have < most) {
    const ssize_t got =
        ::pread(file.get(), bytes.data() + have, most - have, static_cast<off_t>(from + have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return io_error("cannot read", path);
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  bytes.resize(have);
  return bytes;
}

/// Replaces a file as a whole; a crash leaves the old one or the new one.
Result<void> replace_file(const fs::path& path, std::string_view bytes) {
  const fs::path draft = path.string() + ".new";
  {
    const Descriptor file(::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!file.valid()) return io_error("cannot create", draft);
    if (auto done = write_all(file.get(), bytes, draft); !done) return done;
  }
  if (::rename(draft.c_str(), path.c_str()) != 0) return io_error("cannot rename", draft);
  return {};
}

class FileLog final : public SessionLog {
 public:
  FileLog(fs::path folder, FileLogOptions options)
      : folder_(std::move(folder)), options_(options) {}

  Result<void> load() {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) return Error(ErrorCode::kIo, error.message(), folder_.string());
    for (const auto& entry : fs::directory_iterator(folder_, error)) {
      const auto first = Segment::parse_name(entry.path().filename().string());
      if (first > 0) segments_.push_back({first, entry.path(), entry.file_size(error)});
    }
    if (error) return Error(ErrorCode::kIo, error.message(), folder_.string());
    std::sort(segments_.begin(), segments_.end(),
              [](const Segment& a, const Segment& b) { return a.first < b.first; });
    return segments_.empty() ? Result<void>() : load_last();
  }

  Result<std::uint64_t> append(std::int64_t time, bool transient, std::string_view event) override {
    if (event.size() > options_.record_bytes) {
      return Error(ErrorCode::kTooLarge, "an event of " + std::to_string(event.size()) +
                                             " bytes is too long for the log");
    }
    if (segments_.empty() || segments_.back().bytes >= options_.segment_bytes) roll();
    if (auto open = open_writer(); !open) return open.error();
    Segment& segment = segments_.back();
    std::string bytes;
    bytes.reserve(kRecordOverhead + event.size());
    append_record(bytes, last_ + 1, time, transient, event);
    if (auto done = write_all(writer_.get(), bytes, segment.path); !done) {
      // A part of a record may be there; it must not stand between two good ones.
      (void)!::ftruncate(writer_.get(), static_cast<off_t>(segment.bytes));
      return done.error();
    }
    index_.note(++last_, segment.bytes);
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

  Result<void> compact(std::uint64_t upto) override {
    if (transient_bytes_ >= options_.transient_bytes && last_ <= upto) {
      roll();
      // The name of the new file keeps the last number, should the record that had it go.
      if (auto done = open_writer(); !done) return done;
    }
    for (std::size_t i = 0; i + 1 < segments_.size(); ++i) {
      if (segments_[i].first <= compacted_ || segments_[i + 1].first > upto + 1) continue;
      if (auto done = rewrite(segments_[i]); !done) return done;
      compacted_ = segments_[i].first;
    }
    std::size_t total = 0;
    for (const Segment& segment : segments_) total += segment.bytes;
    while (segments_.size() > 1 && total > options_.session_bytes) {
      total -= segments_.front().bytes;
      if (::unlink(segments_.front().path.c_str()) != 0) {
        return io_error("cannot remove", segments_.front().path);
      }
      segments_.erase(segments_.begin());
    }
    return {};
  }

  Result<void> save(const Snapshot& snapshot) override {
    const bool current = snapshot.seq == last_ && !segments_.empty();
    const Json json = Json::object(
        {{"seq", snapshot.seq},
         {"crc", Json(std::uint64_t{crc32(snapshot.state)})},
         {"state", snapshot.state},
         // How far the last segment is known to be good, so that opening starts to read there.
         {"segment", current ? Json(segments_.back().first) : Json()},
         {"bytes", current ? Json(std::uint64_t{segments_.back().bytes}) : Json()},
         {"transient", std::uint64_t{transient_bytes_}}});
    return replace_file(folder_ / "snapshot.json", json.dump());
  }

  std::optional<Snapshot> snapshot() override {
    const auto json = read_snapshot();
    if (!json) return std::nullopt;
    Snapshot snapshot{static_cast<std::uint64_t>((*json)["seq"].as_int()),
                      std::string((*json)["state"].as_string())};
    if (crc32(snapshot.state) != static_cast<std::uint32_t>((*json)["crc"].as_int(-1))) {
      return std::nullopt;
    }
    if (snapshot.seq > last_) return std::nullopt;  // of events that were lost
    return snapshot;
  }

  void rest() override { writer_.reset(); }

 private:
  /// Finds the last number, and cuts off what a crash left behind it.
  Result<void> load_last() {
    Segment& segment = segments_.back();
    last_ = segment.first - 1;
    std::size_t from = 0;
    if (const auto json = read_snapshot(); json && (*json)["segment"].is_number()) {
      const auto bytes = static_cast<std::size_t>((*json)["bytes"].as_int());
      if ((*json)["segment"].as_int() == static_cast<std::int64_t>(segment.first) &&
          bytes <= segment.bytes) {
        from = bytes;
        last_ = static_cast<std::uint64_t>((*json)["seq"].as_int());
        transient_bytes_ = static_cast<std::size_t>((*json)["transient"].as_int());
      }
    }
    auto bytes = read_range(segment.path, from, segment.bytes - from);
    if (!bytes) return bytes.error();
    std::size_t good = 0;
    scan_records(*bytes, good, [&](Record&& record, std::size_t at) {
      last_ = record.seq;
      index_.note(record.seq, from + at);
      if (record.transient) transient_bytes_ += record.event.size() + kRecordOverhead;
      return true;
    });
    if (from + good == segment.bytes) return {};
    if (::truncate(segment.path.c_str(), static_cast<off_t>(from + good)) != 0) {
      return io_error("cannot mend", segment.path);
    }
    segment.bytes = from + good;
    return {};
  }

  [[nodiscard]] std::optional<Json> read_snapshot() const {
    std::error_code error;
    const fs::path path = folder_ / "snapshot.json";
    const auto size = fs::file_size(path, error);
    if (error) return std::nullopt;
    const auto bytes = read_range(path, 0, size);
    if (!bytes) return std::nullopt;
    auto json = Json::parse(*bytes);
    if (!json) return std::nullopt;
    return *std::move(json);
  }

  void roll() {
    writer_.reset();
    index_.clear();
    transient_bytes_ = 0;
    segments_.push_back({last_ + 1, folder_ / Segment::file_name(last_ + 1), 0});
  }

  Result<void> open_writer() {
    if (writer_.valid()) return {};
    const Segment& segment = segments_.back();
    writer_.reset(::open(segment.path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    if (!writer_.valid()) return io_error("cannot open", segment.path);
    return {};
  }

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
    const std::size_t from = is_last ? index_.place_after(seq) : 0;
    if (segment.bytes <= from) return true;
    auto bytes = read_range(segment.path, from, segment.bytes - from);
    if (!bytes) return bytes.error();
    bool wants_more = true;
    std::size_t good = 0;
    scan_records(*bytes, good, [&](Record&& record, std::size_t) {
      return wants_more = take(std::move(record));
    });
    if (wants_more && good < bytes->size()) {
      return Error(ErrorCode::kMalformed,
                   "the log is damaged at byte " + std::to_string(from + good),
                   segment.path.string());
    }
    return wants_more;
  }

  Result<void> rewrite(Segment& segment) {
    auto bytes = read_range(segment.path, 0, segment.bytes);
    if (!bytes) return bytes.error();
    std::string kept;
    std::size_t good = 0;
    scan_records(*bytes, good, [&](Record&& record, std::size_t) {
      if (!record.transient) {
        append_record(kept, record.seq, record.time, record.transient, record.event);
      }
      return true;
    });
    if (good < bytes->size() || kept.size() == bytes->size()) return {};
    if (auto done = replace_file(segment.path, kept); !done) return done;
    segment.bytes = kept.size();
    return {};
  }

  const fs::path folder_;
  const FileLogOptions options_;
  std::vector<Segment> segments_;
  Descriptor writer_;                ///< On the last segment.
  SegmentIndex index_;               ///< Of the last segment.
  std::size_t transient_bytes_ = 0;  ///< In the last segment.
  std::uint64_t last_ = 0;
  std::uint64_t compacted_ = 0;  ///< Segments up to the one that begins here were compacted.
};

class FileStore final : public LogStore {
 public:
  FileStore(fs::path folder, FileLogOptions options, Descriptor lock)
      : folder_(std::move(folder)), options_(options), lock_(std::move(lock)) {}

  Result<std::vector<std::string>> list() override {
    std::vector<std::string> ids;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_, error)) {
      std::string name = entry.path().filename().string();
      if (is_session_id(name)) ids.push_back(std::move(name));
    }
    if (error) return Error(ErrorCode::kIo, error.message(), folder_.string());
    return ids;
  }

  Result<std::unique_ptr<SessionLog>> open(const std::string& id) override {
    if (!is_session_id(id)) return Error(ErrorCode::kInvalid, "is no session id", id);
    auto log = std::make_unique<FileLog>(folder_ / id, options_);
    if (auto done = log->load(); !done) return done.error();
    return std::unique_ptr<SessionLog>(std::move(log));
  }

  Result<void> remove(const std::string& id) override {
    if (!is_session_id(id)) return Error(ErrorCode::kInvalid, "is no session id", id);
    std::error_code error;
    fs::remove_all(folder_ / id, error);
    if (error) return Error(ErrorCode::kIo, error.message(), (folder_ / id).string());
    return {};
  }

 private:
  const fs::path folder_;
  const FileLogOptions options_;
  const Descriptor lock_;
};

}  // namespace

Result<std::unique_ptr<LogStore>> open_file_store(fs::path folder, FileLogOptions options) {
  std::error_code error;
  fs::create_directories(folder / "sessions", error);
  if (error) return Error(ErrorCode::kIo, error.message(), folder.string());
  fs::permissions(folder, fs::perms::owner_all, error);
  const fs::path lock_path = folder / "lock";
  Descriptor lock(::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock.valid()) return io_error("cannot open", lock_path);
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    return Error(ErrorCode::kPermission, "another parley serve uses this data folder",
                 folder.string());
  }
  return std::unique_ptr<LogStore>(
      std::make_unique<FileStore>(folder / "sessions", options, std::move(lock)));
}

}  // namespace parley::server
