#include "agent/session/file_checkpoints.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "agent/tools/files/files.hpp"
#include "support/text/line_diff.hpp"
#include "support/time.hpp"
#include "wire/control/control.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

/// A larger file is not worth a copy for every message.
constexpr std::uint64_t kLargestFile = std::uint64_t{64} << 20;

/// FNV-1a, so that the copies of one file have one name.
std::string hash_of(const std::string& text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  char hex[17];
  std::snprintf(hex, sizeof hex, "%016" PRIx64, hash);
  return hex;
}

/// What is there, if it is a file that can be copied. An empty optional: nothing is there.
Result<std::optional<std::string>> current_content(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (status.type() == fs::file_type::not_found) return std::optional<std::string>();
  if (status.type() != fs::file_type::regular) {
    return Error(ErrorCode::invalid, "not a regular file", path.string());
  }
  auto bytes = read_bytes(path, kLargestFile);
  if (!bytes) return bytes.error();
  return std::optional<std::string>(*std::move(bytes));
}

std::string real_parent_of(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path.parent_path(), error);
  return error ? path.parent_path().string() : real.string();
}

}  // namespace

/// What a rewind does to one file.
struct FileCheckpoints::Change {
  fs::path path;
  std::optional<std::string> before, after;
};

std::string FileCheckpoints::name_of(const fs::path& path) const {
  const fs::path relative = path.lexically_relative(setup_.cwd);
  return relative.empty() || relative.begin()->string() == ".." ? path.string() : relative.string();
}

fs::path FileCheckpoints::path_of(const std::string& name) const {
  return (setup_.cwd / name).lexically_normal();
}

std::optional<FileCheckpoints::Backup> FileCheckpoints::back_up(const fs::path& path,
                                                                std::int64_t version) {
  const auto content = current_content(path);
  if (!content) return std::nullopt;
  Backup backup;
  backup.version = version;
  backup.time = timestamp();
  backup.real_parent = real_parent_of(path);
  if (*content) {
    backup.file = hash_of(path.string()) + "@v" + std::to_string(version);
    if (!write_bytes(setup_.folder / *backup.file, **content)) return std::nullopt;
  }
  return backup;
}

std::optional<std::string> FileCheckpoints::content_of(const Backup& backup) const {
  if (!backup.file) return std::nullopt;
  auto bytes = read_bytes(setup_.folder / *backup.file, kLargestFile);
  return bytes ? std::optional(*std::move(bytes)) : std::nullopt;
}

/// The last copy of a file if it is still right, else a new one.
FileCheckpoints::Backup FileCheckpoints::unchanged_or_new(const std::string& name,
                                                          const Backup& last) {
  const fs::path path = path_of(name);
  const auto now = current_content(path);
  if (!now || *now == content_of(last)) return last;
  return back_up(path, last.version + 1).value_or(last);
}

void FileCheckpoints::track(Checkpoint& checkpoint, const std::string& name, Backup backup) {
  first_.try_emplace(name, backup);
  last_[name] = backup;
  checkpoint.files[name] = std::move(backup);
}

void FileCheckpoints::begin(const std::string& message_uuid) {
  const std::lock_guard lock(mutex_);
  Checkpoint checkpoint;
  checkpoint.message_uuid = message_uuid;
  for (const auto& [name, last] : std::map(last_)) {
    track(checkpoint, name, unchanged_or_new(name, last));
  }
  Json files = Json::object();
  for (const auto& [name, backup] : checkpoint.files) files.set(name, json_of(backup));
  setup_.write(Json::object({{"type", "file-history-snapshot"},
                             {"messageId", message_uuid},
                             {"snapshot", Json::object({{"messageId", message_uuid},
                                                        {"trackedFileBackups", std::move(files)},
                                                        {"timestamp", timestamp()}})},
                             {"isSnapshotUpdate", false}}));
  checkpoints_.push_back(std::move(checkpoint));
}

void FileCheckpoints::before_edit(const fs::path& path, const std::string& source_uuid) {
  const std::lock_guard lock(mutex_);
  const std::string name = name_of(path);
  if (checkpoints_.empty() || checkpoints_.back().files.contains(name)) return;
  auto backup = back_up(path, 1);
  if (!backup) return;
  setup_.write(Json::object({{"type", "file-history-delta"},
                             {"messageId", source_uuid},
                             {"snapshotMessageId", checkpoints_.back().message_uuid},
                             {"trackingPath", name},
                             {"backup", json_of(*backup)},
                             {"timestamp", timestamp()}}));
  track(checkpoints_.back(), name, *std::move(backup));
}

