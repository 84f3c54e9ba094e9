// What an earlier run of a session left behind in its transcript, and which session that is.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "../../history/writing/appender.hpp"
#include "../../wire/json/json.hpp"
#include "../../wire/messages/messages.hpp"
#include "deferred_call.hpp"

namespace parley::agent {

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

/// A message of a transcript without what only its answer had (id, usage, stop reason); none if it
/// cannot be told to the model.
[[nodiscard]] std::optional<MessageParam> message_param(const RawJson& message);

/// Reads what is there of a session. `until` cuts behind the message of that uuid. `not_found`.
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
