// Copies of files as they were before the agent changed them, by the user's message, so that the
// changes can be taken back. What is known of them stands in the transcript, in the lines that the
// real CLI writes; the copies lie in `file-history/<session>` of the configuration folder.
//
// A message begins a checkpoint with all files that were changed so far. A file that is changed for
// the first time joins the checkpoint of the running message with what it was before. Only the
// editing tools are followed: what commands do to files is not seen.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "../../wire/error.hpp"
#include "../../wire/json/json.hpp"

namespace parley::control {
struct RewindFilesReply;
}  // namespace parley::control

namespace parley::agent {

/// Thread-safe.
class FileCheckpoints {
 public:
  struct Setup {
    std::filesystem::path folder;     ///< For the copies; made when it is needed.
    std::filesystem::path cwd;        ///< Files below it are named relative to it.
    std::function<void(Json)> write;  ///< Appends a line to the transcript.
  };
  explicit FileCheckpoints(Setup setup) : setup_(std::move(setup)) {}

  /// Restores what the transcript of an earlier run says, line by line; other lines are ignored.
  void restore(const Json& line);

  /// A message of the user is about to be answered.
  void begin(const std::string& message_uuid);
  /// A tool is about to change this file; `source_uuid` is of the message that called it.
  void before_edit(const std::filesystem::path& path, const std::string& source_uuid);

  /// Puts all files back to where they were when the message came, or says what that would change.
  /// `not_found` if there is no checkpoint of this message.
  [[nodiscard]] Result<control::RewindFilesReply> rewind(const std::string& message_uuid,
                                                         bool dry_run);

 private:
  struct Backup {
    std::optional<std::string> file;  ///< Name of the copy; none: the file was not there.
    std::int64_t version = 1;
    std::string time;
    std::string real_parent;  ///< Where the folder of the file really was, links followed.
  };
  struct Checkpoint {
    std::string message_uuid;
    std::map<std::string, Backup> files;  ///< By path, as it is named in the transcript.
  };
  struct Change;

  [[nodiscard]] std::string name_of(const std::filesystem::path& path) const;
  [[nodiscard]] std::filesystem::path path_of(const std::string& name) const;
  [[nodiscard]] std::optional<Backup> back_up(const std::filesystem::path& path,
                                              std::int64_t version);
  [[nodiscard]] std::optional<std::string> content_of(const Backup& backup) const;
  [[nodiscard]] Backup unchanged_or_new(const std::string& name, const Backup& last);
  void track(Checkpoint& checkpoint, const std::string& name, Backup backup);
  [[nodiscard]] static Json json_of(const Backup& backup);
  [[nodiscard]] static std::optional<Backup> backup_of(const Json& json);

  const Setup setup_;
  std::mutex mutex_;
  std::vector<Checkpoint> checkpoints_;
  std::map<std::string, Backup> first_;  ///< Of every file, before its first change.
  std::map<std::string, Backup> last_;   ///< Of every file, its latest copy.
};

}  // namespace parley::agent