Result<control::RewindFilesReply> FileCheckpoints::rewind(const std::string& message_uuid,
                                                          bool dry_run) {
  const std::lock_guard lock(mutex_);
  const auto checkpoint = std::find_if(
      checkpoints_.rbegin(), checkpoints_.rend(),
      [&](const Checkpoint& candidate) { return candidate.message_uuid == message_uuid; });
  if (checkpoint == checkpoints_.rend()) {
    return Error(ErrorCode::not_found, "No file checkpoint found for this message.");
  }
  control::RewindFilesReply reply;
  reply.canRewind = true;
  std::int64_t links = 0;
  std::vector<Change> changes;
  for (const auto& [name, first] : first_) {
    const auto then = checkpoint->files.find(name);
    const Backup& backup = then == checkpoint->files.end() ? first : then->second;
    Change change{path_of(name), {}, content_of(backup)};
    auto now = current_content(change.path);
    // A link in the way may lead out of the folders that the agent was let into.
    if (!now || real_parent_of(change.path) != backup.real_parent) {
      ++links;
      continue;
    }
    if (backup.file && !change.after) {
      return Error(ErrorCode::io, "The copy of a file is gone: " + change.path.string());
    }
    change.before = *std::move(now);
    if (change.before != change.after) changes.push_back(std::move(change));
  }
  if (dry_run) {
    reply.filesChanged.emplace();
    reply.insertions = reply.deletions = 0;
    for (const Change& change : changes) {
      reply.filesChanged->push_back(change.path.string());
      for (const auto& line : line_diff(change.before.value_or(""), change.after.value_or(""))) {
        if (line.mark == '+') ++*reply.insertions;
        if (line.mark == '-') ++*reply.deletions;
      }
    }
    return reply;
  }
  for (const Change& change : changes) {
    std::error_code error;
    if (!change.after) {
      fs::remove(change.path, error);
      if (error) return Error(ErrorCode::io, error.message(), change.path.string());
    } else if (auto written = write_bytes(change.path, *change.after); !written) {
      return written.error();
    }
  }
  reply.skippedLinks = links;
  return reply;
}

// ---- the transcript -----------------------------------------------------------------------------

Json FileCheckpoints::json_of(const Backup& backup) {
  return Json::object({{"backupFileName", backup.file ? Json(*backup.file) : Json()},
                       {"version", backup.version},
                       {"backupTime", backup.time},
                       {"realParentDir", backup.real_parent}});
}

std::optional<FileCheckpoints::Backup> FileCheckpoints::backup_of(const Json& json) {
  Backup backup;
  if (json["backupFileName"].is_string()) {
    backup.file = json["backupFileName"].as_string();
    // Others can write the transcript too: a copy is never looked for outside of its folder.
    if (backup.file->empty() || backup.file->find('/') != std::string::npos) return std::nullopt;
  } else if (!json["backupFileName"].is_null()) {
    return std::nullopt;
  }
  backup.version = json["version"].as_int(1);
  backup.time = json["backupTime"].as_string();
  backup.real_parent = json["realParentDir"].as_string();
  return backup;
}

void FileCheckpoints::restore(const Json& line) {
  const std::lock_guard lock(mutex_);
  const auto take = [this](Checkpoint& checkpoint, const std::string& name, const Json& json) {
    if (auto backup = backup_of(json)) track(checkpoint, name, *std::move(backup));
  };
  if (line["type"].as_string() == "file-history-snapshot") {
    const Json& snapshot = line["snapshot"];
    Checkpoint checkpoint;
    checkpoint.message_uuid = snapshot["messageId"].as_string();
    for (const auto& [name, backup] : snapshot["trackedFileBackups"].members()) {
      take(checkpoint, name, backup);
    }
    checkpoints_.push_back(std::move(checkpoint));
  } else if (line["type"].as_string() == "file-history-delta") {
    for (auto found = checkpoints_.rbegin(); found != checkpoints_.rend(); ++found) {
      if (found->message_uuid != line["snapshotMessageId"].as_string()) continue;
      return take(*found, std::string(line["trackingPath"].as_string()), line["backup"]);
    }
  }
}

}  // namespace parley::agent
