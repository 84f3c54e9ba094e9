// The transcript of a session as this agent writes and reads it: lines chained by uuid and
// parentUuid, in the folders and the format of the real CLI (see history/).
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "../../history/writing/appender.hpp"
#include "../../wire/json/json.hpp"
#include "../../wire/messages/messages.hpp"

namespace parley::agent {

/// A call that a hook put off: it is carried out when the session is resumed.
struct DeferredCall {
  ToolUseBlock call;
  std::string source_uuid;  ///< Of the assistant message that made the call.
};

/// What an earlier run of a session left behind.
struct EarlierRun {
  history::SessionPlace place;
  /// As the model is told: whole, ending with an answer, or with what waits for `deferred`.
  std::vector<MessageParam> messages;
  std::optional<DeferredCall> deferred;
  std::vector<Json> endings;      ///< Lines for what it left open, to be written first.
  std::string last_uuid;          ///< The end of the chain.
  std::set<std::string> uuids;    ///< Of all its prompts: they are not run again.
  Json cost_state;                ///< Null if it had none.
  std::vector<Json> checkpoints;  ///< Its lines about copies of files, see FileCheckpoints.
};

class Transcript {
 public:
  struct Setup {
    std::string root;  ///< `~/.claude` or CLAUDE_CONFIG_DIR.
    std::string cwd;
    std::string session_id;
    std::string entrypoint;
    bool persist = true;
    /// Is shown every line after it was written; may be empty.
    std::function<void(const std::string& path, const std::string& line)> mirror = {};
  };
  explicit Transcript(Setup setup) : setup_(std::move(setup)) {}

  /// Goes on with the file of an earlier run, which may be in another project.
  void resume(const EarlierRun& run);

  [[nodiscard]] std::string path() const;
  [[nodiscard]] history::SessionPlace place() const;

  /// Appends one line of the conversation; the rest of its members is filled in. `uuid` may be
  /// empty. The uuid it has.
  std::string add(Json line);
  /// Appends a line beside the conversation.
  void note(Json line);
  /// To the disk, at the end of a turn.
  void sync();
  /// The first write that failed, for the user.
  [[nodiscard]] std::optional<Error> failure() const;

 private:
  std::string add_line(Json line);
  void write(const Json& line);

  const Setup setup_;
  mutable std::mutex mutex_;
  std::optional<history::SessionPlace> place_;  ///< Of a resumed session.
  std::optional<history::Appender> appender_;
  std::string last_uuid_;
  std::vector<Json> endings_;  ///< Of the earlier run; written when this one has something to say.
  std::optional<Error> failure_;
};

/// Reads what is there of a session. `until` cuts behind the message of that uuid. kNotFound.
[[nodiscard]] Result<EarlierRun> read_earlier_run(const std::string& root, const std::string& cwd,
                                                  const std::string& session_id,
                                                  const std::optional<std::string>& until);
/// The session of this folder that was written last.
[[nodiscard]] std::optional<std::string> latest_session(const std::string& root,
                                                        const std::string& cwd);
/// By title, if exactly one of this folder has it.
[[nodiscard]] std::optional<std::string> session_of_title(const std::string& root,
                                                          const std::string& cwd,
                                                          const std::string& title);
/// Copies a session under a new id: the same lines, up to `until`.
[[nodiscard]] Result<void> fork_transcript(const EarlierRun& from, const std::string& root,
                                           const std::string& cwd, const std::string& new_id);

}  // namespace parley::agent
